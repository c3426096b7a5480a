import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { GroupsScreen } from '../../screens/groups/groups-screen.tsx'
import { readGroupsSearch } from '../../screens/groups/search.ts'

export const Route = createFileRoute('/groups/')({
  validateSearch: readGroupsSearch,
  component: GroupsRoute,
})

function GroupsRoute() {
  const go = useGo(Route)
  return (
    <GroupsScreen
      filter={Route.useSearch()}
      onFilter={(search) => go({ search, replace: true })}
      onOpen={(type, { key }) => go({ to: '/groups/$type/$key', params: { type, key } })}
    />
  )
}
