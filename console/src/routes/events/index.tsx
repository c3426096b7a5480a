import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { EventsScreen } from '../../screens/events/events-screen.tsx'
import { readEventsSearch } from '../../screens/events/search.ts'

export const Route = createFileRoute('/events/')({
  validateSearch: readEventsSearch,
  component: EventsRoute,
})

function EventsRoute() {
  const go = useGo(Route)
  return <EventsScreen search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
