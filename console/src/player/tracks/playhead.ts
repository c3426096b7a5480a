import { type RefObject, useEffect } from 'react'
import { formatOffset } from '../../ui/time-text.ts'
import type { Playback } from '../playback.ts'
import { type Axis, toX } from './axis/axis.ts'

interface Playhead {
  /** The slider that says where it stands. */
  readonly slider: RefObject<HTMLElement | null>
  /** The line; its first child shows the time. */
  readonly line: RefObject<HTMLElement | null>
  readonly playback: Playback
  readonly axis: Axis
  readonly describe: (ms: number) => string
}

/** Moves the playhead with the playback, past React: it moves with every frame. */
export function usePlayhead({ slider, line, playback, axis, describe }: Playhead): void {
  useEffect(() => {
    const follow = () => {
      const { nowMs } = playback.state()
      const x = Math.min(toX(axis, nowMs), toX(axis, axis.durationMs))
      const label = line.current?.firstElementChild
      if (!line.current || !(label instanceof HTMLElement) || !slider.current) return
      line.current.style.visibility = x >= -1 && x <= axis.width + 1 ? 'visible' : 'hidden'
      line.current.style.translate = `${x}px`
      // At both ends the label stays within the axis.
      label.style.translate = `${axis.width <= 0 ? 0 : (-x / axis.width) * 100}%`
      const text = formatOffset(nowMs)
      if (label.textContent !== text) {
        label.textContent = text
        slider.current.setAttribute('aria-valuenow', String(Math.round(nowMs)))
        slider.current.setAttribute('aria-valuetext', `${text} ${describe(nowMs)}`)
      }
    }
    follow()
    return playback.subscribe(follow)
  }, [slider, line, playback, axis, describe])
}
