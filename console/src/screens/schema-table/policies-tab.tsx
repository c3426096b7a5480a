import { useState } from 'react'
import type { SchemaPolicy, SchemaTable } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DropDrawer } from './drop-drawer.tsx'
import { ChangePolicyDrawer, NewPolicyDrawer } from './policy-drawers.tsx'

interface PoliciesTabProps {
  readonly table: SchemaTable
  readonly canChange: boolean
  /** Whether row security may be switched: by the table's owner alone. */
  readonly mayToggle: boolean
}

type Open = 'new' | 'toggle' | { readonly change: SchemaPolicy } | { readonly drop: SchemaPolicy }

const commands = ['all', 'select', 'insert', 'update', 'delete'] as const
const titles = {
  ...{ all: 'Reading and writing', select: 'Reading', insert: 'Inserting' },
  ...{ update: 'Updating', delete: 'Deleting' },
}

/** Row security of a table, and its policies by what they are asked about. */
export function PoliciesTab({ table, canChange, mayToggle }: PoliciesTabProps) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const { schema, name, rowSecurity } = table
  const on = { schema, table: name }
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5 overflow-y-auto p-4">
      <section aria-label="Row security" className="flex flex-wrap items-start gap-3 border-line border-b pb-4">
        <div className="grid min-w-0 flex-1 gap-1 max-narrow:basis-full">
          <h2 className="font-semibold">
            Row security is {rowSecurity ? 'on' : <span className="text-warn">off</span>}
          </h2>
          <p className="max-w-[720px] text-ink-2">{meaningOf(table)}</p>
        </div>
        {mayToggle && <Button onClick={() => setOpen('toggle')}>{rowSecurity ? 'Turn off' : 'Turn on'}</Button>}
        {canChange && (
          <Button look="primary" onClick={() => setOpen('new')}>
            New policy
          </Button>
        )}
      </section>
      {commands.map((command) => {
        const policies = table.policies.filter((policy) => policy.command === command)
        if (policies.length === 0) return null
        return (
          <section key={command} aria-label={titles[command]} className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <h2 className="font-semibold">{titles[command]}</h2>
            {policies.map((policy) => (
              <PolicyCard
                key={policy.name}
                policy={policy}
                canChange={canChange}
                onChange={() => setOpen({ change: policy })}
                onDrop={() => setOpen({ drop: policy })}
              />
            ))}
          </section>
        )
      })}
      {open === 'new' && <NewPolicyDrawer table={table} onClose={close} />}
      {open === 'toggle' && (
        <ChangeDrawer
          title={rowSecurity ? 'Turn row security off' : 'Turn row security on'}
          action={rowSecurity ? 'Turn off' : 'Turn on'}
          confirm={rowSecurity ? name : undefined}
          changes={[{ kind: 'row security', ...on, enabled: !rowSecurity }]}
          onClose={close}
        />
      )}
      {typeof open === 'object' && 'change' in open && (
        <ChangePolicyDrawer key={open.change.name} table={table} policy={open.change} onClose={close} />
      )}
      {typeof open === 'object' && 'drop' in open && (
        <DropDrawer
          name={open.drop.name}
          change={{ kind: 'drop policy', ...on, name: open.drop.name }}
          about={
            open.drop.permissive
              ? 'Rows that no other policy lets pass are no longer seen.'
              : 'What it narrowed is no longer narrowed.'
          }
          onClose={close}
        />
      )}
    </div>
  )
}

/** What row security means for this table as it is. */
function meaningOf({ rowSecurity, rowSecurityForced, policies }: SchemaTable): string {
  if (!rowSecurity)
    return policies.length === 0
      ? 'Grants alone decide: every key of the API reads and writes every row that they allow.'
      : 'Its policies are kept and not asked: grants alone decide who reads and writes every row.'
  const bypass = rowSecurityForced ? 'The service role sees all rows.' : 'The service role and the owner see all rows.'
  return policies.length === 0
    ? `No policy lets a row pass, so that none is seen. ${bypass}`
    : `A row is read or written where one of the policies lets it pass and no restrictive one keeps it. ${bypass}`
}

interface PolicyCardProps {
  readonly policy: SchemaPolicy
  readonly canChange: boolean
  readonly onChange: () => void
  readonly onDrop: () => void
}

function PolicyCard({ policy, canChange, onChange, onDrop }: PolicyCardProps) {
  const { name, permissive, roles, using, check } = policy
  return (
    <article
      aria-label={name}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-control border border-line bg-surface p-3"
    >
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 truncate font-medium">{name}</h3>
        {!permissive && <Badge tone="warn">restrictive</Badge>}
        <span className="text-ink-2">
          for <span className="mono">{roles.join(', ')}</span>
        </span>
        {canChange && (
          <span className="ml-auto inline-flex gap-1">
            <Button size="small" aria-label={`Change ${name}`} onClick={onChange}>
              Change
            </Button>
            <Button size="small" aria-label={`Drop ${name}`} onClick={onDrop}>
              Drop
            </Button>
          </span>
        )}
      </header>
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-y-1">
        {using !== null && <Clause name="Rows where" text={using} />}
        {check !== null && <Clause name="Written as" text={check} />}
      </dl>
    </article>
  )
}

function Clause({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="mono wrap-anywhere">{text}</dd>
    </>
  )
}
