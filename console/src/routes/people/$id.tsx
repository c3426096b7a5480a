import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { PersonScreen } from '../../screens/person/person-screen.tsx'
import { personQuery } from '../../screens/person/queries.ts'
import { readPersonSearch } from '../../screens/person/search.ts'

export const Route = createFileRoute('/people/$id')({
  validateSearch: readPersonSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(personQuery(params.id)),
  component: PersonRoute,
})

function PersonRoute() {
  const { id } = Route.useParams()
  const { data } = useSuspenseQuery(personQuery(id))
  const go = useGo(Route)
  return (
    <PersonScreen
      key={id}
      detail={data}
      search={Route.useSearch()}
      onSearch={(search) => go({ search, replace: true })}
    />
  )
}
