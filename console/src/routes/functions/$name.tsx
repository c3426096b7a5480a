import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { FunctionScreen } from '../../screens/function/function-screen.tsx'
import { functionQuery } from '../../screens/function/queries.ts'
import { readFunctionSearch } from '../../screens/function/search.ts'

export const Route = createFileRoute('/functions/$name')({
  validateSearch: readFunctionSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(functionQuery(params.name)),
  component: FunctionRoute,
})

function FunctionRoute() {
  const go = useGo(Route)
  const { name } = Route.useParams()
  const { data } = useSuspenseQuery(functionQuery(name))
  return <FunctionScreen info={data} search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
