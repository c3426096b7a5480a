import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readUsersSearch } from '../../screens/users/search.ts'
import { UsersScreen } from '../../screens/users/users-screen.tsx'

export const Route = createFileRoute('/users/')({
  validateSearch: readUsersSearch,
  component: UsersRoute,
})

function UsersRoute() {
  const go = useGo(Route)
  return (
    <UsersScreen
      filter={Route.useSearch()}
      onFilter={(search) => go({ search, replace: true })}
      onOpen={(id) => go({ to: '/users/$id', params: { id } })}
    />
  )
}
