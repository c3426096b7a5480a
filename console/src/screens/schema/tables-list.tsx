import { Link } from '@tanstack/react-router'
import type { SchemaRelation } from '../../lib/api/schema.ts'
import { Bytes } from '../../ui/bytes.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Count } from '../../ui/time.tsx'
import { FilteredList, QualifiedName } from './filtered-list.tsx'

interface TablesListProps {
  readonly tables: readonly SchemaRelation[] | undefined
  readonly filter: string
  readonly onOpen: (table: SchemaRelation) => void
}

const number = (value: number) => (value === 0 ? <span className="text-ink-2">–</span> : <Count value={value} />)

const columns: readonly TableColumn<SchemaRelation>[] = [
  {
    id: 'name',
    title: 'Table',
    cell: ({ schema, name, comment }) => (
      <Link
        to="/schema/$schema/$table"
        params={{ schema, table: name }}
        title={comment ?? undefined}
        className="hover:underline"
      >
        <QualifiedName schema={schema} name={name} />
      </Link>
    ),
  },
  {
    id: 'kind',
    title: 'Kind',
    width: 128,
    from: 'wide',
    cell: ({ kind, changeable, owner }) => (
      <span className="text-ink-2" title={`Owner: ${owner}`}>
        {changeable ? kind : `${kind}, a service’s`}
      </span>
    ),
  },
  {
    id: 'security',
    title: 'Row security',
    width: 104,
    from: 'narrow',
    cell: ({ kind, rowSecurity, policies }) => {
      if (!kind.includes('table') || kind === 'foreign table') return <span className="text-ink-2">–</span>
      if (!rowSecurity) return <span className="text-warn">off</span>
      if (policies === 0) return 'no policy'
      return `${policies} ${policies === 1 ? 'policy' : 'policies'}`
    },
  },
  { id: 'columns', title: 'Columns', width: 80, align: 'right', from: 'sheet', cell: (table) => number(table.columns) },
  {
    id: 'keys',
    title: 'References',
    width: 96,
    align: 'right',
    from: 'wide',
    cell: (table) => number(table.foreignKeys),
  },
  { id: 'indexes', title: 'Indexes', width: 80, align: 'right', from: 'wide', cell: (table) => number(table.indexes) },
  {
    id: 'triggers',
    title: 'Triggers',
    width: 80,
    align: 'right',
    from: 'wide',
    cell: (table) => number(table.triggers),
  },
  {
    id: 'rows',
    title: <span title="By PostgreSQL’s statistics">Rows (est.)</span>,
    width: 96,
    align: 'right',
    cell: (table) => number(table.rows),
  },
  {
    id: 'size',
    title: 'Size',
    width: 88,
    align: 'right',
    from: 'narrow',
    cell: ({ sizeBytes }) => (sizeBytes === 0 ? <span className="text-ink-2">–</span> : <Bytes value={sizeBytes} />),
  },
]

/** The tables and views of all schemas. */
export function TablesList({ tables, filter, onOpen }: TablesListProps) {
  return (
    <FilteredList
      label="Tables"
      columns={columns}
      items={tables}
      filter={filter}
      nameOf={({ schema, name }) => `${schema}.${name}`}
      onOpen={onOpen}
      empty={
        <Empty title="No tables yet.">
          <p>New table makes the first one, and a migration with it.</p>
        </Empty>
      }
    />
  )
}
