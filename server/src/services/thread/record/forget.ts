import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { RowTimes } from '../../../ground/privacy/consent.ts'
import { isWithdrawnByTime } from '../../../ground/privacy/withdrawal.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, sql } from '../../../ground/sql/sql.ts'

/**
 * Removes what ties these ids' requests to sessions, and the messages of their sockets, of before. The requests themselves
 * stay.
 */
export async function forgetTies(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  distinctIds: readonly string[],
  before: RowTimes,
): Promise<void> {
  const theirs = isWithdrawnByTime(distinctIds, before)
  const hasAny = async (table: 'requests' | 'frames'): Promise<boolean> =>
    (await query(compileClickHouse(sql`select 1 from ${constant(table)} where ${theirs} limit 1`))).length > 0
  if (await hasAny('requests'))
    await command(
      compileClickHouse(sql`
        alter table requests
        update session_id = '', window_id = '', distinct_id = '', channel = '', exact = false
        where ${theirs}
        settings mutations_sync = 2`),
    )
  if (await hasAny('frames'))
    await command(compileClickHouse(sql`alter table frames delete where ${theirs} settings mutations_sync = 2`))
}
