import { type SqlFragment, sql, typed } from '../sql/sql.ts'
import type { RowTimes } from './consent.ts'

/**
 * Removes what one service keeps of visitors who withdrew their consent, by their distinct ids: what arrived, or happened, before
 * these moments. What follows was stored by a new consent, and stays. Called again after a failure; must bear repetition.
 */
export type Forget = (distinctIds: readonly string[], before: RowTimes) => Promise<void>

/** For ClickHouse: the rows of these ids that arrived, or happened, before; both times as milliseconds since 1970. */
export const isWithdrawn = (
  distinctIds: readonly string[],
  before: RowTimes,
  { received, happened }: { readonly received: SqlFragment; readonly happened: SqlFragment },
): SqlFragment => sql`distinct_id in ${typed(distinctIds, 'Array(String)')} and (
    ${received} < ${typed(before.receivedMs, 'Int64')} or ${happened} < ${typed(before.happenedMs, 'Int64')})`

/** For a table of ClickHouse whose rows have one time, `time`, of our clock. */
export const isWithdrawnByTime = (distinctIds: readonly string[], before: RowTimes): SqlFragment => {
  const time = sql`toUnixTimestamp64Milli(time)`
  return isWithdrawn(distinctIds, before, { received: time, happened: time })
}
