import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { SchemaColumn, SchemaTable } from '../../lib/api/schema.ts'
import { shortType } from '../../schema/short-type.ts'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { AddColumnDrawer, ColumnDrawer, DropColumnDrawer } from './column-drawers.tsx'
import { Panel } from './panel.tsx'

interface ColumnsTabProps {
  readonly table: SchemaTable
  readonly canChange: boolean
}

/** The columns of a table; one opens with its form. */
export function ColumnsTab({ table, canChange }: ColumnsTabProps) {
  const [open, setOpen] = useState<'add' | { readonly change: string } | { readonly drop: string }>()
  const close = () => setOpen(undefined)
  const name = open === undefined || open === 'add' ? undefined : 'change' in open ? open.change : open.drop
  const column = table.columns.find((one) => one.name === name)
  return (
    <Panel about={aboutOf(table)} {...(canChange && { action: 'Add a column', onAction: () => setOpen('add') })}>
      <Table
        label="Columns"
        columns={columnsOf(table)}
        rows={table.columns}
        rowKey={(one) => one.name}
        {...(canChange && { onOpen: (one: SchemaColumn) => setOpen({ change: one.name }) })}
        openKey={name}
      />
      {open === 'add' && <AddColumnDrawer table={table} onClose={close} />}
      {column && typeof open === 'object' && 'change' in open && (
        <ColumnDrawer
          key={column.name}
          table={table}
          column={column}
          onDrop={() => setOpen({ drop: column.name })}
          onClose={close}
        />
      )}
      {column && typeof open === 'object' && 'drop' in open && (
        <DropColumnDrawer table={table} column={column} onClose={close} />
      )}
    </Panel>
  )
}

/** What names a row, and who names rows of this table. */
function aboutOf({ constraints, referencedBy, view }: SchemaTable): string {
  if (view !== null) return 'Columns of the view’s query'
  const key = constraints.find(({ kind }) => kind === 'primary key')
  const others = [...new Set(referencedBy.map(({ table }) => table))]
  const named = key === undefined ? 'No primary key' : `Primary key ${key.columns.join(', ')}`
  return others.length === 0 ? named : `${named}; referenced by ${others.join(', ')}`
}

function columnsOf({ constraints }: SchemaTable): readonly TableColumn<SchemaColumn>[] {
  const key = constraints.find(({ kind }) => kind === 'primary key')?.columns ?? []
  const isUnique = (name: string) =>
    constraints.some(({ kind, columns }) => kind === 'unique' && columns.length === 1 && columns[0] === name)
  const referenceOf = (name: string) =>
    constraints.find(({ kind, columns }) => kind === 'foreign key' && columns.includes(name))?.references
  return [
    {
      id: 'name',
      title: 'Column',
      width: 200,
      cell: ({ name, comment }) => (
        <span className="mono" title={comment ?? undefined}>
          {name}
          {key.includes(name) && (
            <KeyRound role="img" aria-label="in the primary key" className="ml-1.5 inline size-3 text-ink-2" />
          )}
        </span>
      ),
    },
    {
      id: 'type',
      title: 'Type',
      width: 176,
      cell: ({ type }) => <span className="mono text-ink-2">{shortType(type)}</span>,
    },
    {
      id: 'null',
      title: 'Null',
      width: 88,
      from: 'narrow',
      cell: ({ nullable }) => (nullable ? <span className="text-ink-2">may be</span> : 'not null'),
    },
    {
      id: 'default',
      title: 'Default',
      from: 'sheet',
      cell: (column) => <span className="mono text-ink-2">{initialOf(column)}</span>,
    },
    {
      id: 'reference',
      title: 'References',
      width: 200,
      from: 'sheet',
      cell: ({ name }) => {
        const reference = referenceOf(name)
        if (!reference) return isUnique(name) ? 'unique' : <span className="text-ink-2">–</span>
        return (
          <Link
            to="/schema/$schema/$table"
            params={{ schema: reference.schema, table: reference.table }}
            className="mono hover:underline"
          >
            {reference.table}.{reference.columns.join(', ')}
          </Link>
        )
      },
    },
    {
      id: 'comment',
      title: 'Comment',
      width: 200,
      from: 'wide',
      cell: ({ comment }) => <span className="text-ink-2">{comment ?? '–'}</span>,
    },
  ]
}

/** What a column holds where nothing is said. */
function initialOf({ default: initial, generated, identity }: SchemaColumn): string {
  if (generated !== null) return `computed: ${generated}`
  if (identity !== null) return `numbered ${identity}`
  return initial ?? '–'
}
