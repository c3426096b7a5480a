import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { useGo } from '../../lib/go.ts'
import { slowStatementsQuery } from '../../screens/requests/slow/queries.ts'
import { readSlowSearch } from '../../screens/requests/slow/search.ts'
import { SlowView } from '../../screens/requests/slow/slow-view.tsx'

export const Route = createFileRoute('/requests/slow')({ validateSearch: readSlowSearch, component: SlowRoute })

function SlowRoute() {
  // The router keeps what the reading left out.
  const search = readSlowSearch(Route.useSearch())
  const go = useGo(Route)
  const { data: found, error, refetch } = useQuery(slowStatementsQuery(search))
  return (
    <Page crumbs={[{ label: 'Requests', link: { to: '/requests' } }]} title="Slow statements">
      {error && !found ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SlowView found={found} search={search} onSearch={(next) => go({ search: next, replace: true })} />
      )}
    </Page>
  )
}
