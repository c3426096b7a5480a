import { Link } from '@tanstack/react-router'
import type { DiagramTable } from '../../lib/api/schema.ts'
import { Empty } from '../../ui/empty.tsx'

/** What the diagram shows, in words: each table with its key and what it references. */
export function DiagramList({ tables, filter }: { readonly tables: readonly DiagramTable[]; readonly filter: string }) {
  const wanted = filter.trim().toLowerCase()
  const shown = tables.filter(({ name }) => name.toLowerCase().includes(wanted))
  if (shown.length === 0) return <Empty title={`No tables match “${filter}”.`} />
  return (
    <ul aria-label="Tables" className="min-h-0 flex-1 overflow-y-auto">
      {shown.map((table) => (
        <li key={table.name} className="grid gap-0.5 border-line border-b px-4 py-2">
          <Link
            to="/schema/$schema/$table"
            params={{ schema: table.schema, table: table.name }}
            className="mono justify-self-start font-medium hover:underline"
          >
            {table.name}
          </Link>
          <p className="text-ink-2">
            {table.columns.length} columns
            {table.columns.some(({ isKey }) => isKey) &&
              `, key ${table.columns
                .filter(({ isKey }) => isKey)
                .map(({ name }) => name)
                .join(', ')}`}
          </p>
          {table.references.map((reference) => (
            <p key={reference.name} className="mono text-ink-2">
              {reference.columns.join(', ')} → {reference.schema === table.schema ? '' : `${reference.schema}.`}
              {reference.table}.{reference.foreignColumns.join(', ')}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}
