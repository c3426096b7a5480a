import { Link } from '@tanstack/react-router'
import type { Table as DataTable } from '../../lib/api/schemas.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter } from '../../ui/field.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'

interface TablesProps {
  readonly tables: readonly DataTable[]
  readonly filter: string
  readonly onFilter: (filter: string) => void
  readonly onOpen: (table: DataTable) => void
}

const columns: readonly TableColumn<DataTable>[] = [
  {
    id: 'name',
    title: 'Table',
    cell: ({ schema, name }) => (
      <Link to="/data/$schema/$table" params={{ schema, table: name }} className="mono hover:underline">
        <span className="text-ink-2">{schema}.</span>
        {name}
      </Link>
    ),
  },
  {
    id: 'kind',
    title: 'Kind',
    width: 120,
    from: 'sheet',
    cell: ({ kind }) => <span className="text-ink-2">{kind.replaceAll('_', ' ')}</span>,
  },
  {
    id: 'key',
    title: 'Key',
    width: 160,
    from: 'sheet',
    cell: ({ key }) => <span className="mono text-ink-2">{key.join(', ') || '–'}</span>,
  },
  { id: 'columns', title: 'Columns', width: 88, align: 'right', from: 'narrow', cell: ({ columns }) => columns.length },
  {
    id: 'rows',
    title: <span title="Estimated from PostgreSQL’s statistics">Rows (est.)</span>,
    width: 104,
    align: 'right',
    cell: ({ estimatedRows }) =>
      estimatedRows > 0 ? (
        estimatedRows.toLocaleString('en-GB')
      ) : (
        <span title="Empty, or not counted yet" className="text-ink-3">
          –
        </span>
      ),
  },
  {
    id: 'history',
    title: 'History',
    width: 88,
    from: 'narrow',
    cell: ({ history }) =>
      history ? (
        <span title="Every change of a row is kept, with the session that made it">kept</span>
      ) : (
        <span className="text-ink-3">–</span>
      ),
  },
]

/** The application's tables, each leading to its rows. */
export function TablesView({ tables, filter, onFilter, onOpen }: TablesProps) {
  const wanted = filter.trim().toLowerCase()
  const shown = tables.filter(({ schema, name }) => `${schema}.${name}`.toLowerCase().includes(wanted))
  if (tables.length === 0) return <NoTables />
  return (
    <>
      <div className="flex h-10 shrink-0 items-center border-line border-b px-4">
        <Filter label="Filter the tables" value={filter} onChange={onFilter} />
      </div>
      {shown.length === 0 ? (
        <Empty title={`No tables match “${filter}”.`} />
      ) : (
        <Table
          label="Tables"
          columns={columns}
          rows={shown}
          rowKey={({ schema, name }) => `${schema}.${name}`}
          onOpen={onOpen}
        />
      )}
    </>
  )
}

const firstTable = `create table notes (
  id bigint generated always as identity primary key,
  owner uuid references auth.users default auth.uid(),
  body text not null
);
alter table notes enable row level security;
create policy "own notes" on notes for all using (owner = auth.uid());`

function NoTables() {
  return (
    <Empty title="No tables yet.">
      <p>
        Tables of the exposed schemas appear here. Add a migration to <span className="mono">supabase/migrations</span>{' '}
        of your project and start Clew with <span className="mono">--project</span>.
      </p>
      <Code text={firstTable} language="sql" copyLabel="Copy a first table" />
    </Empty>
  )
}
