import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../../lib/go.ts'
import { SchemaTableScreen } from '../../../screens/schema-table/schema-table-screen.tsx'
import { readTableTab } from '../../../screens/schema-table/search.ts'

export const Route = createFileRoute('/schema/$schema/$table')({
  validateSearch: readTableTab,
  component: SchemaTableRoute,
})

function SchemaTableRoute() {
  const go = useGo(Route)
  const { schema, table } = Route.useParams()
  const search = Route.useSearch()
  return (
    <SchemaTableScreen
      key={`${schema}.${table}`}
      schema={schema}
      name={table}
      search={search}
      onSearch={(next) => go({ search: next, replace: true })}
      onRenamed={(name) => go({ to: '/schema/$schema/$table', params: { schema, table: name }, replace: true })}
      onDropped={() => go({ to: '/schema' })}
    />
  )
}
