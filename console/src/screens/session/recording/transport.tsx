import { Maximize, Pause, Play } from 'lucide-react'
import type { Clock } from '../../../lib/api/schemas.ts'
import { type Playback, type Speed, speeds } from '../../../player/playback.ts'
import { Dot } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { formatDuration, formatOffset } from '../../../ui/time-text.ts'
import { usePlayback } from '../moments/current.ts'

interface TransportProps {
  readonly playback: Playback
  readonly durationMs: number
  /** Without a picture there is nothing to play. */
  readonly canPlay: boolean
  readonly clock: Clock
  /** The person is there: the recording grows. */
  readonly isLive: boolean
  readonly onStep: (by: 1 | -1) => void
  readonly onFullScreen: () => void
}

/** Play, speed, the time, and the steps from moment to moment. */
export function Transport({ playback, durationMs, canPlay, clock, isLive, onStep, onFullScreen }: TransportProps) {
  const playing = usePlayback(playback, (state) => state.playing)
  const speed = usePlayback(playback, (state) => state.speed)
  const skipIdle = usePlayback(playback, (state) => state.skipIdle)
  const following = usePlayback(playback, (state) => state.following)
  const now = usePlayback(playback, (state) => formatOffset(state.nowMs))
  // What is followed is played as it comes: pausing it is what can be done.
  const runs = playing || following
  return (
    <div className="flex h-8 items-center gap-1.5 text-ink-2">
      {canPlay && (
        <Button
          size="icon"
          aria-label={runs ? 'Pause' : 'Play'}
          title={runs ? 'Pause (Space)' : 'Play (Space)'}
          className="mr-1"
          onClick={runs ? playback.pause : playback.play}
        >
          {runs ? (
            <Pause aria-hidden="true" className="size-3.5 fill-current" strokeWidth={0} />
          ) : (
            <Play aria-hidden="true" className="size-3.5 fill-current" strokeWidth={0} />
          )}
        </Button>
      )}
      <span className="mono tabular whitespace-nowrap text-ink">
        {now} <span className="text-ink-2">/ {formatOffset(durationMs)}</span>
      </span>
      {canPlay && (isLive || following) && <FollowButton playback={playback} following={following} />}
      {canPlay && (
        <>
          <Menu
            side="top"
            align="start"
            trigger={
              <Button look="bare" aria-label={`Speed ${speed}×`} title="Speed ([ and ], or 1 to 6)" className="tabular">
                {speed}×
              </Button>
            }
            items={speeds.map((one: Speed) => ({ label: `${one}×`, onSelect: () => playback.setSpeed(one) }))}
          />
          <Button
            look="bare"
            aria-pressed={skipIdle}
            // A narrow window has no room for it beside the button that follows; its key stays.
            className={isLive || following ? 'max-sheet:hidden' : ''}
            title="Pass over stretches in which nothing happens (s)"
            onClick={() => playback.setSkipIdle(!skipIdle)}
          >
            Skip idle
          </Button>
        </>
      )}
      <span className="flex-1" />
      {clock.spreadMs >= 1 && (
        <span
          className="mono tabular whitespace-nowrap text-ink-2 max-sheet:hidden wide:max-full:hidden"
          title={`The browser’s times were moved by ${formatSigned(clock.offsetMs)} onto the server’s clock. By the quickest of ${clock.samples} messages they may be off by up to ${formatDuration(clock.spreadMs)}.`}
        >
          ± {formatDuration(clock.spreadMs)}
        </span>
      )}
      <span className="flex items-center gap-1 px-1.5 max-sheet:hidden">
        <button type="button" aria-label="Previous moment" onClick={() => onStep(-1)}>
          <Kbd>,</Kbd>
        </button>
        <button type="button" aria-label="Next moment" onClick={() => onStep(1)}>
          <Kbd>.</Kbd>
        </button>
        <span className="wide:max-full:hidden">moments</span>
      </span>
      <Button look="bare" title="Full screen (f)" aria-label="Full screen" onClick={onFullScreen}>
        <Maximize aria-hidden="true" className="size-3.5 full:hidden sheet:max-wide:hidden" />
        <span className="max-sheet:hidden wide:max-full:hidden">Full screen</span>
      </Button>
    </div>
  )
}

function formatSigned(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${formatDuration(Math.abs(ms))}`
}

function FollowButton({ playback, following }: { readonly playback: Playback; readonly following: boolean }) {
  return (
    <Button
      look="bare"
      aria-pressed={following}
      title="Keep to what the person does now (l)"
      onClick={following ? playback.unfollow : playback.follow}
    >
      {following ? <Dot tone="ok">Following live</Dot> : 'Follow live'}
    </Button>
  )
}
