import { useState } from 'react'
import type { SchemaChange, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { quotedName } from '../../schema/quoted-name.ts'
import { SuggestedField } from '../../schema/suggested-field.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { Tick } from '../../ui/tick.tsx'
import { IndexBuilds } from './index-builds.tsx'

const methods = [
  { value: 'btree', label: 'btree: equal, less, sorted' },
  { value: 'gin', label: 'gin: in arrays, JSON and texts' },
  { value: 'gist', label: 'gist: ranges, places' },
  { value: 'brin', label: 'brin: large tables in order' },
  { value: 'hash', label: 'hash: equal' },
  { value: 'hnsw', label: 'hnsw: near vectors' },
] as const

/** The form of a new index. */
export function NewIndexDrawer({ table, onClose }: { readonly table: SchemaTable; readonly onClose: () => void }) {
  const [columns, setColumns] = useState<readonly string[]>([])
  const [expression, setExpression] = useState('')
  const [method, setMethod] = useState<(typeof methods)[number]['value']>('btree')
  const [unique, setUnique] = useState(false)
  const [where, setWhere] = useState('')
  const [name, setName] = useState('')
  const [concurrently, setConcurrently] = useState(table.rows > 0)
  const parts = [...columns.map(quotedName), ...(expression === '' ? [] : [expression])]
  const change: SchemaChange = {
    ...{ kind: 'create index', schema: table.schema, table: table.name, method, unique, concurrently, parts },
    ...{ name: name === '' ? null : name, where: where === '' ? null : where },
  }
  const toggle = (column: string, on: boolean) =>
    setColumns(on ? [...columns, column] : columns.filter((one) => one !== column))
  return (
    <ChangeDrawer
      title={`New index on ${table.name}`}
      action="Create"
      changes={parts.length === 0 ? [] : [change]}
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
