import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'

/** Removes what ties these ids' requests to sessions, and the messages of their sockets. The requests themselves stay. */
export async function forgetTies(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  distinctIds: readonly string[],
): Promise<void> {
  const [requests] = await query(selectAnyStatement('requests', distinctIds))
  if (requests !== undefined) await command(untieRequestsStatement(distinctIds))
  const [frames] = await query(selectAnyStatement('frames', distinctIds))
  if (frames !== undefined) await command(deleteFramesStatement(distinctIds))
}

const selectAnyStatement = (table: 'requests' | 'frames', distinctIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select 1
    from ${constant(table)}
    where distinct_id in ${typed(distinctIds, 'Array(String)')}
    limit 1`)

const untieRequestsStatement = (distinctIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    alter table requests
    update session_id = '', window_id = '', distinct_id = '', channel = '', exact = false
    where distinct_id in ${typed(distinctIds, 'Array(String)')}
    settings mutations_sync = 2`)

const deleteFramesStatement = (distinctIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    alter table frames
    delete where distinct_id in ${typed(distinctIds, 'Array(String)')}
    settings mutations_sync = 2`)
