import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useGo } from '../../lib/go.ts'
import { inBackground } from '../../lib/in-background.ts'
import { personSearch } from '../../lib/person.ts'
import { notesQuery, sessionQuery } from '../../screens/session/queries.ts'
import { momentOfLink, readSessionSearch } from '../../screens/session/search.ts'
import { SessionPending } from '../../screens/session/session-pending.tsx'
import { SessionScreen } from '../../screens/session/session-screen.tsx'
import { loadOlderSessions, sessionsQuery } from '../../screens/sessions/queries.ts'
import { readSessionsSearch } from '../../screens/sessions/search.ts'

export const Route = createFileRoute('/sessions/$id')({
  validateSearch: readSessionSearch,
  loader: async ({ context: { queryClient }, params: { id } }) => {
    // Without its notes a session is shown all the same.
    await Promise.all([queryClient.ensureQueryData(sessionQuery(id)), queryClient.prefetchQuery(notesQuery(id))])
  },
  pendingComponent: SessionPending,
  component: SessionRoute,
})

function SessionRoute() {
  const { id } = Route.useParams()
  const { data: detail } = useSuspenseQuery(sessionQuery(id))
  const { data: notes } = useQuery(notesQuery(id))
  const go = useGo(Route)
  const search = Route.useSearch()
  const queryClient = useQueryClient()
  const filter = readSessionsSearch(search.list ?? {})
  const { data: list } = useQuery(sessionsQuery(queryClient, filter))
  const place = list?.items.findIndex((session) => session.id === id) ?? -1
  const isLast = list !== undefined && place >= 0 && place === list.items.length - 1
  useEffect(() => {
    if (isLast) inBackground(loadOlderSessions(queryClient, readSessionsSearch(search.list ?? {})))
  }, [isLast, queryClient, search.list])
  return (
    <SessionScreen
      // Another session is another playback: nothing of the one before is to remain.
      key={id}
      detail={detail}
      search={momentOfLink(search, detail, notes ?? [])}
      onSearch={(search) => go({ search, replace: true })}
      neighbours={{
        next: place < 0 ? undefined : list?.items[place + 1]?.id,
        previous: list?.items[place - 1]?.id,
        onGo: (next) =>
          go({
            to: '/sessions/$id',
            params: { id: next },
            // Tab, filter and chips stay as they are; the moment is the other session's own.
            search: ({ t: _t, at: _at, request: _request, row: _row, ...rest }) => rest,
          }),
      }}
      onRequests={() => go({ to: '/requests', search: { session: id } })}
      onPerson={(person) => go({ to: '/sessions', search: { q: personSearch(person) } })}
    />
  )
}
