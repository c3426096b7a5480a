import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { HeatmapPicture } from '../../../lib/api/schemas.ts'
import { type HeatSize, tallestPx } from './draw-heat.ts'

// rrweb is large, and is needed where a page was recorded.
const RecordedPage = lazy(() => import('./recorded-page.tsx'))

interface PageBoxProps {
  /** Undefined while it is looked for; null: the outline of the page stands in. */
  readonly picture: HeatmapPicture | null | undefined
  /** The size of the outline, in pixels of the page. */
  readonly outline: Pick<HeatSize, 'width' | 'height'>
  /** What is seen without scrolling, in pixels; 0: not known. */
  readonly foldPx: number
  /** Only what is seen without scrolling. */
  readonly isViewport: boolean
  /** What lies over the page. */
  readonly children: (size: HeatSize) => ReactNode
}

/** A page at its own width, made smaller where there is less room, with what is drawn over it. */
export function PageBox({ picture, outline, foldPx, isViewport, children }: PageBoxProps) {
  const [room, watchRoom] = useWidth()
  const [measured, setMeasured] = useState<number | null>(null)
  const onHeight = useCallback((heightPx: number) => setMeasured(Math.min(heightPx, tallestPx)), [])
  const width = picture?.width ?? outline.width
  const height = picture ? (measured ?? picture.height) : isViewport && foldPx > 0 ? foldPx : outline.height
  const scale = Math.min(1, room / width)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section ref={watchRoom} tabIndex={0} aria-label="The page" className="min-h-0 flex-1 overflow-auto bg-sunken p-3">
      {room > 0 && (
        <div
          className="relative mx-auto overflow-hidden border border-line bg-surface"
          style={{ width: width * scale, height: height * scale }}
        >
          <div className="absolute top-0 left-0 origin-top-left" style={{ transform: `scale(${scale})`, width }}>
            {picture && (
              <Suspense fallback={null}>
                <RecordedPage picture={picture} isViewport={isViewport} onHeight={onHeight} />
              </Suspense>
            )}
          </div>
          {!isViewport && foldPx > 0 && foldPx < height && (
            <div
              aria-hidden="true"
              className="pointer-events-none absolute inset-x-0 border-ink-3 border-t border-dashed"
              style={{ top: foldPx * scale }}
            >
              <span className="rounded-small bg-paper px-1 text-ink-2 text-xs">the fold: {foldPx} px</span>
            </div>
          )}
          {children({ width, height, scale })}
        </div>
      )}
    </section>
  )
}

/** The inner width of an element, and what watches it. */
function useWidth() {
  const box = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const read = (): void => {
      const style = getComputedStyle(current)
      setWidth(current.clientWidth - Number.parseFloat(style.paddingLeft || '0') * 2)
    }
    const resized = new ResizeObserver(read)
    resized.observe(current)
    read()
    return () => resized.disconnect()
  }, [])
  return [width, box] as const
}
