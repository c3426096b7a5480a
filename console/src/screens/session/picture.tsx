import type { ReactNode } from 'react'
import type { Playback } from '../../player/playback.ts'
import { Player } from '../../player/player.tsx'
import type { Timeline } from '../../player/tracks.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

/** What there is of a recording. */
export type RecordingState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly problem: ReactNode }
  | { readonly kind: 'ready'; readonly timeline: Timeline; readonly damaged: number }

interface PictureProps {
  readonly recording: RecordingState
  readonly playback: Playback
}

/** The recorded page, or why there is none. */
export function Picture({ recording, playback }: PictureProps) {
  switch (recording.kind) {
    case 'ready':
      if (recording.timeline.tracks.length === 0) return <Unrecorded />
      return (
        <div className="relative h-full min-h-0 p-6 max-sheet:p-2">
          <Player playback={playback} timeline={recording.timeline} />
          {recording.damaged > 0 && (
            <p className="absolute bottom-1 left-6 text-ink-2 text-sm">
              {recording.damaged} parts of the recording could not be read and are left out.
            </p>
          )}
        </div>
      )
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

function Unrecorded() {
  return (
    <div className="grid h-full place-items-center overflow-y-auto p-6">
      <div className="grid max-w-[440px] gap-1.5 text-ink-2">
        <h2 className="font-semibold text-ink text-lg">There is no picture of this session.</h2>
        <p>
          Its calls reached the server and stand in the thread with all they did, but nothing was recorded in the
          browser: recording is off there, the visit was too short, a blocker stepped in, or the recording’s time to be
          kept is over.
        </p>
      </div>
    </div>
  )
}
