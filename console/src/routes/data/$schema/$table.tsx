import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { ErrorProblem } from '../../../frame/failure.tsx'
import { Page } from '../../../frame/page.tsx'
import { tablesQuery } from '../../../lib/queries.ts'
import type { Values } from '../../../lib/schemas.ts'
import { historyQuery, rowQuery, rowsQuery } from '../../../screens/table/queries.ts'
import { RowDrawer, type RowTab } from '../../../screens/table/row-drawer.tsx'
import { readKey } from '../../../screens/table/row-key.ts'
import { TableView } from '../../../screens/table/table-view.tsx'
import { Count } from '../../../ui/time.tsx'

interface TableSearch {
  /** `column.asc` or `column.desc`. */
  readonly sort?: string
  /** Each `column.operator.value`. */
  readonly filter?: readonly string[]
  /** The open row's key, as JSON. */
  readonly row?: string
  readonly tab?: RowTab
}

export const Route = createFileRoute('/data/$schema/$table')({
  validateSearch: (search): TableSearch => {
    const filter = Array.isArray(search.filter)
      ? search.filter.map(String)
      : search.filter
        ? [String(search.filter)]
        : []
    return {
      ...(typeof search.sort === 'string' ? { sort: search.sort } : {}),
      ...(filter.length > 0 ? { filter } : {}),
      ...(search.row === undefined
        ? {}
        : { row: typeof search.row === 'string' ? search.row : JSON.stringify(search.row) }),
      ...(search.tab === 'history' ? { tab: 'history' } : {}),
    }
  },
  loader: async ({ context, params }) => {
    const tables = await context.queryClient.ensureQueryData(tablesQuery)
    if (!tables.some(({ schema, name }) => schema === params.schema && name === params.table)) throw notFound()
  },
  component: TableRoute,
})

function TableRoute() {
  const { schema, table: name } = Route.useParams()
  const { sort, filter = [], row, tab = 'values' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: tables } = useSuspenseQuery(tablesQuery)
  const table = tables.find((one) => one.schema === schema && one.name === name)
  const pages = useInfiniteQuery(rowsQuery(schema, name, { sort, filter }))
  const rows = pages.data?.pages.flatMap((page) => page.rows)
  const first = pages.data?.pages[0]
  const key = readKey(row)
  const go = (search: TableSearch) => {
    navigate({ search, replace: true }).catch(console.error)
  }
  const list: TableSearch = { ...(sort ? { sort } : {}), ...(filter.length > 0 ? { filter } : {}) }
  if (!table) return null
  return (
    <Page
      crumbs={[{ label: 'Data', link: { to: '/data' } }]}
      title={
        <span className="mono text-base">
          <span className="font-normal text-ink-2">{schema}.</span>
          {name}
        </span>
      }
      facts={
        first && (
          <span title={first.totalIsEstimate ? 'Estimated from PostgreSQL’s statistics' : undefined}>
            {first.totalIsEstimate && 'about '}
            <Count value={first.total} /> {first.total === 1 ? 'row' : 'rows'}
          </span>
        )
      }
    >
      {pages.error && !rows ? (
        <ErrorProblem error={pages.error} onRetry={pages.refetch} />
      ) : (
        <TableView
          table={table}
          rows={rows}
          sort={sort}
          filter={filter}
          openKey={key}
          onSort={(next) => go({ ...(next ? { sort: next } : {}), ...(filter.length > 0 ? { filter } : {}) })}
          onFilter={(next) => go({ ...(sort ? { sort } : {}), ...(next.length > 0 ? { filter: next } : {}) })}
          onOpen={(opened) => go({ ...list, row: JSON.stringify(opened.key), ...(tab === 'history' ? { tab } : {}) })}
          onEnd={() => {
            if (pages.hasNextPage && !pages.isFetching) pages.fetchNextPage().catch(console.error)
          }}
        />
      )}
      <OpenRow
        table={table}
        rowKey={key}
        tab={tab}
        known={rows?.find((one) => JSON.stringify(one.key) === row)?.values}
        onTab={(next) => go({ ...list, ...(row ? { row } : {}), ...(next === 'history' ? { tab: next } : {}) })}
        onClose={() => go(list)}
      />
    </Page>
  )
}

interface OpenRowProps {
  readonly table: Parameters<typeof RowDrawer>[0]['table']
  readonly rowKey: Values | undefined
  readonly tab: RowTab
  readonly known: Values | undefined
  readonly onTab: (tab: RowTab) => void
  readonly onClose: () => void
}

/** The open row: its values from the grid, or asked for when a link led straight to it. */
function OpenRow({ table, rowKey, tab, known, onTab, onClose }: OpenRowProps) {
  const row = useQuery({ ...rowQuery(table.schema, table.name, rowKey ?? {}), enabled: rowKey !== undefined })
  const history = useQuery({
    ...historyQuery(table.schema, table.name, rowKey ?? {}),
    enabled: rowKey !== undefined && table.history,
  })
  return (
    <RowDrawer
      table={table}
      rowKey={rowKey}
      values={row.data === undefined ? known : (row.data ?? undefined)}
      isGone={row.data === null}
      history={history.data}
      problem={
        history.error && !history.data ? <ErrorProblem error={history.error} onRetry={history.refetch} /> : undefined
      }
      tab={tab}
      onTab={onTab}
      onClose={onClose}
    />
  )
}
