import { useState } from 'react'
import type { NewColumn, SchemaChange, SchemaConstraint, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { ReferenceFields } from '../../schema/column-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Tick } from '../../ui/tick.tsx'
import { Panel } from './panel.tsx'

interface ConstraintsTabProps {
  readonly table: SchemaTable
  readonly canChange: boolean
}

/** What the rows of a table must keep to. */
export function ConstraintsTab({ table, canChange }: ConstraintsTabProps) {
  const [open, setOpen] = useState<'new' | { readonly drop: string }>()
  const close = () => setOpen(undefined)
  const columns: readonly TableColumn<SchemaConstraint>[] = [
    { id: 'name', title: 'Constraint', width: 232, cell: ({ name }) => <span className="mono">{name}</span> },
    { id: 'kind', title: 'Kind', width: 112, from: 'narrow', cell: ({ kind }) => kind },
    {
      id: 'definition',
      title: 'Definition',
      from: 'sheet',
      cell: ({ definition, validated }) => (
        <span className="mono text-ink-2" title={definition}>
          {definition}
          {!validated && ' (not validated)'}
        </span>
      ),
    },
    {
      id: 'drop',
      title: <span className="sr-only">Actions</span>,
      width: 80,
      align: 'right',
      cell: ({ name }) =>
        canChange && (
          <Button size="small" aria-label={`Drop ${name}`} onClick={() => setOpen({ drop: name })}>
            Drop
          </Button>
        ),
    },
  ]
  return (
    <Panel
      about="A constraint refuses rows that break it, those of the service role too."
      {...(canChange && { action: 'New constraint', onAction: () => setOpen('new') })}
    >
      {table.constraints.length === 0 ? (
        <Empty title="No constraints." />
      ) : (
        <Table label="Constraints" columns={columns} rows={table.constraints} rowKey={({ name }) => name} />
      )}
      {open === 'new' && <NewConstraintDrawer table={table} onClose={close} />}
      {typeof open === 'object' && <DropConstraintDrawer table={table} name={open.drop} onClose={close} />}
    </Panel>
  )
}

const kinds = [
  { value: 'add check', label: 'check: a condition' },
  { value: 'add unique', label: 'unique: no two rows alike' },
  { value: 'add foreign key', label: 'foreign key: names a row of another table' },
  { value: 'add primary key', label: 'primary key' },
] as const

function NewConstraintDrawer({ table, onClose }: { readonly table: SchemaTable; readonly onClose: () => void }) {
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('add check')
  const [expression, setExpression] = useState('')
  const [columns, setColumns] = useState<readonly string[]>([])
  const [references, setReferences] = useState<NewColumn['references']>(null)
  const on = { schema: table.schema, table: table.name }
  const changes = ((): readonly SchemaChange[] => {
    if (kind === 'add check') return expression === '' ? [] : [{ kind, ...on, name: null, expression }]
    if (columns.length === 0) return []
    if (kind !== 'add foreign key') return [{ kind, ...on, columns: [...columns] }]
    return references === null ? [] : [{ kind, ...on, columns: [...columns], references }]
  })()
  return (
    <ChangeDrawer title={`New constraint of ${table.name}`} action="Create" changes={changes} onClose={onClose}>
      <Choice label="Kind" value={kind} options={kinds} onChange={setKind} />
      {kind === 'add check' ? (
        <Field
          label="Condition"
          value={expression}
          placeholder="total >= 0"
          autoComplete="off"
          onChange={({ target }) => setExpression(target.value)}
        />
      ) : (
        <fieldset className="grid grid-cols-2 gap-2 max-narrow:grid-cols-1">
          <legend className="mb-1 font-medium text-ink-2 text-sm">Columns</legend>
          {table.columns.map(({ name }) => (
            <Tick
              key={name}
              label={name}
              on={columns.includes(name)}
              onToggle={(isOn) => setColumns(isOn ? [...columns, name] : columns.filter((one) => one !== name))}
            />
          ))}
        </fieldset>
      )}
      {kind === 'add foreign key' && (
        <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
          <ReferenceFields value={references} onChange={setReferences} />
        </div>
      )}
    </ChangeDrawer>
  )
}

interface DropConstraintProps {
  readonly table: SchemaTable
  readonly name: string
  readonly onClose: () => void
}

function DropConstraintDrawer({ table, name, onClose }: DropConstraintProps) {
  const [cascade, setCascade] = useState(false)
  return (
    <ChangeDrawer
      title={`Drop ${name}`}
      action="Drop"
      changes={[{ kind: 'drop constraint', schema: table.schema, table: table.name, name, cascade }]}
      onClose={onClose}
    >
      <p>Rows that break it are no longer refused.</p>
      <Tick label="Drop foreign keys that depend on it along with it" on={cascade} onToggle={setCascade} />
    </ChangeDrawer>
  )
}
