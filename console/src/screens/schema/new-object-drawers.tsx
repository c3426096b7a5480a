import { useState } from 'react'
import type { SchemaChange, SchemaObjects } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { DefaultField, TypeField, useTypes } from '../../schema/column-fields.tsx'
import { NameField, NameFields } from '../../schema/name-fields.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Tick } from '../../ui/tick.tsx'

/** The form of a new enum. */
export function NewEnumDrawer({ onClose }: { readonly onClose: () => void }) {
  const [place, setPlace] = useState({ schema: 'public', name: '' })
  const [text, setText] = useState('')
  const { schema, name } = place
  const labels = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isComplete = schema !== '' && name !== '' && labels.length > 0
  return (
    <ChangeDrawer
      title="New enum"
      action="Create"
      changes={isComplete ? [{ kind: 'create enum', schema, name, labels }] : []}
      onClose={onClose}
    >
      <NameFields {...place} onChange={(change) => setPlace({ ...place, ...change })} />
      <TextArea
        label="Values, one a line, in their order"
        rows={6}
        value={text}
        required
        onChange={({ target }) => setText(target.value)}
      />
    </ChangeDrawer>
  )
}

type NewDomain = Extract<SchemaChange, { readonly kind: 'create domain' }>

const firstDomain: NewDomain = {
  ...{ kind: 'create domain', schema: 'public', name: '', type: 'text', nullable: true, default: null, check: null },
}

/** The form of a new domain: a type with a condition of its own. */
export function NewDomainDrawer({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(firstDomain)
  const set = (change: Partial<NewDomain>) => setDraft({ ...draft, ...change })
  const types = useTypes()
  const isComplete = draft.schema !== '' && draft.name !== '' && draft.type !== ''
  return (
    <ChangeDrawer title="New domain" action="Create" changes={isComplete ? [draft] : []} onClose={onClose}>
      <NameFields name={draft.name} schema={draft.schema} onChange={set}>
        <TypeField value={draft.type} types={types} onChange={(type) => set({ type })} />
        <DefaultField value={draft.default} onChange={(expression) => set({ default: expression })} />
      </NameFields>
      <Field
        label="Values where (a condition)"
        value={draft.check ?? ''}
        placeholder="value > 0"
        autoComplete="off"
        hint="The value is named VALUE in it."
        onChange={({ target }) => set({ check: target.value === '' ? null : target.value })}
      />
      <Tick label="May be null" on={draft.nullable} onToggle={(nullable) => set({ nullable })} />
    </ChangeDrawer>
  )
}

interface NewRoleProps {
  readonly roles: SchemaObjects['roles']
  readonly onClose: () => void
}

/** The form of a new role, which requests become by the `role` of their token. */
export function NewRoleDrawer({ roles, onClose }: NewRoleProps) {
  const [name, setName] = useState('')
  const [memberOf, setMemberOf] = useState<readonly string[]>(['authenticated'])
  const [bypassesRowSecurity, setBypasses] = useState(false)
  const offered = roles.filter((role) => !role.canLogin && !role.superuser && !role.name.startsWith('supabase_'))
  return (
    <ChangeDrawer
      title="New role"
      action="Create"
      changes={name === '' ? [] : [{ kind: 'create role', name, memberOf: [...memberOf], bypassesRowSecurity }]}
      onClose={onClose}
    >
      <NameField
        value={name}
        hint="A request runs as it where its token has it as role. It has no password and logs in nowhere."
        onChange={setName}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium text-ink-2 text-sm">May what these may</legend>
        {offered.map((role) => (
          <Tick
            key={role.name}
            label={role.name}
            on={memberOf.includes(role.name)}
            onToggle={(on) => setMemberOf(on ? [...memberOf, role.name] : memberOf.filter((one) => one !== role.name))}
          />
        ))}
      </fieldset>
      <Tick label="Is above row security" on={bypassesRowSecurity} onToggle={setBypasses} />
    </ChangeDrawer>
  )
}
