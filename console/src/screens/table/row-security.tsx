import { Link } from '@tanstack/react-router'
import type { Table } from '../../lib/api/schemas.ts'

const commands = ['select', 'insert', 'update', 'delete'] as const

/** Whether policies decide who sees the table's rows, and for which commands there are some; a link to them. */
export function RowSecurity({ table }: { readonly table: Table }) {
  const { schema, name, kind, rowSecurity, exposed } = table
  if (kind !== 'table' && kind !== 'partitioned_table') return null
  return (
    <Link
      to="/schema/$schema/$table"
      params={{ schema, table: name }}
      search={{ tab: 'policies' }}
      title={meaningOf(table)}
      className={rowSecurity || !exposed ? 'hover:text-ink' : 'text-warn'}
    >
      {rowSecurity ? <Policies table={table} /> : 'row security off'}
    </Link>
  )
}

function meaningOf({ rowSecurity, exposed, policiesOf }: Table): string {
  if (!rowSecurity)
    return exposed
      ? 'Everybody whose role has rights on the table sees all of its rows.'
      : 'The API does not show this schema.'
  const counts = commands.map((command) => `${command} ${policiesOf[command]}`).join(', ')
  return `Policies: ${counts}. A command without one is for nobody but the owner and service_role.`
}

function Policies({ table: { policies, policiesOf } }: { readonly table: Table }) {
  const some = commands.filter((command) => policiesOf[command] > 0)
  return (
    <>
      row security on, {policies === 0 ? 'no policy' : policies === 1 ? 'one policy' : `${policies} policies`}
      <span className="max-wide:hidden"> ({some.join(', ') || 'nobody'})</span>
    </>
  )
}
