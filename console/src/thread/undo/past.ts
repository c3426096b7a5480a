import type { Change, PastChange } from '../../lib/api/schemas.ts'

/** Changes that are taken back together at most; the server takes no more either. */
export const mostChanges = 1000

/** A table as changes name it. */
export const tableOf = ({ schema, table }: Pick<Change, 'schema' | 'table'>): string => `${schema}.${table}`

/** The tables of changes, each with how many it has, in the order in which they were first changed. */
export function tablesOf(changes: readonly Change[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const change of changes) counts.set(tableOf(change), (counts.get(tableOf(change)) ?? 0) + 1)
  return counts
}

/**
 * Whether a service keeps the table: taking its rows back would sign people out, and leave files without their rows, so
 * that it is done only where it is asked for.
 */
export const isOfService = (table: string): boolean => /^(auth|storage)\./.test(table)

/** Changes in the order in which they were committed, each once. */
export function inOrder(changes: readonly Change[]): readonly Change[] {
  const byId = new Map(changes.map((change) => [change.id, { change, place: placeOf(change.id) }]))
  return [...byId.values()]
    .sort(({ place: [a, m] }, { place: [b, n] }) => (a === b ? m - n : a < b ? -1 : 1))
    .map(({ change }) => change)
}

/** Reads a change's id, `16/B374D848:2`: a place of the log in hexadecimal digits, and one in the transaction. */
function placeOf(id: string): readonly [bigint, number] {
  const [, high = '0', low = '0', place = '0'] = /^(\w+)\/(\w+):(\d+)$/.exec(id) ?? []
  return [(BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`), Number(place)]
}

/** A change as the server is asked to take it back. */
export const pastOf = ({ schema, table, operation, key, old, new: next, columns }: Change): PastChange => ({
  ...{ schema, table, operation, key, old, new: next, columns },
})
