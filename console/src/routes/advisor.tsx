import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../lib/go.ts'
import { AdvisorScreen } from '../screens/advisor/advisor-screen.tsx'
import { readAdvisorSearch } from '../screens/advisor/search.ts'

export const Route = createFileRoute('/advisor')({ validateSearch: readAdvisorSearch, component: AdvisorRoute })

function AdvisorRoute() {
  const go = useGo(Route)
  return (
    <AdvisorScreen
      // The router keeps what the reading left out.
      search={readAdvisorSearch(Route.useSearch())}
      onSearch={(search) => go({ search, replace: true })}
    />
  )
}
