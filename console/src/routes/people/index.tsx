import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { PeopleScreen } from '../../screens/people/people-screen.tsx'
import { readPeopleSearch } from '../../screens/people/search.ts'

export const Route = createFileRoute('/people/')({
  validateSearch: readPeopleSearch,
  component: PeopleRoute,
})

function PeopleRoute() {
  const go = useGo(Route)
  return (
    <PeopleScreen
      filter={Route.useSearch()}
      onFilter={(search) => go({ search, replace: true })}
      onOpen={({ id }) => go({ to: '/people/$id', params: { id } })}
    />
  )
}
