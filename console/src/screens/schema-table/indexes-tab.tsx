import { useState } from 'react'
import type { SchemaIndex, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count } from '../../ui/time.tsx'
import { DropDrawer } from './drop-drawer.tsx'
import { IndexBuilds } from './index-builds.tsx'
import { NewIndexDrawer } from './new-index-drawer.tsx'
import { Panel } from './panel.tsx'

interface IndexesTabProps {
  readonly table: SchemaTable
  readonly canChange: boolean
}

type Open = 'new' | { readonly drop: string } | { readonly rebuild: SchemaIndex }

const columnsOf = (canChange: boolean, setOpen: (open: Open) => void): readonly TableColumn<SchemaIndex>[] => [
  { id: 'name', title: 'Index', width: 232, cell: ({ name }) => <span className="mono">{name}</span> },
  {
    id: 'definition',
    title: 'On',
    from: 'sheet',
    cell: ({ definition, unique, method }) => (
      <span className="mono text-ink-2" title={definition}>
        {unique && 'unique '}
        {method} {definition.slice(definition.indexOf('(', definition.indexOf(' USING ')))}
      </span>
    ),
  },
  {
    id: 'scans',
    title: <span title="How often it was read since the statistics were reset">Reads</span>,
    width: 80,
    align: 'right',
    cell: ({ scans }) => <Count value={scans} />,
  },
  {
    id: 'size',
    title: 'Size',
    width: 88,
    align: 'right',
    from: 'narrow',
    cell: ({ sizeBytes }) => <Bytes value={sizeBytes} />,
  },
  {
    id: 'state',
    title: <span className="sr-only">Actions</span>,
    width: 200,
    align: 'right',
    cell: (index) => {
      const { name, valid, constraint } = index
      if (constraint !== null)
        return (
          <span className="text-ink-2" title={`Of the constraint ${constraint}`}>
            of a constraint
          </span>
        )
      return (
        <span className="inline-flex items-center gap-1">
          {!valid && (
            <span className="mr-1 text-danger" title="No query reads it, and every write keeps it up">
              invalid
            </span>
          )}
          {canChange && !valid && (
            <Button size="small" aria-label={`Rebuild ${name}`} onClick={() => setOpen({ rebuild: index })}>
              Rebuild
            </Button>
          )}
          {canChange && (
            <Button size="small" aria-label={`Drop ${name}`} onClick={() => setOpen({ drop: name })}>
              Drop
            </Button>
          )}
        </span>
      )
    },
  },
]

/** The indexes of a table, with how often each is read. */
export function IndexesTab({ table, canChange }: IndexesTabProps) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const columns = columnsOf(canChange, setOpen)
  return (
    <Panel
      about="An index finds rows by their values, and is kept up by every write."
      {...(canChange && { action: 'New index', onAction: () => setOpen('new') })}
    >
      {table.indexes.some(({ valid }) => !valid) && (
        <div className="grid gap-2 border-line border-b p-4 empty:hidden">
          <IndexBuilds schema={table.schema} table={table.name} />
        </div>
      )}
      {table.indexes.length === 0 ? (
        <Empty title="No indexes." />
      ) : (
        <Table label="Indexes" columns={columns} rows={table.indexes} rowKey={({ name }) => name} />
      )}
      {open === 'new' && <NewIndexDrawer table={table} onClose={close} />}
      {typeof open === 'object' && 'rebuild' in open && (
        <ChangeDrawer
          title={`Rebuild ${open.rebuild.name}`}
          action="Rebuild"
          changes={[
            {
              ...{ kind: 'rebuild index', schema: table.schema, table: table.name },
              ...{ name: open.rebuild.name, definition: open.rebuild.definition },
            },
          ]}
          onClose={close}
        >
          <p>
            What an interrupted build has left goes, and the index is built anew while the table is read and written.
          </p>
          <IndexBuilds schema={table.schema} table={table.name} />
        </ChangeDrawer>
      )}
      {typeof open === 'object' && 'drop' in open && (
        <DropDrawer
          name={open.drop}
          change={{ kind: 'drop index', schema: table.schema, name: open.drop }}
          about="Queries that it serves read the whole table again."
          onClose={close}
        />
      )}
    </Panel>
  )
}
