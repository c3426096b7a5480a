import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router'
import { Failure } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { useGo } from '../../lib/go.ts'
import { FunctionScreen } from '../../screens/function/function-screen.tsx'
import { functionQuery } from '../../screens/function/queries.ts'
import { readFunctionSearch } from '../../screens/function/search.ts'

export const Route = createFileRoute('/functions/$name')({
  validateSearch: readFunctionSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(functionQuery(params.name)),
  component: FunctionRoute,
  errorComponent: FunctionFailure,
})

/** With the way to the others, and to the menu of a narrow window. */
function FunctionFailure({ error, reset }: ErrorComponentProps) {
  const { name } = Route.useParams()
  return (
    <Page crumbs={[{ label: 'Functions', link: { to: '/functions' } }]} title={<span className="mono">{name}</span>}>
      <Failure error={error} reset={reset} />
    </Page>
  )
}

function FunctionRoute() {
  const go = useGo(Route)
  const { name } = Route.useParams()
  const { data } = useSuspenseQuery(functionQuery(name))
  return <FunctionScreen info={data} search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
