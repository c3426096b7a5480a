import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../../frame/failure.tsx'
import { api } from '../../../lib/api/api.ts'
import type { SessionSummary } from '../../../lib/api/schemas.ts'
import { inBackground } from '../../../lib/in-background.ts'
import { notesQuery } from '../queries.ts'
import type { SessionNotes } from './notes.ts'

/** The notes on a session, and what changes them. */
export function useNotes({ id, startedAt }: Pick<SessionSummary, 'id' | 'startedAt'>): SessionNotes {
  const { data, error, refetch } = useQuery(notesQuery(id))
  const queryClient = useQueryClient()
  const startMs = Date.parse(startedAt)
  const known = async <Done,>(change: Promise<Done>): Promise<Done> => {
    const done = await change
    await queryClient.invalidateQueries({ queryKey: notesQuery(id).queryKey })
    return done
  }
  return {
    items: data?.map((note) => ({ ...note, atMs: Math.max(0, Date.parse(note.at) - startMs) })),
    problem:
      data === undefined && error ? <ErrorProblem error={error} onRetry={() => inBackground(refetch())} /> : null,
    add: (atMs, text) => known(api.createNote({ sessionId: id, at: new Date(startMs + atMs).toISOString(), text })),
    change: (note, text) => known(api.changeNote(note, text)),
    remove: (note) => known(api.removeNote(note)),
  }
}
