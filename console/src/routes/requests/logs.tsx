import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { useGo } from '../../lib/go.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { LogsView } from '../../screens/requests/logs/logs-view.tsx'
import { serverLogServicesQuery, serverLogsQuery } from '../../screens/requests/logs/queries.ts'
import { readServerLogsSearch } from '../../screens/requests/logs/search.ts'
import { Empty } from '../../ui/empty.tsx'

export const Route = createFileRoute('/requests/logs')({
  validateSearch: readServerLogsSearch,
  component: ServerLogsRoute,
})

function ServerLogsRoute() {
  // The router keeps what the reading left out.
  const search = readServerLogsSearch(Route.useSearch())
  const go = useGo(Route)
  const { canChange } = useRights()
  const { live, ...filter } = search
  const { query, loadMore } = serverLogsQuery(useQueryClient(), filter, live !== 'off')
  const { data: list, error, refetch } = useQuery({ ...query, enabled: canChange })
  const { data: services = [] } = useQuery({ ...serverLogServicesQuery, enabled: canChange })
  return (
    <Page crumbs={[{ label: 'Requests', link: { to: '/requests' } }]} title="Server logs">
      {!canChange ? (
        <Empty title="Logs of servers are for owners and developers.">
          <p>They may hold the application's data.</p>
        </Empty>
      ) : error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <LogsView
          list={list}
          services={services}
          search={search}
          onSearch={(next) => go({ search: next, replace: true })}
          onMore={() => inBackground(loadMore())}
        />
      )}
    </Page>
  )
}
