import { useState } from 'react'
import type { SchemaChange, SchemaTable } from '../lib/api/schema.ts'
import { Tick } from '../ui/tick.tsx'
import { ChangeDrawer } from './change-drawer.tsx'
import { NameFields } from './name-fields.tsx'
import { SqlField } from './sql-field.tsx'

type NewView = Extract<SchemaChange, { readonly kind: 'create view' }>

const firstView: NewView = {
  ...{
    kind: 'create view',
    schema: 'public',
    name: '',
    query: 'select *\nfrom ',
    securityInvoker: true,
    replace: false,
  },
}

interface NewViewDrawerProps {
  readonly schemas: readonly string[]
  readonly onMade: (view: { readonly schema: string; readonly name: string }) => void
  readonly onClose: () => void
}

/** The form of a new view. */
export function NewViewDrawer({ schemas, onMade, onClose }: NewViewDrawerProps) {
  const [draft, setDraft] = useState(firstView)
  const [stored, setStored] = useState(false)
  const set = (change: Partial<NewView>) => setDraft({ ...draft, ...change })
  const { schema, name, query } = draft
  const change: SchemaChange = stored ? { kind: 'create materialized view', schema, name, query } : draft
  return (
    <ChangeDrawer
      title="New view"
      action="Create"
      changes={name === '' || query.trim() === firstView.query.trim() ? [] : [change]}
      onApplied={() => onMade({ schema, name })}
      onClose={onClose}
    >
      <NameFields name={name} schema={schema} schemas={schemas} onChange={set} />
      <SqlField label="Query" text={query} onChange={(text) => set({ query: text })} />
      <Tick
        label="Keeps its rows (materialized)"
        hint="Read fast, and as of the last refresh materialized view."
        on={stored}
        onToggle={setStored}
      />
      {!stored && <Invoker on={draft.securityInvoker} onToggle={(securityInvoker) => set({ securityInvoker })} />}
    </ChangeDrawer>
  )
}

interface EditViewProps {
  readonly view: SchemaTable
  readonly onClose: () => void
}

/** The form of a view that is there: PostgreSQL lets columns be added behind those that it has. */
export function EditView({ view, onClose }: EditViewProps) {
  const { schema, name } = view
  const stored = view.view ?? ''
  const [query, setQuery] = useState(stored)
  const [securityInvoker, setInvoker] = useState(view.securityInvoker)
  const isChanged = query.trim() !== '' && (query !== stored || securityInvoker !== view.securityInvoker)
  return (
    <ChangeDrawer
      title={`Edit ${name}`}
      action="Save"
      changes={isChanged ? [{ kind: 'create view', schema, name, query, securityInvoker, replace: true }] : []}
      onClose={onClose}
    >
      <SqlField label="Query" text={query} onChange={setQuery} />
      <Invoker on={securityInvoker} onToggle={setInvoker} />
    </ChangeDrawer>
  )
}

function Invoker({ on, onToggle }: { readonly on: boolean; readonly onToggle: (on: boolean) => void }) {
  return (
    <Tick
      label="Row security of its tables holds for who reads it"
      hint="security_invoker: without it a view reads as its owner, past row security."
      on={on}
      onToggle={onToggle}
    />
  )
}
