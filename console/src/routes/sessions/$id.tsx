import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { personSearch } from '../../lib/person.ts'
import { sessionQuery } from '../../screens/session/queries.ts'
import { momentOfLink, readSessionSearch } from '../../screens/session/search.ts'
import { SessionPending } from '../../screens/session/session-pending.tsx'
import { SessionScreen } from '../../screens/session/session-screen.tsx'

export const Route = createFileRoute('/sessions/$id')({
  validateSearch: readSessionSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(sessionQuery(params.id)),
  pendingComponent: SessionPending,
  component: SessionRoute,
})

function SessionRoute() {
  const { id } = Route.useParams()
  const { data: detail } = useSuspenseQuery(sessionQuery(id))
  const go = useGo(Route)
  return (
    <SessionScreen
      // Another session is another playback: nothing of the one before is to remain.
      key={id}
      detail={detail}
      search={momentOfLink(Route.useSearch(), detail.session.startedAt)}
      onSearch={(search) => go({ search, replace: true })}
      onRequests={() => go({ to: '/requests', search: { session: id } })}
      onPerson={(person) => go({ to: '/sessions', search: { q: personSearch(person) } })}
    />
  )
}
