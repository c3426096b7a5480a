import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../../lib/go.ts'
import { GroupScreen } from '../../../screens/group/group-screen.tsx'
import { groupQuery } from '../../../screens/group/queries.ts'
import { readGroupSearch } from '../../../screens/group/search.ts'

export const Route = createFileRoute('/groups/$type/$key')({
  validateSearch: readGroupSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(groupQuery(params)),
  component: GroupRoute,
})

function GroupRoute() {
  const name = Route.useParams()
  const { data } = useSuspenseQuery(groupQuery(name))
  const go = useGo(Route)
  return (
    <GroupScreen
      key={`${name.type} ${name.key}`}
      detail={data}
      search={Route.useSearch()}
      onSearch={(search) => go({ search, replace: true })}
      onSession={({ id }) => go({ to: '/sessions/$id', params: { id } })}
    />
  )
}
