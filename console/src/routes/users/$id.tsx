import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { userQuery } from '../../screens/user/queries.ts'
import { UserScreen } from '../../screens/user/user-screen.tsx'

export const Route = createFileRoute('/users/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(userQuery(params.id)),
  component: UserRoute,
})

function UserRoute() {
  const { id } = Route.useParams()
  const { data } = useSuspenseQuery(userQuery(id))
  const go = useGo(Route)
  return (
    <UserScreen
      key={id}
      user={data}
      onDeleted={() => go({ to: '/users' })}
      onErase={() => go({ to: '/settings/privacy/erase', search: { kind: 'user', id } })}
    />
  )
}
