import { type ReactNode, useEffect, useState } from 'react'
import type { Moment } from '../../../lib/api/schemas.ts'
import type { Playback } from '../../../player/playback.ts'
import type { Timeline } from '../../../player/timeline.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { usePlayback } from '../moments/current.ts'
import { AddressBar } from './address-bar.tsx'
import { bringPlayer, playerHere } from './player-script.ts'

/** The state of a session's recording. */
export type RecordingState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly problem: ReactNode }
  | {
      readonly kind: 'ready'
      readonly timeline: Timeline
      readonly damaged: number
      /** Tries anew to read what could not be read; absent while nothing failed. */
      readonly onRetry?: (() => void) | undefined
    }

interface PictureProps {
  readonly recording: RecordingState
  readonly playback: Playback
  /** The pages of the session, by time. */
  readonly pages: readonly Moment[]
}

/** The recorded page, or the reason why there is none. */
export function Picture({ recording, playback, pages }: PictureProps) {
  switch (recording.kind) {
    case 'ready':
      if (recording.timeline.windows.length === 0) return <Unrecorded />
      return <Playing recording={recording} playback={playback} pages={pages} />
    case 'loading':
      return (
        <div role="status" aria-label="Loading the recording" className="grid h-full place-items-center p-6">
          <Skeleton className="aspect-[16/10] max-h-full w-full max-w-[760px] rounded-float" />
        </div>
      )
    case 'failed':
      return <div className="h-full overflow-y-auto">{recording.problem}</div>
    case 'none':
      return <Unrecorded />
    default:
      return recording satisfies never
  }
}

interface PlayingProps {
  readonly recording: RecordingState & { readonly kind: 'ready' }
  readonly playback: Playback
  readonly pages: readonly Moment[]
}

function Playing({ recording: { timeline, damaged, onRetry }, playback, pages }: PlayingProps) {
  const [blocked, setBlocked] = useState<readonly string[]>([])
  const Player = usePlayer()
  return (
    <div className="flex h-full min-h-0 flex-col gap-1 px-6 pt-2 pb-4 max-sheet:p-2 max-sheet:pt-0">
      <AddressBar timeline={timeline} playback={playback} pages={pages} />
      <div className="relative min-h-0 flex-1">
        {Player && <Player playback={playback} timeline={timeline} onBlocked={setBlocked} />}
        {onRetry ? <NotRead onRetry={onRetry} /> : <Awaited playback={playback} />}
      </div>
      {damaged > 0 && (
        <p className="text-ink-2 text-sm">{damaged} parts of the recording could not be read and are skipped.</p>
      )}
      {blocked.length > 0 && <Blocked origins={blocked} />}
    </div>
  )
}

/** The player, once its script is here; a script that cannot be had is an error of the screen. */
function usePlayer() {
  const [found, setFound] = useState(() => ({ Player: playerHere(), error: undefined as unknown }))
  const isHere = found.Player !== undefined
  useEffect(() => {
    if (isHere) return
    bringPlayer().then(
      (Player) => setFound({ Player, error: undefined }),
      (error: unknown) => setFound({ Player: undefined, error }),
    )
  }, [isHere])
  if (found.error !== undefined) throw found.error
  return found.Player
}

const note =
  'absolute inset-x-0 top-3 mx-auto flex w-fit items-center gap-2 rounded-float bg-surface px-3 py-1.5 text-sm shadow-float'

/** Says that the picture is an earlier one, as that of the moment is still read. */
function Awaited({ playback }: { readonly playback: Playback }) {
  const waiting = usePlayback(playback, (state) => state.waiting)
  return waiting && <p className={note}>Loading this minute…</p>
}

function NotRead({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <p role="alert" className={note}>
      A part of the recording could not be loaded.
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  )
}

/** Names the origins from which the picture may not load anything, with the setting that allows them. */
function Blocked({ origins }: { readonly origins: readonly string[] }) {
  const setting = `[replay]\nasset_origins = ${JSON.stringify(origins).replaceAll('","', '", "')}\n`
  return (
    <p className="flex min-w-0 items-center gap-1 text-ink-2 text-sm">
      <span className="min-w-0 wrap-anywhere" title={origins.join('\n')}>
        Not loaded from <span className="mono">{origins[0]}</span>
        {origins.length > 1 && ` and ${origins.length - 1} more`}: add {origins.length > 1 ? 'them' : 'it'} to{' '}
        <span className="mono">asset_origins</span>.
      </span>
      <CopyButton text={setting} label="Copy the setting" />
    </p>
  )
}

function Unrecorded() {
  return (
    <div className="grid h-full place-items-center overflow-y-auto p-6">
      <div className="grid max-w-[440px] gap-1.5 text-ink-2">
        <h2 className="font-semibold text-ink text-lg">This session has no recording.</h2>
        <p>
          Its requests are in the thread, with everything they did. Nothing was recorded in the browser: recording was
          off, the visit was too short, a blocker was active, or the recording is past its retention.
        </p>
      </div>
    </div>
  )
}
