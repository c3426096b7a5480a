import { useState } from 'react'
import type { SchemaObjects } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Tick } from '../../ui/tick.tsx'

/** The form of a new enum. */
export function NewEnumDrawer({ onClose }: { readonly onClose: () => void }) {
  const [schema, setSchema] = useState('public')
  const [name, setName] = useState('')
  const [text, setText] = useState('')
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
      <div className="grid grid-cols-2 gap-3">
        <Field
          label="Name"
          value={name}
          required
          maxLength={63}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label="Schema"
          value={schema}
          required
          maxLength={63}
          onChange={({ target }) => setSchema(target.value)}
        />
      </div>
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
      <Field
        label="Name"
        value={name}
        required
        maxLength={63}
        autoComplete="off"
        hint="A request runs as it where its token has it as role. It has no password and logs in nowhere."
        onChange={({ target }) => setName(target.value)}
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
