import { useState } from 'react'
import type { SchemaChange } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { NameFields } from '../../schema/name-fields.tsx'
import { SqlField } from '../../schema/sql-field.tsx'
import { SuggestedField } from '../../schema/suggested-field.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { Tick } from '../../ui/tick.tsx'

type NewFunction = Extract<SchemaChange, { readonly kind: 'create function' }>

const first: NewFunction = {
  kind: 'create function',
  schema: 'public',
  name: '',
  arguments: '',
  returns: 'trigger',
  language: 'plpgsql',
  volatility: 'volatile',
  securityDefiner: false,
  body: 'begin\n  return new;\nend',
}

const usualReturns = ['trigger', 'void', 'text', 'bigint', 'boolean', 'jsonb', 'uuid']

/** The form of a new function. */
export function NewFunctionDrawer({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(first)
  const set = (change: Partial<NewFunction>) => setDraft({ ...draft, ...change })
  const isComplete = draft.name !== '' && draft.schema !== '' && draft.returns !== '' && draft.body.trim() !== ''
  return (
    <ChangeDrawer title="New function" action="Create" changes={isComplete ? [draft] : []} onClose={onClose}>
      <NameFields name={draft.name} schema={draft.schema} onChange={set}>
        <Field
          label="Arguments"
          value={draft.arguments}
          placeholder="order_id bigint, note text default null"
          autoComplete="off"
          onChange={({ target }) => set({ arguments: target.value })}
        />
        <SuggestedField
          label="Returns"
          value={draft.returns}
          required
          autoComplete="off"
          suggestions={usualReturns}
          onChange={({ target }) => set({ returns: target.value })}
        />
        <Choice
          label="Language"
          value={draft.language}
          options={['plpgsql', 'sql']}
          onChange={(language) => set({ language })}
        />
        <Choice
          label="What it returns"
          value={draft.volatility}
          options={[
            { value: 'volatile', label: 'may differ from call to call' },
            { value: 'stable', label: 'is constant in a statement' },
            { value: 'immutable', label: 'follows from the arguments' },
          ]}
          onChange={(volatility) => set({ volatility })}
        />
      </NameFields>
      <Tick
        label="Runs with its owner’s rights"
        hint="Row security of its caller does not hold inside it."
        on={draft.securityDefiner}
        onToggle={(securityDefiner) => set({ securityDefiner })}
      />
      <SqlField label="Body" text={draft.body} onChange={(body) => set({ body })} />
    </ChangeDrawer>
  )
}
