import type { Moment } from '../../../lib/api/schemas.ts'
import { type KeyBinding, useKeys } from '../../../lib/keyboard.ts'
import { type Playback, speeds } from '../../../player/playback.ts'
import { stepMoment } from '../moments/moments.ts'

interface PlayerKeys {
  readonly playback: Playback
  readonly moments: readonly Moment[]
  readonly current: number
  /** The recording grows, and can be followed. */
  readonly isLive: boolean
  readonly onSelect: (moment: Moment) => void
  readonly onFullScreen: () => void
}

/**
 * Binds the player's keys.
 *
 * @returns the step to the next or previous moment, for the buttons
 */
export function usePlayerKeys({ playback, moments, current, isLive, onSelect, onFullScreen }: PlayerKeys) {
  const step = (by: 1 | -1) => {
    const moment = stepMoment(moments, current, playback.state().nowMs, by)
    if (moment) onSelect(moment)
  }
  const faster = (by: 1 | -1) => {
    const next = speeds[speeds.indexOf(playback.state().speed) + by]
    if (next !== undefined) playback.setSpeed(next)
  }
  const bindings: readonly KeyBinding[] = [
    { keys: ' ', label: 'Play or pause', run: (event) => pressOrToggle(event, playback) },
    { keys: 'ArrowLeft', label: 'Back 5 s, with shift 1 s', run: (event) => skip(playback, event, -1) },
    { keys: 'ArrowRight', label: 'On 5 s, with shift 1 s', run: (event) => skip(playback, event, 1) },
    { keys: ',', label: 'Previous moment', run: () => step(-1) },
    { keys: '.', label: 'Next moment', run: () => step(1) },
    { keys: '[', label: 'Slower', run: () => faster(-1) },
    { keys: ']', label: 'Faster', run: () => faster(1) },
    ...speeds.map((speed, index) => ({
      keys: String(index + 1),
      label: `Speed ${speed}×`,
      run: () => playback.setSpeed(speed),
    })),
    { keys: 'l', label: 'Follow live, or stop', run: () => followOrStop(playback, isLive) },
    { keys: 's', label: 'Skip idle', run: () => playback.setSkipIdle(!playback.state().skipIdle) },
    { keys: 'f', label: 'Full screen', run: onFullScreen },
  ]
  useKeys('In the player', bindings)
  return step
}

function followOrStop(playback: Playback, isLive: boolean): void {
  if (playback.state().following) playback.unfollow()
  else if (isLive) playback.follow()
}

function skip(playback: Playback, event: KeyboardEvent, direction: 1 | -1): void {
  playback.seek(playback.state().nowMs + direction * (event.shiftKey ? 1000 : 5000))
}

/** Space presses a button that has the focus; everywhere else it plays. */
function pressOrToggle(event: KeyboardEvent, playback: Playback): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button, a, [role=tab]') : null
  if (button) button.click()
  else if (playback.state().playing || playback.state().following) playback.pause()
  else playback.play()
}
