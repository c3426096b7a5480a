import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SessionSummary } from '../../lib/api/schemas.ts'
import { useGo } from '../../lib/go.ts'
import { inBackground } from '../../lib/in-background.ts'
import { personSearch } from '../../lib/person.ts'
import { withoutTimeline } from '../../screens/session/moments/grow.ts'
import { notesQuery, recordingStartQuery, sessionOutlineQuery, sessionQuery } from '../../screens/session/queries.ts'
import { bringPlayer } from '../../screens/session/recording/player-script.ts'
import { momentOfLink, readSessionSearch, startOf, waitsForTimeline } from '../../screens/session/search.ts'
import { SessionPending } from '../../screens/session/session-pending.tsx'
import { SessionScreen } from '../../screens/session/session-screen.tsx'
import { loadOlderSessions, type SessionPages, sessionsQuery } from '../../screens/sessions/queries.ts'
import { readSessionsSearch } from '../../screens/sessions/search.ts'

export const Route = createFileRoute('/sessions/$id')({
  validateSearch: readSessionSearch,
  loader: async ({ context: { queryClient }, params: { id }, location, preload }) => {
    const search = readSessionSearch(location.search)
    const listed = listedSession(queryClient, id)
    inBackground(bringPlayer())
    inBackground(queryClient.prefetchQuery(recordingStartQuery(id, startOf(search, listed?.live === true))))
    inBackground(queryClient.prefetchQuery(notesQuery(id)))
    const session = listed ?? (await queryClient.fetchQuery(sessionOutlineQuery(id))).session
    // A session that is only pointed at is not opened: its timeline is not read, and no look at it is kept.
    if (preload || !waitsForTimeline(search, session)) return
    // Without its notes a session is shown all the same.
    await Promise.all([queryClient.ensureQueryData(sessionQuery(id)), queryClient.prefetchQuery(notesQuery(id))])
  },
  pendingComponent: SessionPending,
  // What stands in the screen's place has its shape: the screen may follow at once.
  pendingMinMs: 0,
  component: SessionRoute,
})

/** What the list says of a session, while the rest of it comes. */
const listedSession = (queryClient: QueryClient, id: string): SessionSummary | undefined =>
  queryClient
    .getQueriesData<SessionPages>({ queryKey: ['sessions'] })
    .flatMap(([, list]) => list?.items ?? [])
    .find((session) => session.id === id)

/** What is here stays on the screen when a later look at it fails. */
const isMissing = (_error: Error, { state }: { readonly state: { readonly data: unknown } }): boolean =>
  state.data === undefined

/** The sessions before and after one are looked for in a list that is so old at most, where nothing says that it changed. */
const listKeptMs = 60_000

function SessionRoute() {
  const { id } = Route.useParams()
  const queryClient = useQueryClient()
  const search = Route.useSearch()
  const [drawnId, setDrawnId] = useState<string>()
  const isDrawn = drawnId === id
  const { data: outline } = useQuery({ ...sessionOutlineQuery(id), throwOnError: isMissing })
  const listed = outline?.session ?? listedSession(queryClient, id)
  const { data: timeline } = useQuery({
    ...sessionQuery(id),
    // A timeline takes a while to be read and to be drawn: the picture goes before it.
    enabled: isDrawn || (listed !== undefined && waitsForTimeline(search, listed)),
    throwOnError: isMissing,
  })
  const { data: notes } = useQuery(notesQuery(id))
  const detail = timeline ?? (listed && withoutTimeline(listed))
  const go = useGo(Route)
  const filter = readSessionsSearch(search.list ?? {})
  // The list that it was opened from is here already; to look again takes the server longer than to read a minute.
  const { data: list } = useQuery({ ...sessionsQuery(queryClient, filter), staleTime: listKeptMs, enabled: isDrawn })
  const place = list?.items.findIndex((session) => session.id === id) ?? -1
  const isLast = list !== undefined && place >= 0 && place === list.items.length - 1
  useEffect(() => {
    if (isLast) inBackground(loadOlderSessions(queryClient, readSessionsSearch(search.list ?? {})))
  }, [isLast, queryClient, search.list])
  if (detail === undefined) return <SessionPending />
  return (
    <SessionScreen
      // Another session is another playback: nothing of the one before is to remain.
      key={id}
      detail={detail}
      isComing={timeline === undefined}
      onDrawn={() => setDrawnId(id)}
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
