import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { instanceQuery, tablesQuery } from '../../lib/api/queries.ts'
import type { Table } from '../../lib/api/schemas.ts'
import { useGo } from '../../lib/go.ts'
import { inBackground } from '../../lib/in-background.ts'
import { loadOlderSessions, sessionsQuery } from '../../screens/sessions/queries.ts'
import { readSessionsSearch, renderListFilter } from '../../screens/sessions/search.ts'
import { SessionsView } from '../../screens/sessions/sessions-view.tsx'
import { ViewsMenu } from '../../screens/sessions/views/views-menu.tsx'

export const Route = createFileRoute('/sessions/')({ validateSearch: readSessionsSearch, component: SessionsRoute })

const noTables: readonly Table[] = []

function SessionsRoute() {
  // The router keeps what the reading left out.
  const filter = readSessionsSearch(Route.useSearch())
  const go = useGo(Route)
  const queryClient = useQueryClient()
  const { data: list, error, refetch } = useQuery(sessionsQuery(queryClient, filter))
  const { data: instance } = useQuery(instanceQuery)
  const [isFiltering, setFiltering] = useState(false)
  const { data: tables } = useQuery({ ...tablesQuery, enabled: isFiltering })
  return (
    <Page title="Sessions">
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SessionsView
          list={list}
          filter={filter}
          instance={instance}
          tables={tables ?? noTables}
          views={<ViewsMenu filter={filter} onFilter={(search) => go({ search })} />}
          onFilterOpen={() => setFiltering(true)}
          onFilter={(search) => go({ search, replace: true })}
          onOpen={({ id }) => go({ to: '/sessions/$id', params: { id }, search: renderListFilter(filter) })}
          // What is there stays; reaching the end again asks again.
          onEnd={() => inBackground(loadOlderSessions(queryClient, filter))}
        />
      )}
    </Page>
  )
}
