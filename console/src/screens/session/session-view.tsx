import type { SessionDetail } from '../../lib/api/schemas.ts'
import { useCurrent } from './moments/current.ts'
import { filterMoments, lastOwn } from './moments/moments.ts'
import type { NotesPanel } from './notes/notes.ts'
import { type PanelCallbacks, type SessionPlayer, type SessionShown, SidePanel } from './panel/side-panel.tsx'
import { RecordingPane } from './recording/recording-pane.tsx'

interface SessionViewProps extends PanelCallbacks {
  readonly detail: SessionDetail
  /** Its timeline is still to come. */
  readonly isComing?: boolean
  readonly player: SessionPlayer
  readonly shown: SessionShown
  /** Absent where the session is not stored here. */
  readonly notes?: NotesPanel | undefined
}

const noNotes: readonly never[] = []

/** The session: the picture and its tracks at the left, the thread at the right, one moment through all of them. */
export function SessionView({ detail, isComing = false, player, shown, notes, ...callbacks }: SessionViewProps) {
  const { playback, recording, picked } = player
  const moments = filterMoments(detail.moments, shown.chips, shown.filter)
  const current = useCurrent(playback, moments, picked)
  const durationMs = lengthOf(detail, recording.kind === 'ready' ? recording.timeline.durationMs : 0)
  return (
    <div className="grid min-h-0 flex-1 wide:grid-cols-[minmax(0,1fr)_minmax(380px,432px)] wide:grid-rows-[minmax(0,1fr)] grid-rows-[auto_minmax(220px,1fr)] overflow-y-auto">
      <RecordingPane
        detail={detail}
        durationMs={durationMs}
        playback={playback}
        recording={recording}
        moments={moments}
        notes={notes?.items ?? noNotes}
        on={shown.chips}
        current={current}
        onSelect={callbacks.onSelect}
      />
      <SidePanel
        detail={detail}
        isComing={isComing}
        durationMs={durationMs}
        player={player}
        shown={shown}
        moments={moments}
        notes={notes}
        {...callbacks}
      />
    </div>
  )
}

/** The length of the time axis in milliseconds: a call can end after the recording did. */
function lengthOf({ session, moments }: SessionDetail, recordedMs: number): number {
  const last = lastOwn(moments)
  const lastMs = last ? Math.max(last.atMs, ...last.requests.map((request) => request.atMs)) : 0
  return Math.max(session.durationMs, recordedMs, lastMs)
}
