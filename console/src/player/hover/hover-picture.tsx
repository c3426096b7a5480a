import { useEffect, useRef, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { formatOffset } from '../../ui/time-text.ts'
import { browserFrames } from '../animation-frames.ts'
import { createPageStage, type PageStage } from '../stage.ts'
import type { Timeline } from '../timeline.ts'
import { createPreviews, pageAt } from './previews.ts'

interface HoverPictureProps {
  readonly timeline: Timeline
  /** The window that stays shown; null: the one that the person had before them. */
  readonly pinnedId: string | null
  /** Session time that is pointed at; undefined: none. */
  readonly atMs: number | undefined
}

const widthPx = 240
const heightPx = 150
const first = { width: 1280, height: 800 }

/**
 * A small picture of the page at the moment that is pointed at. One player of its own draws all of them: going forward costs
 * it what was recorded in between, going back the page from its last snapshot on.
 */
export function HoverPicture({ timeline, pinnedId, atMs }: HoverPictureProps) {
  const root = useRef<HTMLDivElement>(null)
  const previews = useRef<ReturnType<typeof createPreviews>>(undefined)
  const [size, setSize] = useState(first)
  const [drawn, setDrawn] = useState<string>()
  const view = atMs === undefined ? undefined : pageAt(timeline, pinnedId, atMs)

  useEffect(() => {
    let stage: PageStage | undefined
    // Made with the first picture: most sessions are watched without one.
    const open = (element: HTMLElement): PageStage => {
      const opened = createPageStage(element, 'The page at the pointer')
      opened.onSize(setSize)
      return opened
    }
    const made = createPreviews(browserFrames, (wanted) => {
      if (root.current === null) return
      stage ??= open(root.current)
      stage.show(wanted.recorded, wanted.atMs, false, 1)
      setDrawn(wanted.key)
    })
    previews.current = made
    return () => {
      made.close()
      stage?.close()
    }
  }, [])
  useEffect(() => previews.current?.want(view), [view])

  const scale = Math.min(widthPx / size.width, heightPx / size.height)
  const isDrawn = view !== undefined && view.key === drawn
  return (
    <div
      {...(isDrawn && { role: 'img', 'aria-label': `The page at ${formatOffset(view.atMs)}` })}
      className={classes(
        'overflow-hidden rounded-small border border-line bg-sunken',
        // Its frame keeps its layout, and with it what was scrolled.
        view === undefined && 'invisible absolute',
      )}
      style={{ width: size.width * scale, height: size.height * scale }}
    >
      <div
        ref={root}
        inert
        className={classes('origin-top-left bg-[white] [&_iframe]:border-0', !isDrawn && 'opacity-30')}
        style={{ width: size.width, height: size.height, transform: `scale(${scale})` }}
      />
    </div>
  )
}
