import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { useKeys } from '../../lib/keyboard.ts'
import type { Playback } from '../../player/playback.ts'
import { Button } from '../../ui/button.tsx'

/** The sessions beside this one in the list that it was opened from. */
export interface Neighbours {
  /** The older one; undefined at the end of the list. */
  readonly next: string | undefined
  readonly previous: string | undefined
  readonly onGo: (id: string) => void
}

/** Steps to the next and the previous session of the list. */
export function NeighbourSteps({ neighbours: { next, previous, onGo } }: { readonly neighbours: Neighbours }) {
  useKeys('In the list of sessions', [
    { keys: 'n', label: 'Next session', run: () => next !== undefined && onGo(next) },
    { keys: 'p', label: 'Previous session', run: () => previous !== undefined && onGo(previous) },
  ])
  return (
    <span className="flex max-sheet:hidden">
      <Step id={previous} label="Previous session" keys="p" onGo={onGo}>
        <ChevronLeft aria-hidden="true" className="size-4" />
      </Step>
      <Step id={next} label="Next session" keys="n" onGo={onGo}>
        <ChevronRight aria-hidden="true" className="size-4" />
      </Step>
    </span>
  )
}

interface StepProps {
  readonly id: string | undefined
  readonly label: string
  readonly keys: string
  readonly onGo: (id: string) => void
  readonly children: React.ReactNode
}

function Step({ id, label, keys, onGo, children }: StepProps) {
  return (
    <Button
      look="bare"
      size="icon"
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={id === undefined}
      onClick={() => id !== undefined && onGo(id)}
    >
      {children}
    </Button>
  )
}

/**
 * Plays a session as soon as it can be played, and goes on to the next one at its end.
 *
 * @param next undefined to stay
 */
export function useAutoplay(playback: Playback, isReady: boolean, isOn: boolean, next: (() => void) | undefined): void {
  useEffect(() => {
    if (isOn && isReady) playback.play()
  }, [playback, isReady, isOn])
  useEffect(() => {
    if (!isOn || !next) return
    let wasPlaying = playback.state().playing
    return playback.subscribe(() => {
      const { playing, nowMs } = playback.state()
      // Paused by hand it stands somewhere else than at the end.
      if (wasPlaying && !playing && nowMs >= playback.endMs()) next()
      wasPlaying = playing
    })
  }, [playback, isOn, next])
}
