import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../lib/go.ts'
import { readVitalsSearch } from '../screens/web-vitals/search.ts'
import { WebVitalsScreen } from '../screens/web-vitals/web-vitals-screen.tsx'

export const Route = createFileRoute('/web-vitals')({
  validateSearch: readVitalsSearch,
  component: WebVitalsRoute,
})

function WebVitalsRoute() {
  const go = useGo(Route)
  return (
    <WebVitalsScreen
      search={Route.useSearch()}
      onSearch={(search) => go({ search: readVitalsSearch({ ...search }), replace: true })}
    />
  )
}
