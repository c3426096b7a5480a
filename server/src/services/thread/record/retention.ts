import type { Lifetime } from '../../../engines/clickhouse/index.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { ThreadSettings } from '../settings.ts'
import { clickhouseTime } from './request-lines.ts'

const instantOf = (instant: Date) => typed(clickhouseTime(instant), "DateTime64(3, 'UTC')")
const isBefore = (instant: Date): SqlFragment => sql`time < ${instantOf(instant)}`
const readsBefore = (instant: Date): SqlFragment => sql`${isBefore(instant)} and not writes`

/** How long row changes are kept. */
export const changeLifetime = ({ changeRetentionDays }: Pick<ThreadSettings, 'changeRetentionDays'>): Lifetime => ({
  table: 'changes',
  days: changeRetentionDays,
  isBefore: (instant) => sql`commit_time < ${instantOf(instant)}`,
})

/** How long requests and what belongs to them are kept: what may have written for as long as what it wrote. */
export function requestLifetimes({
  requestRetentionDays,
  changeRetentionDays,
  exchangeRetentionDays,
}: Pick<
  ThreadSettings,
  'requestRetentionDays' | 'changeRetentionDays' | 'exchangeRetentionDays'
>): readonly Lifetime[] {
  const writing = Math.max(requestRetentionDays, changeRetentionDays)
  return [
    ...['statements', 'requests'].flatMap((table) => [
      { table, days: requestRetentionDays, isBefore: readsBefore },
      { table, days: writing, isBefore },
    ]),
    ...['function_logs', 'frames'].map((table) => ({ table, days: requestRetentionDays, isBefore })),
    { table: 'exchanges', days: exchangeRetentionDays, isBefore },
  ]
}
