import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { errorText } from '../../lib/api/api-error.ts'
import type { OwnedRows } from '../../lib/api/schemas.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ownedQuery } from './queries.ts'

const count = new Intl.NumberFormat('en-GB')
const countedAtMost = 10_000

/** A count, or that there are as many and more. */
export const rowsText = (rows: number): string =>
  `${count.format(rows)}${rows >= countedAtMost ? ' or more' : ''} ${rows === 1 ? 'row' : 'rows'}`

/** The rows that name a user by a foreign key. */
export function OwnedPart({ id }: { readonly id: string }) {
  const { data, error } = useQuery(ownedQuery(id))
  return (
    <section className="grid gap-1">
      <h2 className="font-semibold">Owns</h2>
      {error && !data ? (
        <p role="alert" className="text-danger">
          {errorText(error)}
        </p>
      ) : data === undefined ? (
        <Skeleton className="h-4 w-48" />
      ) : data.tables.length === 0 ? (
        <p className="text-ink-2">No table has a foreign key to auth.users.</p>
      ) : (
        <ul>
          {data.tables.map((owned) => (
            <li
              key={`${owned.schema}.${owned.table}.${owned.column}`}
              className="flex min-h-8 items-center gap-3 border-line border-b py-1"
            >
              <span className="min-w-0 flex-1 truncate">
                <TableName id={id} owned={owned} />
                <span className="mono text-ink-2">.{owned.column}</span>
              </span>
              <span className="tabular">{rowsText(owned.rows)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function TableName({ id, owned: { schema, table, column } }: { readonly id: string; readonly owned: OwnedRows }) {
  // Data shows the tables of the API, which are those of `public` but for a setting.
  if (schema !== 'public')
    return (
      <span className="mono">
        {schema}.{table}
      </span>
    )
  return (
    <Link
      to="/data/$schema/$table"
      params={{ schema, table }}
      search={{ filter: [`${column}.eq.${id}`] }}
      className="quiet-link mono"
    >
      {table}
    </Link>
  )
}
