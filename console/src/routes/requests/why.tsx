import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readWhySearch } from '../../screens/why/search.ts'
import { WhyScreen } from '../../screens/why/why-screen.tsx'

export const Route = createFileRoute('/requests/why')({
  validateSearch: readWhySearch,
  component: WhyRoute,
})

function WhyRoute() {
  const go = useGo(Route)
  return <WhyScreen search={Route.useSearch()} onAsk={(search) => go({ search })} />
}
