import type { WhyLook } from '../lib/api/schemas.ts'
import { Badge } from '../ui/badge.tsx'
import { PolicyView } from './policy-view.tsx'
import { RowsTable } from './rows-table.tsx'

interface LookViewProps {
  readonly look: WhyLook
  /** The caller's. */
  readonly role: string
}

const parts = { target: null, embed: 'embedded', behind: 'read by it' }
const verbs = { select: 'read', insert: 'insert', update: 'update', delete: 'delete' }

/** One table of the request: its rows, which of them pass, and each policy's clauses. */
export function LookView({ look, role }: LookViewProps) {
  const { schema, name, part, rowSecurity, isAbove, gates, rows } = look
  return (
    <section
      aria-label={`${schema}.${name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t pt-4"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="mono font-semibold">
          {schema}.{name}
        </h2>
        {parts[part] !== null && <Badge>{parts[part]}</Badge>}
        <p className="text-ink-2">{countsOf(look, role)}</p>
      </header>
      {!rowSecurity && <p className="text-ink-2">Row security is off: rights on the table alone decide.</p>}
      {rowSecurity && isAbove && <p className="text-ink-2">{role} is above row security: no policy is asked.</p>}
      {gates.length > 0 && rows.length > 0 && <RowsTable look={look} />}
      {gates.map((gate) => (
        <section key={`${gate.command} ${gate.asks}`} className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h3 className="font-medium text-ink-2">
            Policies to {verbs[gate.command]}
            {gate.asks === 'written' && ' rows as they would be written'}
          </h3>
          {gate.policies.length === 0 && <p className="text-ink-2">There is none: no row passes.</p>}
          {gate.policies.map((policy) => (
            <PolicyView key={policy.name} policy={policy} role={role} />
          ))}
        </section>
      ))}
    </section>
  )
}

const most = 10_000
const shown = (count: number): string => (count > most ? `more than ${most.toLocaleString()}` : count.toLocaleString())

/** `3 rows, 2 fit the filters, 1 is visible to anon` */
function countsOf({ existing, matching, visible, command }: WhyLook, role: string): string {
  const said = [
    existing === null ? null : `${shown(existing)} ${existing === 1 ? 'row' : 'rows'}`,
    matching === null || matching === existing
      ? null
      : `${shown(matching)} ${matching === 1 ? 'fits' : 'fit'} the filters`,
    visible === null || command === 'insert'
      ? null
      : `${shown(visible)} ${visible === 1 ? 'is' : 'are'} visible to ${role}`,
  ]
  return said.filter((one) => one !== null).join(', ')
}
