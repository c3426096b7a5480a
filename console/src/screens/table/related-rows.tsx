import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { Related, Table, Values } from '../../lib/api/schemas.ts'
import { Value } from '../../thread/change-lines.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count } from '../../ui/time.tsx'
import { relatedQuery } from './queries.ts'

interface RelatedRowsProps {
  readonly table: Table
  readonly rowKey: Values
  readonly values: Values
}

/** The rows that name a row by their foreign keys, and those that it names; each a link to them. */
export function RelatedRows({ table, rowKey, values }: RelatedRowsProps) {
  const { data, error, refetch } = useQuery(relatedQuery(table.schema, table.name, rowKey))
  if (error) return <ErrorProblem error={error} onRetry={refetch} />
  if (!data) return <SkeletonRows rows={4} />
  const { referencing, referenced } = data
  if (referencing.length + referenced.length === 0)
    return (
      <p className="p-4 text-ink-2">
        No foreign key ties <span className="mono">{table.name}</span> to another table.
      </p>
    )
  return (
    <div className="grid gap-5 p-4">
      {referencing.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-semibold">Rows that refer to it</h3>
          <ul>
            {referencing.map((one) => (
              <li key={`${one.schema}.${one.table} ${one.constraint}`} className="border-line border-b last:border-0">
                <Referencing related={one} values={values} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {referenced.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-semibold">Rows that it refers to</h3>
          <ul>
            {referenced.map((one) => (
              <li key={one.constraint} className="border-line border-b last:border-0">
                <Referenced related={one} values={values} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const line = 'flex min-h-9 items-center gap-3'
const link = 'mono min-w-0 truncate quiet-link'

function Referencing({
  related,
  values,
}: {
  readonly related: Related['referencing'][number]
  readonly values: Values
}) {
  const { schema, table, columns, foreignColumns, rows } = related
  const filter = columns.map((column, index) => `${column}.eq.${values[foreignColumns[index] ?? ''] ?? ''}`)
  return (
    <div className={line}>
      <Link to="/data/$schema/$table" params={{ schema, table }} search={{ filter }} className={link}>
        {table}
      </Link>
      <span className="mono min-w-0 flex-1 truncate text-ink-2">by {columns.join(', ')}</span>
      <span className="tabular shrink-0">
        {rows > 10_000 ? 'more than 10,000' : <Count value={rows} />} {rows === 1 ? 'row' : 'rows'}
      </span>
    </div>
  )
}

function Referenced({ related, values }: { readonly related: Related['referenced'][number]; readonly values: Values }) {
  const { schema, table, columns, foreignColumns } = related
  const named = columns.map((column) => values[column])
  const key = Object.fromEntries(foreignColumns.map((column, index) => [column, named[index] ?? null]))
  return (
    <div className={line}>
      {named.every((value) => typeof value === 'string') ? (
        <Link
          to="/data/$schema/$table"
          params={{ schema, table }}
          search={{ row: JSON.stringify(key) }}
          className={link}
        >
          {table} #{named.join(', ')}
        </Link>
      ) : (
        <span className="mono min-w-0 truncate text-ink-2">
          {table} <Value value={null} />
        </span>
      )}
      <span className="mono min-w-0 flex-1 truncate text-ink-2">by {columns.join(', ')}</span>
    </div>
  )
}
