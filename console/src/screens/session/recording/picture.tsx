import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Moment } from '../../../lib/api/schemas.ts'
import type { Playback } from '../../../player/playback.ts'
import type { Timeline } from '../../../player/timeline.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { AddressBar } from './address-bar.tsx'

// rrweb is half of the screen's scripts, and comes while the recording does.
const Player = lazy(async () => ({ default: (await import('../../../player/player.tsx')).Player }))

/** The state of a session's recording. */
export type RecordingState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly problem: ReactNode }
  | { readonly kind: 'ready'; readonly timeline: Timeline; readonly damaged: number }

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
      return <Playing timeline={recording.timeline} damaged={recording.damaged} playback={playback} pages={pages} />
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
  readonly timeline: Timeline
  readonly damaged: number
  readonly playback: Playback
  readonly pages: readonly Moment[]
}

function Playing({ timeline, damaged, playback, pages }: PlayingProps) {
  const [blocked, setBlocked] = useState<readonly string[]>([])
  return (
    <div className="flex h-full min-h-0 flex-col gap-1 px-6 pt-2 pb-4 max-sheet:p-2 max-sheet:pt-0">
      <AddressBar timeline={timeline} playback={playback} pages={pages} />
      <div className="min-h-0 flex-1">
        <Suspense fallback={null}>
          <Player playback={playback} timeline={timeline} onBlocked={setBlocked} />
        </Suspense>
      </div>
      {damaged > 0 && (
        <p className="text-ink-2 text-sm">{damaged} parts of the recording could not be read and are skipped.</p>
      )}
      {blocked.length > 0 && <Blocked origins={blocked} />}
    </div>
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
