import { type CSSProperties, useRef } from 'react'
import type { Change, Moment, RequestMoment, SessionDetail } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import type { Playback } from '../../player/playback.ts'
import { Tracks } from '../../player/tracks/tracks.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type Picked, useCurrent } from './moments/current.ts'
import { type ChipName, describeMoment, filterMoments, lastOwn, momentAt } from './moments/moments.ts'
import { tracksOf } from './moments/tracks.ts'
import { PersonTab } from './panel/person-tab.tsx'
import { ConsoleTab, EventsTab, NetworkTab } from './panel/side-tabs.tsx'
import type { SessionTab } from './panel/tabs.ts'
import { PeopleBand } from './recording/people-band.tsx'
import { Picture, type RecordingState } from './recording/picture.tsx'
import { Transport } from './recording/transport.tsx'
import { usePlayerKeys } from './recording/use-player-keys.ts'
import { ThreadList } from './thread/thread-list.tsx'

/** What of a session is shown beside the picture. */
export interface SessionShown {
  readonly tab: SessionTab
  readonly filter: string
  readonly chips: readonly ChipName[]
}

interface SessionViewProps {
  readonly detail: SessionDetail
  readonly player: {
    readonly playback: Playback
    readonly recording: RecordingState
    readonly picked: Picked | undefined
  }
  readonly shown: SessionShown
  readonly onTab: (tab: SessionTab) => void
  readonly onFilter: (filter: string) => void
  readonly onChips: (chips: readonly ChipName[]) => void
  readonly onSelect: (moment: Moment) => void
  readonly onRequest: (request: RequestMoment) => void
  readonly onRow: (change: Change) => void
}

const noIdle: readonly never[] = []

/** The session: the picture and its tracks at the left, the thread at the right, one moment through all of them. */
export function SessionView(props: SessionViewProps) {
  const { detail, onTab, onFilter, onChips, onSelect, onRequest, onRow } = props
  const { playback, recording, picked } = props.player
  const { tab, filter, chips } = props.shown
  const left = useRef<HTMLElement>(null)
  const { moments, session, clock, truncated } = detail
  const timeline = recording.kind === 'ready' ? recording.timeline : undefined
  const durationMs = lengthOf(detail, timeline?.durationMs ?? 0)
  const idle = timeline?.idle ?? noIdle
  const tracks = tracksOf(moments, idle, durationMs)
  const shown = filterMoments(moments, chips, filter)
  const current = useCurrent(playback, shown, picked)
  const describe = (ms: number) => describeMoment(moments[momentAt(moments, ms)])
  const fullScreen = () => {
    inBackground(document.fullscreenElement ? document.exitFullscreen() : left.current?.requestFullscreen())
  }
  const step = usePlayerKeys({ playback, moments: shown, current, onSelect, onFullScreen: fullScreen })
  return (
    <div className="grid min-h-0 flex-1 wide:grid-cols-[minmax(0,1fr)_minmax(380px,432px)] wide:grid-rows-[minmax(0,1fr)] grid-rows-[auto_minmax(220px,1fr)] overflow-y-auto">
      <section
        ref={left}
        aria-label="Recording"
        className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] wide:border-line wide:border-r"
      >
        <div className="min-h-0 overflow-hidden bg-sunken max-wide:h-[38vh]">
          <Picture recording={recording} playback={playback} />
        </div>
        <div className="border-line border-t bg-surface px-4 pt-2 pb-3.5 max-wide:border-b max-sheet:px-2">
          <Transport
            playback={playback}
            durationMs={durationMs}
            canPlay={(timeline?.windows.length ?? 0) > 0}
            clock={clock}
            onStep={step}
            onFullScreen={fullScreen}
          />
          <PeopleBand people={session.people} durationMs={durationMs} />
          <div className="mt-6">
            <Tracks
              tracks={tracks}
              durationMs={durationMs}
              playback={playback}
              lit={shown[current]?.id}
              describe={describe}
            />
          </div>
        </div>
      </section>
      <aside
        aria-label="What happened"
        className="flex min-h-0 min-w-0 flex-col bg-surface"
        style={{ '--time': timeWidth(durationMs) } as CSSProperties}
      >
        {detail.oldClient !== null && (
          <p className="border-line border-b px-4 py-2 text-ink-2 text-sm">
            posthog-js {detail.oldClient} is too old to tag its requests, so calls may be missing here. It needs 1.380.0
            or newer, with <span className="mono">tracing_headers</span>.
          </p>
        )}
        <Tabs<SessionTab>
          label="Session"
          value={tab}
          onChange={onTab}
          className="flex-1"
          tabs={[
            {
              name: 'thread',
              label: 'Thread',
              panel: (
                <ThreadList
                  moments={shown}
                  total={moments.length}
                  truncated={truncated}
                  playback={playback}
                  picked={picked}
                  filter={filter}
                  on={chips}
                  onFilter={onFilter}
                  onChips={onChips}
                  onSelect={onSelect}
                  onRequest={onRequest}
                  onRow={onRow}
                />
              ),
            },
            {
              name: 'console',
              label: 'Console',
              panel: <ConsoleTab moments={moments} playback={playback} onSelect={onSelect} />,
            },
            {
              name: 'network',
              label: 'Network',
              panel: <NetworkTab moments={moments} playback={playback} onRequest={onRequest} />,
            },
            {
              name: 'events',
              label: 'Events',
              panel: <EventsTab moments={moments} playback={playback} onSelect={onSelect} />,
            },
            { name: 'person', label: 'Person', panel: <PersonTab session={session} /> },
          ]}
        />
      </aside>
    </div>
  )
}

/** The width of the longest time of the session: `0:00.0`, `10:00.0` or `1:00:00.0`. */
function timeWidth(durationMs: number): string {
  if (durationMs < 600_000) return '44px'
  return durationMs < 3_600_000 ? '51px' : '65px'
}

/** The axis holds everything: a call can end after the recording did. */
function lengthOf({ session, moments }: SessionDetail, recordedMs: number): number {
  const last = lastOwn(moments)
  const lastMs = last ? Math.max(last.atMs, ...last.requests.map((request) => request.atMs)) : 0
  return Math.max(session.durationMs, recordedMs, lastMs)
}
