import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { SchemaScreen } from '../../screens/schema/schema-screen.tsx'
import { readSchemaSearch } from '../../screens/schema/search.ts'

export const Route = createFileRoute('/schema/')({ validateSearch: readSchemaSearch, component: SchemaRoute })

function SchemaRoute() {
  const go = useGo(Route)
  const search = Route.useSearch()
  return (
    <SchemaScreen
      search={search}
      onSearch={(next) => go({ search: next, replace: true })}
      onOpenTable={({ schema, name }) => go({ to: '/schema/$schema/$table', params: { schema, table: name } })}
    />
  )
}
