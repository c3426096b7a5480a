import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { maskedMembers } from '../../../ground/privacy/clickhouse.ts'
import { inGroups } from '../../../ground/privacy/person.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, identifier, sql, typed } from '../../../ground/sql/sql.ts'
import { type OtlpTarget, otlpTargets } from '../rows/targets.ts'
import { tyingAttributes } from '../rows/ties.ts'
import type { Visitors } from './visitors.ts'

/** Sessions remembered of those that were forgotten. */
const remembered = 10_000

/**
 * Takes the names of these visitors' sessions from spans and log records; the rows stay. To be called before what is stored
 * of the sessions goes, by which they are found. Sessions of earlier calls are looked at once more: a batch may have
 * passed the gate right before the withdrawal.
 */
export function createForget(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  visitors: Pick<Visitors, 'sessionsOf'>,
): (distinctIds: readonly string[]) => Promise<void> {
  let earlier: readonly string[] = []
  return async (distinctIds) => {
    earlier = [...new Set([...(await visitors.sessionsOf(distinctIds)), ...earlier])].slice(0, remembered)
    for (const table of otlpTargets)
      for (const sessionIds of inGroups(earlier)) {
        const [named] = await query(selectNamedStatement(table, sessionIds))
        if (named !== undefined) await command(untieStatement(table, sessionIds))
      }
  }
}

const selectNamedStatement = (table: OtlpTarget, sessionIds: readonly string[]) =>
  compileClickHouse(sql`
    select 1
    from ${constant(table)}
    where session_id in ${typed([...sessionIds], 'Array(String)')}
    limit 1`)

const untieStatement = (table: OtlpTarget, sessionIds: readonly string[]) =>
  compileClickHouse(sql`
    alter table ${constant(table)}
    update
      session_id = '',
      attributes = ${maskedMembers(identifier('attributes'), tyingAttributes)},
      resource = ${maskedMembers(identifier('resource'), tyingAttributes)}
    where session_id in ${typed([...sessionIds], 'Array(String)')}
    settings mutations_sync = 2`)
