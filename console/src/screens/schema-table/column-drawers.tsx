import { useState } from 'react'
import type { NewColumn, SchemaChange, SchemaColumn, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { ColumnFields, emptyColumn, ReferenceFields } from '../../schema/column-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Tick } from '../../ui/tick.tsx'

interface ColumnDrawerProps {
  readonly table: SchemaTable
  readonly column: SchemaColumn
  readonly onDrop: () => void
  readonly onClose: () => void
}

/** The form of a new column. */
export function AddColumnDrawer({ table, onClose }: Pick<ColumnDrawerProps, 'table' | 'onClose'>) {
  const [column, setColumn] = useState(emptyColumn)
  const isComplete = column.name !== '' && column.type !== ''
  return (
    <ChangeDrawer
      title={`Add a column to ${table.name}`}
      action="Add"
      changes={isComplete ? [{ kind: 'add column', schema: table.schema, table: table.name, column }] : []}
      onClose={onClose}
    >
      <ColumnFields column={column} hasConstraints onChange={setColumn} />
    </ChangeDrawer>
  )
}

/** The form of a column that is there. */
export function ColumnDrawer({ table, column, onDrop, onClose }: ColumnDrawerProps) {
  const [draft, setDraft] = useState(() => draftOf(column))
  const [using, setUsing] = useState('')
  const [references, setReferences] = useState<NewColumn['references']>(null)
  const on = { schema: table.schema, table: table.name }
  const hasReference = table.constraints.some(
    ({ kind, columns }) => kind === 'foreign key' && columns.includes(column.name),
  )
  const name = draft.name === '' ? column.name : draft.name
  const reference: readonly SchemaChange[] =
    references === null ? [] : [{ kind: 'add foreign key', ...on, columns: [name], references }]
  return (
    <ChangeDrawer
      title={`Change ${column.name}`}
      action="Save"
      changes={[...changesOf(on, column, draft, using), ...reference]}
      onClose={onClose}
    >
      {column.generated !== null && (
        <p className="text-ink-2">
          Computed by PostgreSQL: <span className="mono">{column.generated}</span>
        </p>
      )}
      <ColumnFields column={draft} hasConstraints={false} onChange={setDraft} />
      {draft.type !== column.type && (
        <Field
          label="How stored values become the new type (an expression)"
          value={using}
          placeholder={`${column.name}::${draft.type}`}
          autoComplete="off"
          hint="Needed where PostgreSQL does not convert them by itself."
          onChange={({ target }) => setUsing(target.value)}
        />
      )}
      {!hasReference && (
        <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
          <ReferenceFields value={references} onChange={setReferences} />
        </div>
      )}
      <Button look="danger" className="justify-self-start" onClick={onDrop}>
        Drop the column
      </Button>
    </ChangeDrawer>
  )
}

const draftOf = ({ name, type, nullable, default: initial, identity, comment }: SchemaColumn): NewColumn => ({
  ...emptyColumn,
  ...{ name, type, nullable, default: initial, identity, comment },
})

/** What a form says otherwise than the column is. */
function changesOf(
  on: { readonly schema: string; readonly table: string },
  column: SchemaColumn,
  draft: NewColumn,
  using: string,
): readonly SchemaChange[] {
  const to = {
    ...(draft.name !== '' && draft.name !== column.name && { name: draft.name }),
    ...(draft.type !== '' && draft.type !== column.type && { type: draft.type, ...(using !== '' && { using }) }),
    ...(draft.nullable !== column.nullable && { nullable: draft.nullable }),
    ...(draft.default !== column.default && { default: draft.default }),
    ...(draft.identity !== column.identity && { identity: draft.identity }),
    ...(draft.comment !== column.comment && { comment: draft.comment }),
  }
  return Object.keys(to).length === 0
    ? []
    : [{ kind: 'change column', ...on, column: column.name, numbered: column.identity !== null, to }]
}

/** Asks before a column is dropped. */
export function DropColumnDrawer({ table, column, onClose }: Pick<ColumnDrawerProps, 'table' | 'column' | 'onClose'>) {
  const [cascade, setCascade] = useState(false)
  const on = { schema: table.schema, table: table.name }
  return (
    <ChangeDrawer
      title={`Drop ${column.name}`}
      action="Drop"
      confirm={column.name}
      changes={[{ kind: 'drop column', ...on, column: column.name, cascade }]}
      onClose={onClose}
    >
      <Tick label="Drop what depends on it along with it" on={cascade} onToggle={setCascade} />
    </ChangeDrawer>
  )
}
