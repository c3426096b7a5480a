import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SchemaChange, SchemaPolicy, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { objectsQuery } from '../../schema/queries.ts'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Tick } from '../../ui/tick.tsx'
import { type PolicyDraft, templatesFor } from './policy-templates.ts'

interface PolicyDrawerProps {
  readonly table: SchemaTable
  readonly onClose: () => void
}

const emptyPolicy: PolicyDraft = {
  name: '',
  permissive: true,
  command: 'select',
  roles: ['authenticated'],
  using: '',
  check: null,
}

/** The form of a new policy, which begins empty or with what many tables need. */
export function NewPolicyDrawer({ table, onClose }: PolicyDrawerProps) {
  const templates = templatesFor(table)
  const [template, setTemplate] = useState('')
  const [draft, setDraft] = useState(emptyPolicy)
  const change: SchemaChange = {
    kind: 'create policy',
    schema: table.schema,
    table: table.name,
    ...draft,
    roles: [...draft.roles],
    ...clausesOf(draft),
  }
  return (
    <ChangeDrawer
      title={`New policy on ${table.name}`}
      action="Create"
      changes={isComplete(draft) ? [change] : []}
      onClose={onClose}
    >
      <Choice
        label="Begin with"
        value={template}
        options={[
          { value: '', label: 'an empty policy' },
          ...templates.map(({ title }) => ({ value: title, label: title })),
        ]}
        onChange={(title) => {
          setTemplate(title)
          setDraft(templates.find((one) => one.title === title)?.policy ?? emptyPolicy)
        }}
      />
      <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
        <Choice
          label="For"
          value={draft.command}
          options={['all', 'select', 'insert', 'update', 'delete']}
          onChange={(command) => setDraft({ ...draft, command })}
        />
        <Choice
          label="Kind"
          value={draft.permissive ? 'permissive' : 'restrictive'}
          options={[
            { value: 'permissive', label: 'permissive: lets rows pass' },
            { value: 'restrictive', label: 'restrictive: narrows others' },
          ]}
          onChange={(kind) => setDraft({ ...draft, permissive: kind === 'permissive' })}
        />
      </div>
      <PolicyFields draft={draft} onChange={setDraft} />
    </ChangeDrawer>
  )
}

/** The form of a policy that is there; what it is asked about does not change. */
export function ChangePolicyDrawer({ table, policy, onClose }: PolicyDrawerProps & { readonly policy: SchemaPolicy }) {
  const [draft, setDraft] = useState<PolicyDraft>(policy)
  const { name, roles } = draft
  const to = { name, roles: [...roles], ...clausesOf(draft) }
  const before = { name: policy.name, roles: policy.roles, using: policy.using, check: policy.check }
  const isChanged = JSON.stringify(to) !== JSON.stringify(before)
  const change: SchemaChange = {
    kind: 'change policy',
    schema: table.schema,
    table: table.name,
    name: policy.name,
    to,
  }
  return (
    <ChangeDrawer
      title={`Change ${policy.name}`}
      action="Save"
      changes={isChanged && isComplete(draft) ? [change] : []}
      onClose={onClose}
    >
      <PolicyFields draft={draft} onChange={setDraft} />
    </ChangeDrawer>
  )
}

/** What a command asks: of the rows that are there, of those that are written, or of both. */
const asksStored = (command: SchemaPolicy['command']) => command !== 'insert'
const asksWritten = (command: SchemaPolicy['command']) => command !== 'select' && command !== 'delete'

function clausesOf({ command, using, check }: PolicyDraft): Pick<SchemaPolicy, 'using' | 'check'> {
  const said = (text: string | null) => (text === null || text.trim() === '' ? null : text)
  return { using: asksStored(command) ? said(using) : null, check: asksWritten(command) ? said(check) : null }
}

function isComplete(draft: PolicyDraft): boolean {
  const { using, check } = clausesOf(draft)
  return draft.name !== '' && draft.roles.length > 0 && (using !== null || check !== null)
}

interface PolicyFieldsProps {
  readonly draft: PolicyDraft
  readonly onChange: (draft: PolicyDraft) => void
}

function PolicyFields({ draft, onChange }: PolicyFieldsProps) {
  const set = (change: Partial<PolicyDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <Field
        label="Name"
        value={draft.name}
        required
        maxLength={63}
        autoComplete="off"
        onChange={({ target }) => set({ name: target.value })}
      />
      <Roles roles={draft.roles} onChange={(roles) => set({ roles })} />
      {asksStored(draft.command) && (
        <TextArea
          label="Rows where (a condition)"
          rows={3}
          value={draft.using ?? ''}
          onChange={({ target }) => set({ using: target.value })}
        />
      )}
      {asksWritten(draft.command) && (
        <TextArea
          label={
            asksStored(draft.command)
              ? 'Written rows must be (a condition; empty: as above)'
              : 'Written rows must be (a condition)'
          }
          rows={3}
          value={draft.check ?? ''}
          onChange={({ target }) => set({ check: target.value })}
        />
      )}
    </>
  )
}

interface RolesProps {
  readonly roles: readonly string[]
  readonly onChange: (roles: readonly string[]) => void
}

/** The roles that requests run as come first; `public` is every one. */
function Roles({ roles, onChange }: RolesProps) {
  const { data } = useQuery(objectsQuery)
  const known = (data?.roles ?? []).filter(
    ({ canLogin, bypassesRowSecurity, name }) =>
      !canLogin && !bypassesRowSecurity && !/^supabase_|^dashboard_user$/.test(name),
  )
  const offered = [...new Set(['public', 'anon', 'authenticated', ...known.map(({ name }) => name), ...roles])]
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
      <legend className="mb-1 font-medium text-ink-2 text-sm">Roles</legend>
      {offered.map((role) => (
        <Tick
          key={role}
          label={role === 'public' ? 'every role' : role}
          on={roles.includes(role)}
          onToggle={(on) => onChange(on ? [...roles, role] : roles.filter((one) => one !== role))}
        />
      ))}
    </fieldset>
  )
}
