import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { tablesQuery } from '../../../lib/api/queries.ts'
import { useGo } from '../../../lib/go.ts'
import { readTableSearch } from '../../../screens/table/search.ts'
import { TableScreen } from '../../../screens/table/table-screen.tsx'

export const Route = createFileRoute('/data/$schema/$table')({
  validateSearch: readTableSearch,
  loader: async ({ context, params }) => {
    const tables = await context.queryClient.ensureQueryData(tablesQuery)
    if (!tables.some(({ schema, name }) => schema === params.schema && name === params.table)) throw notFound()
  },
  component: TableRoute,
})

function TableRoute() {
  const { schema, table: name } = Route.useParams()
  const search = Route.useSearch()
  const go = useGo(Route)
  const { data: tables } = useSuspenseQuery(tablesQuery)
  const table = tables.find((one) => one.schema === schema && one.name === name)
  if (!table) return null
  // What is staged, picked and laid out is of one table.
  return (
    <TableScreen
      key={JSON.stringify([schema, name])}
      table={table}
      search={search}
      onSearch={(next) => go({ search: next, replace: true })}
    />
  )
}
