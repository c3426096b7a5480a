import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { maskedMembers } from '../../../ground/privacy/clickhouse.ts'
import { inGroups } from '../../../ground/privacy/person.ts'
import type { Forget } from '../../../ground/privacy/withdrawal.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { otlpTargets } from '../rows/targets.ts'
import { tyingAttributes } from '../rows/ties.ts'
import type { Visitors } from './visitors.ts'

/** Sessions remembered of those that were forgotten. */
const remembered = 10_000

/**
 * Takes the names of these visitors' sessions from spans and log records of before; the rows stay. To be called before what is
 * stored of the sessions goes, by which they are found. Their sessions of earlier calls are looked at once more: a batch may have
 * passed the gate right before the withdrawal.
 */
export function createForget(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  visitors: Pick<Visitors, 'sessionsOf'>,
): Forget {
  let earlier: ReadonlyMap<string, readonly string[]> = new Map()
  return async (distinctIds, { receivedMs }) => {
    const found = await visitors.sessionsOf(distinctIds)
    earlier = new Map([...found, ...[...earlier].filter(([session]) => !found.has(session))].slice(0, remembered))
    const asked = new Set(distinctIds)
    const theirs = [...earlier].flatMap(([session, ids]) => (ids.some((id) => asked.has(id)) ? [session] : []))
    for (const table of otlpTargets.map(constant))
      for (const sessionIds of inGroups(theirs)) {
        const isTied = sql`session_id in ${typed(sessionIds, 'Array(String)')}
          and toUnixTimestamp64Milli(time) < ${typed(receivedMs, 'Int64')}`
        const [tied] = await query(compileClickHouse(sql`select 1 from ${table} where ${isTied} limit 1`))
        if (tied !== undefined) await command(untieStatement(table, isTied))
      }
  }
}

const untieStatement = (table: SqlFragment, isTied: SqlFragment) =>
  compileClickHouse(sql`
    alter table ${table}
    update
      session_id = '',
      attributes = ${maskedMembers(identifier('attributes'), tyingAttributes)},
      resource = ${maskedMembers(identifier('resource'), tyingAttributes)}
    where ${isTied}
    settings mutations_sync = 2`)
