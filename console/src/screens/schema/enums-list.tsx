import { useState } from 'react'
import type { SchemaChange, SchemaObjects } from '../../lib/api/schema.ts'
import { useRights } from '../../lib/rights.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { DropCascadeDrawer } from '../../schema/drop-cascade-drawer.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { type ListProps, OpeningList, QualifiedName } from './filtered-list.tsx'

type Enum = SchemaObjects['enums'][number]

const keyOf = ({ schema, name }: Enum) => `${schema}.${name}`

const columns: readonly TableColumn<Enum>[] = [
  { id: 'name', title: 'Enum', width: 240, cell: (one) => <QualifiedName schema={one.schema} name={one.name} /> },
  { id: 'labels', title: 'Values', cell: ({ labels }) => <span className="mono text-ink-2">{labels.join(', ')}</span> },
  {
    id: 'columns',
    title: 'Used by',
    width: 200,
    from: 'sheet',
    cell: ({ columns: used }) => <span className="mono text-ink-2">{used.join(', ') || '–'}</span>,
  },
]

interface EnumsListProps extends ListProps {
  readonly enums: readonly Enum[] | undefined
}

/** The enums of all schemas; one opens with its values. */
export function EnumsList({ enums, ...list }: EnumsListProps) {
  return (
    <OpeningList
      {...list}
      label="Enums"
      columns={columns}
      items={enums}
      nameOf={keyOf}
      empty={
        <Empty title="No enums yet.">
          <p>An enum is a type with a fixed list of values: the states of an order, for one.</p>
        </Empty>
      }
      drawerOf={(opened, onClose) => <EnumDrawer opened={opened} onClose={onClose} />}
    />
  )
}

function EnumDrawer({ opened, onClose }: { readonly opened: Enum; readonly onClose: () => void }) {
  const { canChange } = useRights()
  const [mode, setMode] = useState<'read' | 'add' | 'drop' | { readonly rename: string }>('read')
  const back = () => setMode('read')
  const { schema, name, labels } = opened
  if (mode === 'add') return <AddLabel opened={opened} onClose={back} />
  if (mode === 'drop')
    return (
      <DropCascadeDrawer
        name={name}
        dependents="Drop the columns that have it along with it"
        changeOf={(cascade) => ({ kind: 'drop enum', schema, name, cascade })}
        onApplied={onClose}
        onClose={back}
      />
    )
  if (mode !== 'read') return <RenameLabel opened={opened} label={mode.rename} onClose={back} />
  const mayChange = canChange && opened.changeable
  return (
    <Drawer open onClose={onClose} title={`${schema}.${name}`}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <ol aria-label="Values" className="grid">
          {labels.map((label) => (
            <li key={label} className="flex h-8 items-center gap-2 border-line border-b">
              <span className="mono min-w-0 flex-1 truncate">{label}</span>
              {mayChange && (
                <Button size="small" aria-label={`Rename ${label}`} onClick={() => setMode({ rename: label })}>
                  Rename
                </Button>
              )}
            </li>
          ))}
        </ol>
        <p className="text-ink-2">
          {opened.columns.length === 0 ? 'No column has it.' : `Used by ${opened.columns.join(', ')}.`} PostgreSQL adds
          and renames values of an enum, and takes none away.
        </p>
        {mayChange && (
          <div className="flex gap-2">
            <Button onClick={() => setMode('add')}>Add a value</Button>
            <Button look="danger" onClick={() => setMode('drop')}>
              Drop
            </Button>
          </div>
        )}
      </div>
    </Drawer>
  )
}

interface EnumChangeProps {
  readonly opened: Enum
  readonly onClose: () => void
}

function AddLabel({ opened: { schema, name, labels }, onClose }: EnumChangeProps) {
  const [label, setLabel] = useState('')
  const [before, setBefore] = useState('')
  const change: SchemaChange = { kind: 'add label', schema, name, label, before: before === '' ? null : before }
  return (
    <ChangeDrawer
      title={`Add a value to ${name}`}
      action="Add"
      changes={label === '' ? [] : [change]}
      onClose={onClose}
    >
      <Field
        label="Value"
        value={label}
        required
        maxLength={63}
        autoComplete="off"
        onChange={({ target }) => setLabel(target.value)}
      />
      <Choice
        label="Before"
        value={before}
        options={[{ value: '', label: 'at the end' }, ...labels.map((value) => ({ value, label: value }))]}
        onChange={setBefore}
      />
    </ChangeDrawer>
  )
}

function RenameLabel({ opened: { schema, name }, label, onClose }: EnumChangeProps & { readonly label: string }) {
  const [to, setTo] = useState(label)
  const change: SchemaChange = { kind: 'rename label', schema, name, label, to }
  return (
    <ChangeDrawer
      title={`Rename ${label}`}
      action="Rename"
      changes={to === '' || to === label ? [] : [change]}
      onClose={onClose}
    >
      <Field
        label="Value"
        value={to}
        required
        maxLength={63}
        autoComplete="off"
        hint="Rows that have it show the new one; code that names it does not."
        onChange={({ target }) => setTo(target.value)}
      />
    </ChangeDrawer>
  )
}
