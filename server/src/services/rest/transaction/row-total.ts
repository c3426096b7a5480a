import type { Preferences } from '../parse/headers/prefer.ts'

/** The rows that the planner expects, read from the JSON of EXPLAIN. */
function estimatedRows(explained: string | null): number {
  // EXPLAIN's own output: a list of one plan.
  const [first] = JSON.parse(explained ?? '[]') as readonly { readonly Plan?: { readonly 'Plan Rows'?: number } }[]
  return first?.Plan?.['Plan Rows'] ?? 0
}

/**
 * The total of a read whose `count` needs the planner (rest §4): by `planned` its estimate; by `estimated` the counted
 * rows up to `maxRows`, and the estimate beyond.
 *
 * @param counted rows counted up to `maxRows`, as text; null where they were not counted
 * @param explained the JSON of EXPLAIN
 */
export function rowTotal(
  count: Preferences['count'],
  counted: string | null,
  explained: string | null,
  maxRows: number | null,
): number {
  const estimate = estimatedRows(explained)
  if (count === 'planned') return estimate
  const rows = Number(counted ?? 0)
  return maxRows === null || rows > maxRows ? Math.max(estimate, rows) : rows
}
