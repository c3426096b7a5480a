import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SchemaChange, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { objectsQuery } from '../../schema/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Panel } from './panel.tsx'

interface GrantsTabProps {
  readonly table: SchemaTable
  readonly canChange: boolean
}

type Privilege = Extract<SchemaChange, { readonly kind: 'grant table' }>['privileges'][number]
/** The privileges of each role. */
type Grants = Readonly<Record<string, readonly string[]>>

const privileges: readonly Privilege[] = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
/** The roles that requests run as. */
const ofRequests = ['anon', 'authenticated', 'service_role']

/** Who may what on a table, before row security: a matrix whose changes are made together. */
export function GrantsTab({ table, canChange }: GrantsTabProps) {
  const [draft, setDraft] = useState<Grants>({})
  const [isOpen, setOpen] = useState(false)
  const stored: Grants = Object.fromEntries(
    table.grants.filter(({ isOwner }) => !isOwner).map((grant) => [grant.role, grant.privileges]),
  )
  const roles = [...new Set([...ofRequests, ...Object.keys(stored), ...Object.keys(draft)])]
  const of = (role: string): readonly string[] => draft[role] ?? stored[role] ?? []
  const toggle = (role: string, privilege: Privilege, on: boolean): void =>
    setDraft({ ...draft, [role]: on ? [...of(role), privilege] : of(role).filter((one) => one !== privilege) })
  const changes = changesOf(table, stored, draft)
  const close = () => setOpen(false)
  return (
    <Panel
      about={
        <>
          What requests may ask for;{' '}
          {table.rowSecurity ? 'policies decide on which rows.' : 'every row, without policies.'} The owner,{' '}
          {table.owner}, may all.
        </>
      }
      {...(canChange && changes.length > 0 && { action: 'Review the changes', onAction: () => setOpen(true) })}
    >
      <div className="min-h-0 flex-1 overflow-auto">
        <table aria-label="Grants" className="w-full">
          <thead className="sticky top-0 bg-surface text-ink-2 text-sm">
            <tr className="h-8 border-line border-b">
              <th className="sticky left-0 bg-surface px-4 text-left font-normal">Role</th>
              {privileges.map((privilege) => (
                <th key={privilege} className="px-3 text-left font-normal">
                  {privilege}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((role) => (
              <tr key={role} className="h-9 border-line border-b">
                <th scope="row" className="mono sticky left-0 bg-surface px-4 text-left font-normal">
                  {role}
                  {role === 'public' && <span className="text-ink-2"> (every role)</span>}
                </th>
                {privileges.map((privilege) => (
                  <td key={privilege} className="px-3">
                    <input
                      type="checkbox"
                      aria-label={`${role} may ${privilege}`}
                      checked={of(role).includes(privilege)}
                      disabled={!canChange}
                      onChange={({ target }) => toggle(role, privilege, target.checked)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {canChange && (
          <AnotherRole
            shown={roles}
            onAdd={(role) => setDraft({ ...draft, [role]: [] })}
            {...(changes.length > 0 && { onReset: () => setDraft({}) })}
          />
        )}
      </div>
      {isOpen && (
        <ChangeDrawer
          title={`Grants on ${table.name}`}
          action="Change"
          changes={changes}
          onApplied={() => setDraft({})}
          onClose={close}
        />
      )}
    </Panel>
  )
}

/** What the draft gives and takes, beside what is stored. */
function changesOf(table: SchemaTable, stored: Grants, draft: Grants): readonly SchemaChange[] {
  const on = { schema: table.schema, table: table.name }
  return Object.entries(draft).flatMap(([role, wanted]) => {
    const has = stored[role] ?? []
    const given = privileges.filter((one) => wanted.includes(one) && !has.includes(one))
    const taken = privileges.filter((one) => !wanted.includes(one) && has.includes(one))
    const change = (list: readonly Privilege[], granted: boolean): readonly SchemaChange[] =>
      list.length === 0 ? [] : [{ kind: 'grant table', ...on, role, privileges: [...list], granted }]
    return [...change(given, true), ...change(taken, false)]
  })
}

interface AnotherRoleProps {
  readonly shown: readonly string[]
  readonly onAdd: (role: string) => void
  readonly onReset?: () => void
}

/** Brings a role into the matrix that has no grant yet. */
function AnotherRole({ shown, onAdd, onReset }: AnotherRoleProps) {
  const { data } = useQuery(objectsQuery)
  const others = (data?.roles ?? []).filter(
    ({ name, superuser }) => !superuser && !shown.includes(name) && !name.startsWith('supabase_'),
  )
  return (
    <div className="flex flex-wrap items-end gap-3 p-4">
      <Choice
        label="Another role"
        className="w-56"
        value=""
        options={[
          { value: '', label: 'choose one' },
          ...['public', ...others.map(({ name }) => name)].filter((role) => !shown.includes(role)),
        ]}
        onChange={(role) => role !== '' && onAdd(role)}
      />
      {onReset && <Button onClick={onReset}>Undo the changes</Button>}
    </div>
  )
}
