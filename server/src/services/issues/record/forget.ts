import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** Removes the exceptions of these ids; where there are none, nothing is written anew. */
export async function forgetExceptions(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  distinctIds: readonly string[],
): Promise<void> {
  const theirs = sql`distinct_id in ${typed(distinctIds, 'Array(String)')}`
  const [found] = await query(compileClickHouse(sql`select 1 from exceptions where ${theirs} limit 1`))
  if (found === undefined) return
  await command(compileClickHouse(sql`alter table exceptions delete where ${theirs} settings mutations_sync = 2`))
}
