import { useQuery } from '@tanstack/react-query'
import type { NewColumn } from '../lib/api/schema.ts'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { Tick } from '../ui/tick.tsx'
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

/** The types that are offered: PostgreSQL's usual ones and the enums of the database. */
export function useTypes(): readonly string[] {
  const { data } = useQuery(objectsQuery)
  return [...usualTypes, ...(data?.enums ?? []).map(({ schema, name }) => `${quotedName(schema)}.${quotedName(name)}`)]
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
      <Field
        label="Name"
        value={column.name}
        required
        maxLength={63}
        autoComplete="off"
        onChange={({ target }) => set({ name: target.value })}
      />
      <SuggestedField
        label="Type"
        value={column.type}
        required
        autoComplete="off"
        suggestions={types}
        onChange={({ target }) => set({ type: target.value })}
      />
      <SuggestedField
        label="Default (an expression)"
        value={column.default ?? ''}
        placeholder="none"
        autoComplete="off"
        suggestions={usualDefaults}
        disabled={column.identity !== null}
        onChange={({ target }) => set({ default: target.value === '' ? null : target.value })}
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
