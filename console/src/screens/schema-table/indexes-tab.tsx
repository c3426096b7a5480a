import { useState } from 'react'
import type { SchemaIndex, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { quotedName } from '../../schema/quoted-name.ts'
import { SuggestedField } from '../../schema/suggested-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Tick } from '../../ui/tick.tsx'
import { Count } from '../../ui/time.tsx'
import { DropDrawer } from './drop-drawer.tsx'
import { IndexBuilds } from './index-builds.tsx'
import { Panel } from './panel.tsx'

interface IndexesTabProps {
  readonly table: SchemaTable
  readonly canChange: boolean
}

/** The indexes of a table, with how often each is read. */
export function IndexesTab({ table, canChange }: IndexesTabProps) {
  const [open, setOpen] = useState<'new' | { readonly drop: string } | { readonly rebuild: SchemaIndex }>()
  const close = () => setOpen(undefined)
  const columns: readonly TableColumn<SchemaIndex>[] = [
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

const methods = [
  { value: 'btree', label: 'btree: equal, less, sorted' },
  { value: 'gin', label: 'gin: in arrays, JSON and texts' },
  { value: 'gist', label: 'gist: ranges, places' },
  { value: 'brin', label: 'brin: large tables in order' },
  { value: 'hash', label: 'hash: equal' },
  { value: 'hnsw', label: 'hnsw: near vectors' },
] as const

function NewIndexDrawer({ table, onClose }: { readonly table: SchemaTable; readonly onClose: () => void }) {
  const [columns, setColumns] = useState<readonly string[]>([])
  const [expression, setExpression] = useState('')
  const [method, setMethod] = useState<(typeof methods)[number]['value']>('btree')
  const [unique, setUnique] = useState(false)
  const [where, setWhere] = useState('')
  const [name, setName] = useState('')
  const [concurrently, setConcurrently] = useState(table.rows > 0)
  const parts = [...columns.map(quotedName), ...(expression === '' ? [] : [expression])]
  const toggle = (column: string, on: boolean) =>
    setColumns(on ? [...columns, column] : columns.filter((one) => one !== column))
  return (
    <ChangeDrawer
      title={`New index on ${table.name}`}
      action="Create"
      changes={
        parts.length === 0
          ? []
          : [
              {
                kind: 'create index',
                schema: table.schema,
                table: table.name,
                method,
                unique,
                concurrently,
                parts,
                name: name === '' ? null : name,
                where: where === '' ? null : where,
              },
            ]
      }
      onClose={onClose}
    >
      <fieldset className="grid grid-cols-2 gap-2 max-narrow:grid-cols-1">
        <legend className="mb-1 font-medium text-ink-2 text-sm">Columns, in the order in which they are chosen</legend>
        {table.columns.map((column) => (
          <Tick
            key={column.name}
            label={column.name}
            on={columns.includes(column.name)}
            onToggle={(on) => toggle(column.name, on)}
          />
        ))}
      </fieldset>
      <SuggestedField
        label="Or an expression"
        value={expression}
        placeholder="lower(email)"
        autoComplete="off"
        suggestions={table.columns.map((column) => `lower(${quotedName(column.name)})`)}
        onChange={({ target }) => setExpression(target.value)}
      />
      <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
        <Choice label="Method" value={method} options={methods} onChange={setMethod} />
        <Field
          label="Name"
          value={name}
          placeholder="by PostgreSQL"
          maxLength={63}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Field
        label="Only rows where (a condition)"
        value={where}
        placeholder="all rows"
        autoComplete="off"
        onChange={({ target }) => setWhere(target.value)}
      />
      <Tick label="Unique" on={unique} onToggle={setUnique} />
      <Tick
        label="Build it while the table is written"
        hint="Concurrently: slower, and no request waits for it."
        on={concurrently}
        onToggle={setConcurrently}
      />
      <IndexBuilds schema={table.schema} table={table.name} />
    </ChangeDrawer>
  )
}
