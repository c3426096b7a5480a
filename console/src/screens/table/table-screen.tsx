import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { bucketNamesQuery, instanceQuery } from '../../lib/api/queries.ts'
import type { Table, Values } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { Count } from '../../ui/time.tsx'
import { OpenRow } from './open-row.tsx'
import { rowsQuery } from './queries.ts'
import { readKey } from './row-key.ts'
import type { TableSearch } from './search.ts'
import { TableView } from './table-view.tsx'

interface TableScreenProps {
  readonly table: Table
  readonly search: TableSearch
  readonly onSearch: (search: TableSearch) => void
}

/** A table's rows, sorted and narrowed as the address says; one of them open beside them. */
export function TableScreen({ table, search, onSearch }: TableScreenProps) {
  const { schema, name } = table
  const { sort, filter = [], row, tab = 'values' } = search
  const pages = useInfiniteQuery(rowsQuery(schema, name, { sort, filter }))
  const rows = pages.data?.pages.flatMap((page) => page.rows)
  const first = pages.data?.pages[0]
  const key = readKey(row)
  const buckets = useBuckets()
  const list = renderList(sort, filter)
  const open = (opened: Values) =>
    onSearch({ ...list, row: JSON.stringify(opened), ...(tab === 'history' ? { tab } : {}) })
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
          buckets={buckets}
          onSort={(next) => onSearch(renderList(next, filter))}
          onFilter={(next) => onSearch(renderList(sort, next))}
          onOpen={(opened) => open(opened.key)}
          onEnd={() => {
            if (pages.hasNextPage && !pages.isFetching) inBackground(pages.fetchNextPage())
          }}
        />
      )}
      <OpenRow
        table={table}
        rowKey={key}
        tab={tab}
        buckets={buckets}
        known={rows?.find((one) => JSON.stringify(one.key) === row)?.values}
        onTab={(next) => onSearch({ ...list, ...(row ? { row } : {}), ...(next === 'history' ? { tab: next } : {}) })}
        onClose={() => onSearch(list)}
      />
    </Page>
  )
}

/** The search of the list alone, with no row open. */
function renderList(sort: string | undefined, filter: readonly string[]): TableSearch {
  return { ...(sort ? { sort } : {}), ...(filter.length > 0 ? { filter } : {}) }
}

const none: ReadonlySet<string> = new Set()

/** The buckets of storage, for values that name objects; none where the instance serves no files. */
function useBuckets(): ReadonlySet<string> {
  const { data: instance } = useQuery(instanceQuery)
  const enabled = instance?.services.includes('storage') === true
  const { data } = useQuery({ ...bucketNamesQuery, enabled })
  return data === undefined ? none : new Set(data.names)
}
