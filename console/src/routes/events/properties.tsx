import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { PropertiesScreen } from '../../screens/events/properties-screen.tsx'
import { readPropertiesSearch } from '../../screens/events/search.ts'

export const Route = createFileRoute('/events/properties')({
  validateSearch: readPropertiesSearch,
  component: PropertiesRoute,
})

function PropertiesRoute() {
  const go = useGo(Route)
  return <PropertiesScreen filter={Route.useSearch()} onFilter={(search) => go({ search, replace: true })} />
}
