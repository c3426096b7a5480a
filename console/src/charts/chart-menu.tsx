import type { ComponentProps } from 'react'
import { saveFile } from '../lib/save-file.ts'
import { copyText } from '../ui/copy-text.ts'
import { Menu } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { type ChartData, type ChartLook, type ChartShape, chartCsv, chartFileName } from './chart-data.ts'

interface ChartMenuProps {
  readonly title: string
  readonly data: ChartData
  readonly shape: ChartShape
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
  readonly trigger: ComponentProps<typeof Menu>['trigger']
  /** Draws the file where a plot of the numbers would say nothing. */
  readonly picture?: (() => Promise<Blob>) | undefined
}

/** What can be done with a chart; it opens as it appears. */
export function ChartMenu({ trigger, title, data, shape, look, onLook, picture }: ChartMenuProps) {
  const toast = useToast()
  const report = (work: Promise<unknown>, done: string | undefined, failed: string): void => {
    work.then(
      () => done !== undefined && toast.add({ title: done }),
      (error: unknown) =>
        toast.add({ title: failed, description: error instanceof Error ? error.message : String(error) }),
    )
  }
  return (
    <Menu
      isOpen
      trigger={trigger}
      items={[
        look === 'chart'
          ? { label: 'Show as table', onSelect: () => onLook('table') }
          : { label: 'Show as chart', onSelect: () => onLook('chart') },
        {
          label: 'Copy as CSV',
          onSelect: () => report(copyText(chartCsv(data)), 'Copied as CSV.', 'The numbers were not copied.'),
        },
        {
          label: 'Download CSV',
          onSelect: () => saveFile(chartFileName(title, 'csv'), chartCsv(data), 'text/csv'),
        },
        {
          label: 'Download PNG',
          onSelect: () => report(savePicture({ title, data, shape }, picture), undefined, 'The picture was not drawn.'),
        },
      ]}
    />
  )
}

/** The library that draws pictures is loaded when the first one is asked for. */
async function savePicture(
  chart: Pick<ChartMenuProps, 'title' | 'data' | 'shape'>,
  drawOwn: ChartMenuProps['picture'],
): Promise<void> {
  const draw = drawOwn ?? (async () => (await import('./picture.ts')).drawPicture(chart))
  saveFile(chartFileName(chart.title, 'png'), await draw(), 'image/png')
}
