import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { ErrorScreen } from '../../screens/error/error-screen.tsx'
import { issueQuery } from '../../screens/error/queries.ts'
import { readErrorSearch } from '../../screens/error/search.ts'

export const Route = createFileRoute('/errors/$id')({
  validateSearch: readErrorSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(issueQuery(params.id)),
  component: ErrorRoute,
})

function ErrorRoute() {
  const { id } = Route.useParams()
  const { data } = useSuspenseQuery(issueQuery(id))
  const go = useGo(Route)
  return (
    <ErrorScreen
      key={id}
      detail={data}
      search={Route.useSearch()}
      onSearch={(search) => go({ search, replace: true })}
    />
  )
}
