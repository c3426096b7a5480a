import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Page } from '../../frame/page.tsx'
import { tablesQuery } from '../../lib/api/queries.ts'
import { useGo } from '../../lib/go.ts'
import { TablesView } from '../../screens/tables/tables-view.tsx'

export const Route = createFileRoute('/data/')({
  validateSearch: (search): { q?: string } =>
    search.q === undefined || search.q === '' ? {} : { q: String(search.q) },
  loader: ({ context }) => context.queryClient.ensureQueryData(tablesQuery),
  component: DataRoute,
})

function DataRoute() {
  const { q = '' } = Route.useSearch()
  const go = useGo(Route)
  const { data: tables } = useSuspenseQuery(tablesQuery)
  return (
    <Page title="Data">
      <TablesView
        tables={tables}
        filter={q}
        onFilter={(next) => go({ search: next === '' ? {} : { q: next }, replace: true })}
        onOpen={({ schema, name }) => go({ to: '/data/$schema/$table', params: { schema, table: name } })}
      />
    </Page>
  )
}
