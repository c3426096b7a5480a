import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { RequestsScreen } from '../../screens/requests/requests-screen.tsx'
import { readRequestsSearch } from '../../screens/requests/search.ts'

export const Route = createFileRoute('/requests/')({
  validateSearch: readRequestsSearch,
  component: RequestsRoute,
})

function RequestsRoute() {
  const go = useGo(Route)
  return (
    <RequestsScreen
      // The router keeps what the reading left out.
      search={readRequestsSearch(Route.useSearch())}
      onSearch={(search, how = 'replace') => go({ search, replace: how === 'replace' })}
    />
  )
}
