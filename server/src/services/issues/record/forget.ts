import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { RowTimes } from '../../../ground/privacy/consent.ts'
import { isWithdrawn } from '../../../ground/privacy/withdrawal.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { sql } from '../../../ground/sql/sql.ts'

/** Removes the exceptions of these ids from before; where there are none, nothing is written anew. */
export async function forgetExceptions(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  distinctIds: readonly string[],
  before: RowTimes,
): Promise<void> {
  const theirs = isWithdrawn(distinctIds, before, {
    received: sql`toUnixTimestamp64Milli(received_at)`,
    happened: sql`toUnixTimestamp64Milli(time)`,
  })
  const [found] = await query(compileClickHouse(sql`select 1 from exceptions where ${theirs} limit 1`))
  if (found === undefined) return
  await command(compileClickHouse(sql`alter table exceptions delete where ${theirs} settings mutations_sync = 2`))
}
