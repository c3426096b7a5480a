import { X } from 'lucide-react'
import { useState } from 'react'
import type { NewColumn, SchemaChange } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { ColumnFields, emptyColumn, useTypes } from '../../schema/column-fields.tsx'
import { NameFields } from '../../schema/name-fields.tsx'
import { SuggestedField } from '../../schema/suggested-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Tick } from '../../ui/tick.tsx'

interface NewTableDrawerProps {
  readonly schemas: readonly string[]
  readonly onMade: (table: { readonly schema: string; readonly name: string }) => void
  readonly onClose: () => void
}

interface Draft extends NewColumn {
  /** Tells the rows of the form apart. */
  readonly id: string
}

const draftOf = (column: Partial<NewColumn>): Draft => ({ ...emptyColumn, ...column, id: crypto.randomUUID() })

/** What most tables begin with. */
const firstColumns = (): readonly Draft[] => [
  draftOf({ name: 'id', type: 'bigint', nullable: false, identity: 'always', primaryKey: true }),
  draftOf({ name: 'created_at', type: 'timestamptz', nullable: false, default: 'now()' }),
]

/** The form of a new table with its columns. */
export function NewTableDrawer({ schemas, onMade, onClose }: NewTableDrawerProps) {
  const [place, setPlace] = useState({ schema: 'public', name: '' })
  const { schema, name } = place
  const [comment, setComment] = useState('')
  const [rowSecurity, setRowSecurity] = useState(true)
  const [columns, setColumns] = useState(firstColumns)
  const named = columns.filter((column) => column.name !== '' && column.type !== '')
  const change: SchemaChange = {
    kind: 'create table',
    schema,
    table: name,
    rowSecurity,
    comment: comment === '' ? null : comment,
    columns: named.map(({ id: _, ...column }) => column),
  }
  return (
    <ChangeDrawer
      title="New table"
      action="Create"
      changes={name === '' ? [] : [change]}
      onApplied={() => onMade({ schema, name })}
      onClose={onClose}
    >
      <NameFields {...place} schemas={schemas} onChange={(change) => setPlace({ ...place, ...change })} />
      <Field
        label="Comment"
        value={comment}
        maxLength={4_000}
        autoComplete="off"
        onChange={({ target }) => setComment(target.value)}
      />
      <Tick
        label="Row security"
        hint="On: through the API a row is read and written only where a policy lets it pass."
        on={rowSecurity}
        onToggle={setRowSecurity}
      />
      <Columns columns={columns} onChange={setColumns} />
    </ChangeDrawer>
  )
}

interface ColumnsProps {
  readonly columns: readonly Draft[]
  readonly onChange: (columns: readonly Draft[]) => void
}

function Columns({ columns, onChange }: ColumnsProps) {
  const [openId, setOpenId] = useState<string>()
  const set = (next: Draft) => onChange(columns.map((column) => (column.id === next.id ? next : column)))
  return (
    <section aria-label="Columns" className="grid gap-2">
      <h2 className="font-semibold">Columns</h2>
      {columns.map((column, index) => (
        <fieldset
          key={column.id}
          aria-label={`Column ${index + 1}`}
          className="grid min-w-0 gap-3 rounded-control border border-line p-2"
        >
          {column.id === openId ? (
            <ColumnFields column={column} hasConstraints onChange={(next) => set({ ...next, id: column.id })} />
          ) : (
            <ShortFields column={column} onChange={set} />
          )}
          <div className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate text-ink-2 text-sm">
              {column.id === openId ? '' : factsOf(column)}
            </span>
            <Button size="small" onClick={() => setOpenId(column.id === openId ? undefined : column.id)}>
              {column.id === openId ? 'Less' : 'More'}
            </Button>
            <Button
              size="icon"
              look="bare"
              aria-label={`Remove column ${index + 1}`}
              onClick={() => onChange(columns.filter(({ id }) => id !== column.id))}
            >
              <X aria-hidden="true" className="size-3.5" />
            </Button>
          </div>
        </fieldset>
      ))}
      <Button className="justify-self-start" onClick={() => onChange([...columns, draftOf({})])}>
        Add a column
      </Button>
    </section>
  )
}

function ShortFields({ column, onChange }: { readonly column: Draft; readonly onChange: (column: Draft) => void }) {
  const types = useTypes()
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field
        label="Name"
        value={column.name}
        maxLength={63}
        autoComplete="off"
        onChange={({ target }) => onChange({ ...column, name: target.value })}
      />
      <SuggestedField
        label="Type"
        value={column.type}
        autoComplete="off"
        suggestions={types}
        onChange={({ target }) => onChange({ ...column, type: target.value })}
      />
    </div>
  )
}

/** What else is said of a column, in a line. */
function factsOf({ primaryKey, identity, nullable, unique, default: initial, references }: NewColumn): string {
  const said = [
    primaryKey && 'primary key',
    identity !== null && 'numbered',
    !nullable && !primaryKey && 'not null',
    unique && 'unique',
    initial !== null && `default ${initial}`,
    references !== null && `references ${references.table}`,
  ]
  return said.filter((text) => text !== false).join(', ') || 'may be null'
}
