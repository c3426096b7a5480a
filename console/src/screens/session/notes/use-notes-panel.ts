import { useState } from 'react'
import type { SessionSummary } from '../../../lib/api/schemas.ts'
import { useKeys } from '../../../lib/keyboard.ts'
import type { Playback } from '../../../player/playback.ts'
import type { SessionSearch } from '../search.ts'
import type { NotesPanel, TimedNote } from './notes.ts'
import { useNotes } from './use-notes.tsx'

interface NotesPanelDeps {
  readonly session: Pick<SessionSummary, 'id' | 'startedAt'>
  readonly playback: Playback
  readonly search: SessionSearch
  readonly onSearch: (change: (search: SessionSearch) => SessionSearch) => void
}

/** The notes of a session's screen: which one is chosen stands in the address, and `m` begins one. */
export function useNotesPanel({ session, playback, search, onSearch }: NotesPanelDeps): NotesPanel {
  const notes = useNotes(session)
  const [writingAtMs, setWritingAtMs] = useState<number>()
  const onWrite = () => {
    // A note is of what is seen: it must not run on while it is written about.
    playback.pause()
    setWritingAtMs(Math.round(playback.state().nowMs))
    onSearch((now) => ({ ...now, tab: 'notes' }))
  }
  useKeys('In the session', [{ keys: 'm', label: 'Write a note at this moment', run: onWrite }])
  return {
    ...notes,
    chosen: search.note,
    writingAtMs,
    onWrite,
    onWritten: () => setWritingAtMs(undefined),
    onChoose(note) {
      onSearch(({ moment: _moment, ...rest }) => ({ ...rest, note: note.id, t: note.atMs / 1000 }))
      playback.seek(note.atMs)
    },
    linkTo: ({ id }: TimedNote) => `${window.location.origin}${window.location.pathname}?tab=notes&note=${id}`,
  }
}
