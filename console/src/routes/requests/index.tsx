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
  return <RequestsScreen search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
