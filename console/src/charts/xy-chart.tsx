import 'uplot/dist/uPlot.min.css'
import { type ReactNode, useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { useThemeChanges } from '../ui/theme-changes.ts'
import { type ChartData, type ChartLook, drawnSeries } from './chart-data.ts'
import { ChartFrame } from './chart-frame.tsx'
import { planPlot } from './plot-options.ts'

interface XyChartProps {
  readonly title: string
  readonly data: ChartData
  readonly shape: 'lines' | 'bars'
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
  /** Its numbers, which may be more than a plain table can hold. */
  readonly table: ReactNode
}

/** Numbers along a time or a row of names, at the size of their place; the legend hides and shows a series. */
export function XyChart(props: XyChartProps) {
  const { title, data, shape, look } = props
  return (
    <ChartFrame {...props} className="min-h-0 flex-1 grid-rows-[minmax(0,1fr)_auto] px-2 pb-1">
      {look === 'chart' && <Plot title={title} data={data} shape={shape} />}
    </ChartFrame>
  )
}

function Plot({ title, data, shape }: Pick<XyChartProps, 'title' | 'data' | 'shape'>) {
  const host = useRef<HTMLDivElement>(null)
  const theme = useThemeChanges()
  // biome-ignore lint/correctness/useExhaustiveDependencies: theme changes the tokens that the colours are read from
  useEffect(() => {
    const { current } = host
    if (current === null) return
    const colours = getComputedStyle(current)
    const plot = new UPlot(
      {
        ...planPlot({ data, shape, colour: (token) => colours.getPropertyValue(token) }),
        ...sizeOf(current),
      },
      [[...data.xs], ...drawnSeries(data).map(({ values }) => [...values])],
      current,
    )
    const resized = new ResizeObserver(() => plot.setSize(sizeOf(current)))
    resized.observe(current)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [data, shape, theme])
  return (
    <div
      ref={host}
      role="img"
      aria-label={title}
      className="min-h-0 overflow-hidden pt-3 [&_.u-legend]:text-sm! [&_.uplot]:font-sans! [&_th]:font-medium!"
    />
  )
}

/** Below the drawing stands the legend. */
const legendPx = 40

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(200, clientWidth - 16),
  height: Math.max(120, clientHeight - legendPx - 12),
})
