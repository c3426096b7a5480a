import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { SqlScreen } from '../../screens/sql/sql-screen.tsx'

export const Route = createFileRoute('/sql/')({
  validateSearch: (search): { readonly query?: string } => readText(search, 'query'),
  component: SqlRoute,
})

function SqlRoute() {
  const go = useGo(Route)
  const { query } = Route.useSearch()
  return <SqlScreen queryId={query} onQuery={(id) => go({ search: id === undefined ? {} : { query: id } })} />
}
