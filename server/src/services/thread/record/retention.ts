import type { ClickHouse, Lifetime } from '../../../engines/clickhouse/index.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, identifier, sql, typed } from '../../../ground/sql/sql.ts'
import type { ThreadSettings } from '../settings.ts'
import { clickhouseTime } from './request-lines.ts'

/** How long row changes are kept. */
export const changeLifetime = ({ changeRetentionDays }: Pick<ThreadSettings, 'changeRetentionDays'>): Lifetime => ({
  table: 'changes',
  days: changeRetentionDays,
  isBefore: (instant) => sql`commit_time < ${typed(clickhouseTime(instant), "DateTime64(3, 'UTC')")}`,
})

/**
 * Sets the other tables' lifetimes to the settings'. Parts are cut as they merge, not at once.
 */
export async function applyRetention(
  clickhouse: Pick<ClickHouse, 'query' | 'command'>,
  { requestRetentionDays, changeRetentionDays, exchangeRetentionDays }: ThreadSettings,
): Promise<void> {
  const writing = Math.max(requestRetentionDays, changeRetentionDays)
  const ofRequests =
    `toDateTime(time) + toIntervalDay(${requestRetentionDays}) delete where not writes, ` +
    `toDateTime(time) + toIntervalDay(${writing}) delete`
  const wanted = [
    { table: 'requests', days: [requestRetentionDays, writing], lifetime: ofRequests },
    { table: 'statements', days: [requestRetentionDays, writing], lifetime: ofRequests },
    ...['function_logs', 'frames'].map((table) => ({
      table,
      days: [requestRetentionDays],
      lifetime: `toDateTime(time) + toIntervalDay(${requestRetentionDays}) delete`,
    })),
    {
      table: 'exchanges',
      days: [exchangeRetentionDays],
      lifetime: `toDateTime(time) + toIntervalDay(${exchangeRetentionDays}) delete`,
    },
  ]
  const tables = await clickhouse.query<{ name: string; create_table_query: string }>(
    compileClickHouse(sql`
      select name, create_table_query
      from system.tables
      where database = currentDatabase() and name in ('requests', 'statements', 'function_logs', 'frames', 'exchanges')`),
  )
  const definitions = new Map(tables.map((table) => [table.name, table.create_table_query]))
  for (const { table, days, lifetime } of wanted) {
    const now = [...(definitions.get(table) ?? '').matchAll(/toIntervalDay\((\d+)\)/g)].map(([, count]) =>
      Number(count),
    )
    if (now.length === days.length && now.every((count, index) => count === days[index])) continue
    // DDL takes no parameters; the text is made above, of our own words and checked whole numbers.
    await clickhouse.command(
      compileClickHouse(sql`
        alter table ${identifier(table)}
        modify ttl ${constant(lifetime)}
        settings materialize_ttl_after_modify = 0`),
    )
  }
}
