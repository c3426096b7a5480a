import { useEffect, useRef, useState } from 'react'
import { drawPointer } from './overlay.ts'
import type { Playback } from './playback.ts'
import { pointerAt, pointerPath } from './pointer.ts'
import { createPageStage } from './stage.ts'
import type { Timeline } from './timeline.ts'

interface PlayerProps {
  readonly playback: Playback
  readonly timeline: Timeline
  /** Called with the origins whose pictures, fonts and styles were not loaded. */
  readonly onBlocked: (origins: readonly string[]) => void
}

interface Size {
  readonly width: number
  readonly height: number
}

/** A small recorded screen is enlarged, but not until it is only pixels. */
const LARGEST_SCALE = 1.5

/** The recorded page at the playback's moment, scaled to fit, with the person's pointer over it. */
export function Player({ playback, timeline, onBlocked }: PlayerProps) {
  const box = useRef<HTMLDivElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const overlay = useRef<HTMLCanvasElement>(null)
  const [pageSize, setPageSize] = useState<Size>()
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 })

  useEffect(() => {
    const root = page.current
    if (!root) return
    const stage = createPageStage(root)
    stage.onSize(setPageSize)
    stage.onBlocked(onBlocked)
    const detach = playback.attach(stage)
    return () => {
      detach()
      stage.close()
    }
  }, [playback, onBlocked])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setRoom({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  const fit = fitInto(pageSize, room)
  const paths = pathsOf(timeline)

  useEffect(() => {
    const draw = () => {
      const { nowMs, windowId } = playback.state()
      const found = windowId === null ? undefined : paths.get(windowId)
      if (!overlay.current || !found) return
      drawPointer(overlay.current, pointerAt(found.path, found.zero + nowMs), fit)
    }
    draw()
    return playback.subscribe(draw)
  }, [playback, paths, fit])

  return (
    <div ref={box} className="relative h-full min-h-0 w-full min-w-0 overflow-hidden">
      <div
        className="absolute overflow-hidden rounded-float bg-surface outline outline-line"
        style={{
          left: Math.round((room.width - fit.width) / 2),
          top: Math.round((room.height - fit.height) / 2),
          width: fit.width,
          height: fit.height,
          visibility: pageSize ? 'visible' : 'hidden',
        }}
      >
        <div
          ref={page}
          className="bg-[white]"
          style={{
            width: pageSize?.width ?? 0,
            height: pageSize?.height ?? 0,
            transform: `scale(${fit.scale})`,
            transformOrigin: '0 0',
          }}
        />
        <canvas
          ref={overlay}
          className="pointer-events-none absolute inset-0"
          style={{ width: fit.width, height: fit.height }}
        />
      </div>
    </div>
  )
}

/** Where the pointer was in each window, and when in the recording its session began. */
function pathsOf({ windows }: Timeline) {
  return new Map(
    windows.map(({ windowId, events, originMs }) => [
      windowId,
      { zero: (events[0]?.timestamp ?? 0) - originMs, path: pointerPath(events) },
    ]),
  )
}

function fitInto(recorded: Size | undefined, room: Size) {
  if (!recorded || recorded.width === 0 || recorded.height === 0) return { scale: 1, width: 0, height: 0 }
  const scale = Math.min(room.width / recorded.width, room.height / recorded.height, LARGEST_SCALE)
  return { scale, width: Math.floor(recorded.width * scale), height: Math.floor(recorded.height * scale) }
}
