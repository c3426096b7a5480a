import type { JsonObject } from '../../ground/json/object.ts'

/** What a file of PostHog's holds, in the order in which it is imported: who people are comes before what they did. */
export const sourceKinds = ['persons', 'events', 'cohorts', 'flags', 'recordings'] as const
export type SourceKind = (typeof sourceKinds)[number]

/**
 * What a file holds, by a row of it: the models of batch exports, the API's answers, and recordings as the player exports
 * them. Null for what is none of these.
 */
export function kindOf(row: JsonObject): SourceKind | null {
  if (typeof row.event === 'string') return 'events'
  if (Array.isArray(row.distinct_ids) || ('person_id' in row && 'distinct_id' in row)) return 'persons'
  if (typeof row.key === 'string' && 'filters' in row) return 'flags'
  if ('is_static' in row) return 'cohorts'
  if (typeof row.data === 'object' && row.data !== null && 'snapshots' in row.data) return 'recordings'
  return null
}
