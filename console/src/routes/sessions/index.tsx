import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { instanceQuery } from '../../lib/queries.ts'
import { loadOlderSessions, type SessionFilter, sessionsQuery } from '../../screens/sessions/queries.ts'
import { SessionsView } from '../../screens/sessions/sessions-view.tsx'

export const Route = createFileRoute('/sessions/')({
  validateSearch: (search): SessionFilter => ({
    ...(search.q === undefined || search.q === '' ? {} : { q: String(search.q) }),
    ...(search.live === true ? { live: true } : {}),
    ...(search.errors === true ? { errors: true } : {}),
  }),
  component: SessionsRoute,
})

function SessionsRoute() {
  const filter = Route.useSearch()
  const navigate = Route.useNavigate()
  const queryClient = useQueryClient()
  const { data: list, error, refetch } = useQuery(sessionsQuery(queryClient, filter))
  const { data: instance } = useQuery(instanceQuery)
  return (
    <Page title="Sessions">
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SessionsView
          list={list}
          filter={filter}
          instance={instance}
          onFilter={(search) => {
            navigate({ search, replace: true }).catch(console.error)
          }}
          onOpen={({ id }) => {
            navigate({ to: '/sessions/$id', params: { id } }).catch(console.error)
          }}
          onEnd={() => {
            // What is there stays; reaching the end again asks again.
            loadOlderSessions(queryClient, filter).catch(console.error)
          }}
        />
      )}
    </Page>
  )
}
