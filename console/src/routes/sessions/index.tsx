import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { instanceQuery } from '../../lib/api/queries.ts'
import { useGo } from '../../lib/go.ts'
import { inBackground } from '../../lib/in-background.ts'
import { loadOlderSessions, sessionsQuery } from '../../screens/sessions/queries.ts'
import { readSessionsSearch, renderListFilter } from '../../screens/sessions/search.ts'
import { SessionsView } from '../../screens/sessions/sessions-view.tsx'

export const Route = createFileRoute('/sessions/')({ validateSearch: readSessionsSearch, component: SessionsRoute })

function SessionsRoute() {
  const filter = Route.useSearch()
  const go = useGo(Route)
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
          onFilter={(search) => go({ search, replace: true })}
          onOpen={({ id }) => go({ to: '/sessions/$id', params: { id }, search: renderListFilter(filter) })}
          // What is there stays; reaching the end again asks again.
          onEnd={() => inBackground(loadOlderSessions(queryClient, filter))}
        />
      )}
    </Page>
  )
}
