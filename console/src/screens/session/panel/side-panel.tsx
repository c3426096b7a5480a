import { type CSSProperties, type ReactNode, useMemo } from 'react'
import type { Change, Moment, RequestMoment, SessionDetail } from '../../../lib/api/schemas.ts'
import { consoleCallsOf, networkEntriesOf } from '../../../player/page-log.ts'
import type { Playback } from '../../../player/playback.ts'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { type Tab, Tabs } from '../../../ui/tabs.tsx'
import type { Picked } from '../moments/current.ts'
import { type ChipName, isOfServer } from '../moments/moments.ts'
import type { NotesPanel } from '../notes/notes.ts'
import { NotesTab } from '../notes/notes-tab.tsx'
import type { RecordingState } from '../recording/picture.tsx'
import { ThreadList } from '../thread/thread-list.tsx'
import { ConsoleTab } from './console/console-tab.tsx'
import type { ConsoleLevel } from './console/levels.ts'
import { EventsTab } from './events-tab.tsx'
import { type NetworkFilter, NetworkTab } from './network/network-tab.tsx'
import { PersonTab } from './person-tab.tsx'
import type { SessionTab } from './tabs.ts'

/** The tab, the filter and the chips of the panel beside the picture. */
export interface SessionShown {
  readonly tab: SessionTab
  readonly filter: string
  readonly chips: readonly ChipName[]
  readonly levels: readonly ConsoleLevel[]
  readonly network: NetworkFilter
}

/** A session's playback, its recording, and the moment that was chosen last. */
export interface SessionPlayer {
  readonly playback: Playback
  readonly recording: RecordingState
  readonly picked: Picked | undefined
}

/** The callbacks of the panel beside the picture. */
export interface PanelCallbacks {
  readonly onTab: (tab: SessionTab) => void
  readonly onFilter: (filter: string) => void
  readonly onChips: (chips: readonly ChipName[]) => void
  readonly onLevels: (levels: readonly ConsoleLevel[]) => void
  readonly onNetwork: (filter: Partial<NetworkFilter>) => void
  readonly onSelect: (moment: Moment) => void
  readonly onRequest: (request: RequestMoment) => void
  readonly onRow: (change: Change) => void
}

interface SidePanelProps extends PanelCallbacks {
  readonly detail: SessionDetail
  /** Its moments are still to come. */
  readonly isComing: boolean
  readonly durationMs: number
  readonly player: SessionPlayer
  readonly shown: SessionShown
  readonly notes: NotesPanel | undefined
  /** Those that fit the filter. */
  readonly moments: readonly Moment[]
}

/** The session as text, in tabs: its thread, what the page logged, its calls, its events, the operators' notes, its people. */
export function SidePanel(props: SidePanelProps) {
  const { detail, isComing, durationMs, player, shown, moments, notes, onTab, ...callbacks } = props
  const { onFilter, onChips, onLevels, onNetwork, onSelect, onRequest, onRow } = callbacks
  const filtering = { filter: shown.filter, onFilter }
  const side = { moments: detail.moments, playback: player.playback }
  const { calls, entries, isPartial } = usePageLog(detail, player.recording)
  const tabs: readonly Tab<SessionTab>[] = [
    {
      name: 'thread',
      label: 'Thread',
      panel: (
        <ThreadList
          moments={moments}
          total={detail.moments.length}
          hasServers={detail.moments.some(isOfServer)}
          truncated={detail.truncated}
          playback={player.playback}
          picked={player.picked}
          filter={shown.filter}
          on={shown.chips}
          {...{ onFilter, onChips, onSelect, onRequest, onRow }}
        />
      ),
    },
    {
      name: 'console',
      label: 'Console',
      panel: (
        <OfRecording isPartial={isPartial}>
          <ConsoleTab
            {...side}
            {...filtering}
            calls={calls}
            levels={shown.levels}
            onLevels={onLevels}
            onSelect={onSelect}
          />
        </OfRecording>
      ),
    },
    {
      name: 'network',
      label: 'Network',
      panel: (
        <OfRecording isPartial={isPartial}>
          <NetworkTab
            {...side}
            {...filtering}
            entries={entries}
            narrowed={shown.network}
            onNarrow={onNetwork}
            onRequest={onRequest}
          />
        </OfRecording>
      ),
    },
    { name: 'events', label: 'Events', panel: <EventsTab {...side} onSelect={onSelect} /> },
    ...(notes === undefined ? [] : [notesTab(notes, player.playback)]),
    { name: 'person', label: 'Person', panel: <PersonTab session={detail.session} /> },
  ]
  return (
    <aside
      aria-label="What happened"
      className="flex min-h-0 min-w-0 flex-col bg-surface"
      style={{ '--time': timeWidth(durationMs) } as CSSProperties}
    >
      {detail.oldClient !== null && <OldClient version={detail.oldClient} />}
      <Tabs<SessionTab>
        label="Session"
        value={shown.tab === 'notes' && notes === undefined ? 'thread' : shown.tab}
        onChange={onTab}
        className="flex-1"
        tabs={tabs.map((tab) =>
          isComing && ofTimeline.has(tab.name) ? { ...tab, panel: <SkeletonRows rows={16} /> } : tab,
        )}
      />
    </aside>
  )
}

/** The tabs that show the timeline. */
const ofTimeline: ReadonlySet<SessionTab> = new Set(['thread', 'console', 'network', 'events'])

const notesTab = (notes: NotesPanel, playback: Playback) => ({
  name: 'notes' as const,
  label: 'Notes',
  count: notes.items?.length || undefined,
  panel: <NotesTab panel={notes} playback={playback} />,
})

const noWindows: readonly never[] = []

/** What the recording kept of the pages' consoles and of their network. */
function usePageLog({ session, clock }: SessionDetail, recording: RecordingState) {
  const windows = recording.kind === 'ready' ? recording.timeline.windows : noWindows
  const zeroMs = Date.parse(session.startedAt) - clock.offsetMs
  return {
    isPartial: windows.some(({ missing }) => missing.length > 0),
    calls: useMemo(() => consoleCallsOf(windows), [windows]),
    entries: useMemo(() => networkEntriesOf(windows, zeroMs), [windows, zeroMs]),
  }
}

/** What is made of the recording, which may be here in part. */
function OfRecording({ isPartial, children }: { readonly isPartial: boolean; readonly children: ReactNode }) {
  return (
    <>
      {children}
      {isPartial && (
        <p className="shrink-0 border-line border-t px-4 py-1.5 text-ink-2 text-sm">
          Not all of the recording is loaded: further lines may follow.
        </p>
      )}
    </>
  )
}

function OldClient({ version }: { readonly version: string }) {
  return (
    <p className="border-line border-b px-4 py-2 text-ink-2 text-sm">
      posthog-js {version} is too old to tag its requests, so some may be missing here. Update it to 1.380.0 or newer,
      with <span className="mono">tracing_headers</span>.
    </p>
  )
}

/** The width of the longest time of the session: `0:00.0`, `10:00.0` or `1:00:00.0`. */
function timeWidth(durationMs: number): string {
  if (durationMs < 600_000) return '44px'
  return durationMs < 3_600_000 ? '51px' : '65px'
}
