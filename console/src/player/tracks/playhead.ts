import { type RefObject, useEffect } from 'react'
import { formatOffset } from '../../ui/time-text.ts'
import type { Playback } from '../playback.ts'

interface Playhead {
  readonly axis: RefObject<HTMLElement | null>
  /** The line; its first child shows the time. */
  readonly line: RefObject<HTMLElement | null>
  readonly playback: Playback
  readonly durationMs: number
  readonly describe: (ms: number) => string
}

/** Moves the playhead with the playback, past React: it moves with every frame. */
export function usePlayhead({ axis, line, playback, durationMs, describe }: Playhead): void {
  useEffect(() => {
    const follow = () => {
      const { nowMs } = playback.state()
      const share = durationMs <= 0 ? 0 : Math.min(1, nowMs / durationMs)
      const label = line.current?.firstElementChild
      if (!line.current || !(label instanceof HTMLElement) || !axis.current) return
      line.current.style.left = `${share * 100}%`
      // At both ends the label stays within the axis.
      label.style.translate = `${-share * 100}%`
      const text = formatOffset(nowMs)
      if (label.textContent !== text) {
        label.textContent = text
        axis.current.setAttribute('aria-valuenow', String(Math.round(nowMs)))
        axis.current.setAttribute('aria-valuetext', `${text} ${describe(nowMs)}`)
      }
    }
    follow()
    return playback.subscribe(follow)
  }, [axis, line, playback, durationMs, describe])
}
