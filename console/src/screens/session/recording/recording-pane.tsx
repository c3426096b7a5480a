import { lazy, Suspense, useRef } from 'react'
import type { Moment, SessionDetail } from '../../../lib/api/schemas.ts'
import { inBackground } from '../../../lib/in-background.ts'
import { useKeys } from '../../../lib/keyboard.ts'
import { useLive } from '../../../lib/live/live-session.tsx'
import type { Playback } from '../../../player/playback.ts'
import type { Timeline } from '../../../player/timeline.ts'
import { useAxis } from '../../../player/tracks/axis/use-axis.ts'
import { Tracks } from '../../../player/tracks/tracks.tsx'
import { usePlayback } from '../moments/current.ts'
import { type ChipName, describeMoment, momentAt } from '../moments/moments.ts'
import { idleSpans, tracksOf } from '../moments/tracks.ts'
import type { TimedNote } from '../notes/notes.ts'
import { PeopleBand } from './people-band.tsx'
import { Picture, type RecordingState } from './picture.tsx'
import { Transport } from './transport.tsx'
import { usePlayerKeys } from './use-player-keys.ts'

interface RecordingPaneProps {
  readonly detail: SessionDetail
  readonly durationMs: number
  readonly playback: Playback
  readonly recording: RecordingState
  /** Those that fit the filter: the steps go from one to the next. */
  readonly moments: readonly Moment[]
  readonly notes: readonly TimedNote[]
  /** The tracks that are shown. */
  readonly on: readonly ChipName[]
  /** The place among `moments` at which the playback stands; -1 before the first. */
  readonly current: number
  readonly onSelect: (moment: Moment) => void
}

const noIdle: readonly never[] = []

const HoverPicture = lazy(async () => ({
  default: (await import('../../../player/hover/hover-picture.tsx')).HoverPicture,
}))

/** The picture, its controls, the people of the session and its tracks. */
export function RecordingPane(props: RecordingPaneProps) {
  const { detail, durationMs, playback, recording, moments, notes, on, current, onSelect } = props
  const pane = useRef<HTMLElement>(null)
  const timeline = recording.kind === 'ready' ? recording.timeline : undefined
  const idle = idleSpans(detail.moments, timeline?.idle ?? noIdle)
  const tracks = tracksOf({ moments: detail.moments, shown: moments, notes, on, idle, durationMs })
  const pages = detail.moments.filter(({ kind }) => kind === 'page')
  const skipIdle = usePlayback(playback, (state) => state.skipIdle)
  const control = useAxis(durationMs, skipIdle ? idle : noIdle, playback)
  const fullScreen = () => {
    inBackground(document.fullscreenElement ? document.exitFullscreen() : pane.current?.requestFullscreen())
  }
  const isLive = useLive(detail.session)
  const pinnedId = usePlayback(playback, (state) => state.pinnedId)
  const isRunning = usePlayback(playback, ({ playing, following }) => playing || following)
  const step = usePlayerKeys({ playback, moments, current, isLive, onSelect, onFullScreen: fullScreen })
  useKeys('In the tracks', [
    { keys: '+', label: 'Nearer', run: () => control.zoom(2) },
    { keys: '-', label: 'Farther', run: () => control.zoom(1 / 2) },
    { keys: '0', label: 'The whole session', run: control.showAll },
  ])
  const describe = (ms: number) => describeMoment(detail.moments[momentAt(detail.moments, ms)])
  return (
    <section
      ref={pane}
      aria-label="Recording"
      className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] wide:border-line wide:border-r"
    >
      <div className="min-h-0 overflow-hidden bg-sunken max-wide:h-[38vh]">
        <Picture recording={recording} playback={playback} pages={pages} />
      </div>
      <div className="border-line border-t bg-surface px-4 pt-2 pb-3.5 max-wide:border-b max-sheet:px-2">
        <Transport
          playback={playback}
          durationMs={durationMs}
          canPlay={hasPicture(timeline)}
          clock={detail.clock}
          isLive={isLive}
          onStep={step}
          onFullScreen={fullScreen}
        />
        <PeopleBand people={detail.session.people} axis={control.axis} />
        <div className="mt-3">
          <Tracks
            tracks={tracks}
            control={control}
            playback={playback}
            lit={moments[current]?.id}
            describe={describe}
            renderPicture={
              hasPicture(timeline)
                ? (atMs) => (
                    <Suspense fallback={null}>
                      {/* A page that is drawn takes several frames, which a playback that runs would miss. */}
                      <HoverPicture {...{ timeline, pinnedId }} atMs={isRunning ? undefined : atMs} />
                    </Suspense>
                  )
                : undefined
            }
          />
        </div>
      </div>
    </section>
  )
}

const hasPicture = (timeline: Timeline | undefined): timeline is Timeline => (timeline?.windows.length ?? 0) > 0
