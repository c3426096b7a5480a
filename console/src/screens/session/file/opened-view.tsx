import { useState } from 'react'
import type { Picked } from '../moments/current.ts'
import { useLoadedPlayback } from '../recording/use-session-playback.ts'
import { panelCallbacks, type SessionSearch, shownOf } from '../search.ts'
import { SessionView } from '../session-view.tsx'
import { Leads } from '../thread/leads.ts'
import type { OpenedFile } from './read-file.ts'

interface OpenedViewProps {
  readonly opened: Pick<OpenedFile, 'detail' | 'recording'>
  readonly search: SessionSearch
  readonly onSearch: (change: (search: SessionSearch) => SessionSearch) => void
}

/** A session that came as a file: its lines lead nowhere, since what they name is elsewhere. */
export function OpenedView({ opened: { detail, recording }, search, onSearch }: OpenedViewProps) {
  const [picked, setPicked] = useState<Picked>()
  const { playback, timeline } = useLoadedPlayback(detail, recording, (search.t ?? 0) * 1000)
  return (
    <Leads value={false}>
      <SessionView
        detail={detail}
        player={{ playback, picked, recording: { kind: 'ready', timeline, damaged: recording.damaged } }}
        shown={shownOf(search)}
        {...panelCallbacks(onSearch)}
        onSelect={(moment) => {
          setPicked({ id: moment.id, atMs: moment.atMs })
          playback.seek(moment.atMs)
        }}
        // The request is not stored here: its moment is all that can be shown.
        onRequest={({ atMs }) => playback.seek(atMs)}
        onRow={() => undefined}
      />
    </Leads>
  )
}
