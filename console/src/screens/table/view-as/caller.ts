import type { Table } from '../../../lib/api/schemas.ts'
import { splitFilter } from '../filters/filter-text.ts'

const roles = ['anon', 'authenticated', 'service_role', 'user'] as const

/** In whose place rows are read, as policies let it. */
export interface TableCaller {
  readonly as: (typeof roles)[number]
  /** E-mail address or id of the user, where it is one. */
  readonly user?: string
}

/** Reads the caller of a link; none where it names none, or a user without saying which. */
export function readCaller({ as, user }: Readonly<Record<string, unknown>>): TableCaller | undefined {
  const role = roles.find((one) => one === as)
  if (role === undefined) return undefined
  if (role !== 'user') return { as: role }
  return typeof user === 'string' && user !== '' ? { as: role, user } : undefined
}

/** A caller's name, as people say it. */
export const callerName = ({ as, user }: TableCaller): string => (as === 'user' ? (user ?? '') : as)

/** The question why a caller is shown these rows, as the explanation's screen takes it. */
export function whySearch(table: Pick<Table, 'name' | 'columns'>, filter: readonly string[], caller: TableCaller) {
  const parameters = filter.map((one): [string, string] => {
    const { column, rest } = splitFilter(one, table.columns)
    return [column, rest]
  })
  const query = String(new URLSearchParams(parameters))
  return { method: 'GET', path: table.name, ...(query !== '' && { query }), ...caller }
}
