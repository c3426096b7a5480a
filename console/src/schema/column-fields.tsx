import { useQuery } from '@tanstack/react-query'
import type { NewColumn } from '../lib/api/schema.ts'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { Tick } from '../ui/tick.tsx'
import { NameField } from './name-fields.tsx'
import { objectsQuery, relationsQuery } from './queries.ts'
import { quotedName } from './quoted-name.ts'
import { SuggestedField } from './suggested-field.tsx'

/** What columns usually are. */
const usualTypes = [
  ...['text', 'bigint', 'integer', 'numeric', 'boolean', 'uuid', 'timestamptz', 'date', 'time', 'interval', 'jsonb'],
  ...['double precision', 'varchar(200)', 'text[]', 'bytea', 'inet', 'tsvector'],
]

/** Expressions that are often a default. */
const usualDefaults = ['now()', 'gen_random_uuid()', 'auth.uid()', "''", '0', 'false', "'{}'", 'current_date']

const actions = ['no action', 'restrict', 'cascade', 'set null', 'set default'] as const

/** A column to begin with. */
export const emptyColumn: NewColumn = {
  ...{ name: '', type: 'text', nullable: true, default: null, identity: null },
  ...{ primaryKey: false, unique: false, comment: null, references: null },
}

/** The types that are offered: PostgreSQL's usual ones, and the enums and domains of the database. */
export function useTypes(): readonly string[] {
  const { data } = useQuery(objectsQuery)
  const own = [...(data?.enums ?? []), ...(data?.domains ?? [])]
  return [...usualTypes, ...own.map(({ schema, name }) => `${quotedName(schema)}.${quotedName(name)}`)]
}

interface TypeFieldProps {
  readonly value: string
  readonly types: readonly string[]
  readonly onChange: (type: string) => void
}

/** A type, typed or chosen. */
export function TypeField({ value, types, onChange }: TypeFieldProps) {
  return (
    <SuggestedField
      label="Type"
      value={value}
      required
      autoComplete="off"
      suggestions={types}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface DefaultFieldProps {
  readonly value: string | null
  readonly disabled?: boolean
  readonly onChange: (expression: string | null) => void
}

/** The expression of a default; null for none. */
export function DefaultField({ value, disabled = false, onChange }: DefaultFieldProps) {
  return (
    <SuggestedField
      label="Default (an expression)"
      value={value ?? ''}
      placeholder="none"
      autoComplete="off"
      suggestions={usualDefaults}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    />
  )
}

interface ColumnFieldsProps {
  readonly column: NewColumn
  readonly onChange: (column: NewColumn) => void
  /** Whether keys, uniqueness and references are asked for: they are constraints of their own on a column that is there. */
  readonly hasConstraints: boolean
}

/** The fields of a column. */
export function ColumnFields({ column, onChange, hasConstraints }: ColumnFieldsProps) {
  const set = (change: Partial<NewColumn>) => onChange({ ...column, ...change })
  const types = useTypes()
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-4 max-narrow:grid-cols-1">
      <NameField value={column.name} onChange={(name) => set({ name })} />
      <TypeField value={column.type} types={types} onChange={(type) => set({ type })} />
      <DefaultField
        value={column.default}
        disabled={column.identity !== null}
        onChange={(expression) => set({ default: expression })}
      />
      <Choice
        label="Numbered by PostgreSQL"
        value={column.identity ?? 'no'}
        options={['no', 'always', 'by default']}
        onChange={(identity) =>
          set(identity === 'no' ? { identity: null } : { identity, default: null, nullable: false })
        }
      />
      <div className="col-span-full flex flex-wrap gap-x-6 gap-y-2">
        <Tick label="May be null" on={column.nullable} onToggle={(nullable) => set({ nullable })} />
        {hasConstraints && (
          <>
            <Tick
              label="Primary key"
              on={column.primaryKey}
              onToggle={(primaryKey) => set({ primaryKey, nullable: primaryKey ? false : column.nullable })}
            />
            <Tick label="Unique" on={column.unique} onToggle={(unique) => set({ unique })} />
          </>
        )}
      </div>
      {hasConstraints && <ReferenceFields value={column.references} onChange={(references) => set({ references })} />}
      <Field
        label="Comment"
        className="col-span-full"
        value={column.comment ?? ''}
        maxLength={4_000}
        autoComplete="off"
        onChange={({ target }) => set({ comment: target.value === '' ? null : target.value })}
      />
    </div>
  )
}

type Reference = NewColumn['references']

interface ReferenceFieldsProps {
  readonly value: Reference
  readonly onChange: (value: Reference) => void
}

/** The table that a column names rows of, by its primary key. */
export function ReferenceFields({ value, onChange }: ReferenceFieldsProps) {
  const { data } = useQuery(relationsQuery)
  const tables = (data?.tables ?? []).filter(({ key }) => key.length === 1)
  const idOf = ({ schema, table }: { readonly schema: string; readonly table: string }) => `${schema}.${table}`
  const options = tables.map(({ schema, name }) => idOf({ schema, table: name }))
  const chosen = value === null ? '' : idOf(value)
  return (
    <>
      <Choice
        label="References"
        value={chosen}
        options={[
          { value: '', label: 'no other table' },
          ...[...new Set([...options, ...(chosen === '' ? [] : [chosen])])].map((option) => ({
            value: option,
            label: option,
          })),
        ]}
        onChange={(id) => {
          const table = tables.find(({ schema, name }) => idOf({ schema, table: name }) === id)
          onChange(
            table === undefined
              ? null
              : {
                  schema: table.schema,
                  table: table.name,
                  columns: [...table.key],
                  onDelete: value?.onDelete ?? 'no action',
                },
          )
        }}
      />
      {value !== null && (
        <Choice
          label={`When the row of ${value.table} is deleted`}
          value={value.onDelete}
          options={actions}
          onChange={(onDelete) => onChange({ ...value, onDelete })}
        />
      )}
    </>
  )
}
