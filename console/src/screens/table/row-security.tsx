import type { Table } from '../../lib/api/schemas.ts'

const commands = ['select', 'insert', 'update', 'delete'] as const

/** Whether policies decide who sees the table's rows, and how many are asked for each command. */
export function RowSecurity({
  table: { kind, rowSecurity, policies, policiesOf, exposed },
}: {
  readonly table: Table
}) {
  if (kind !== 'table' && kind !== 'partitioned_table') return null
  if (!rowSecurity)
    return (
      <span
        className={exposed ? 'text-warn' : undefined}
        title={
          exposed
            ? 'Everybody whose role has rights on the table sees all of its rows.'
            : 'The API does not show this schema.'
        }
      >
        row security off
      </span>
    )
  const counts = commands.map((command) => `${command} ${policiesOf[command]}`).join(', ')
  return (
    <span title={`Policies: ${counts}. A command without one is for nobody but the owner and service_role.`}>
      row security on, {policies === 0 ? 'no policy' : policies === 1 ? 'one policy' : `${policies} policies`}
      <span className="max-wide:hidden">
        {' '}
        ({commands.filter((command) => policiesOf[command] > 0).join(', ') || 'nobody'})
      </span>
    </span>
  )
}
