import type { KeptTable } from '../../../ground/model/service-tables.ts'
import { inGroups } from '../../../ground/privacy/person.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { identifier, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { RetentionDeps } from '../deps.ts'
import type { HoldRow } from '../holds/store.ts'
import { isWithin } from './store.ts'

/** A person whose data are to be removed. */
export interface Leaving {
  /** Ids of analytics, that of the user among them. */
  readonly distinctIds: readonly string[]
}

/**
 * The open holds that keep something of a person: those on them, on sessions that they were in, and on spans of time in
 * which something of them was kept.
 */
export async function findHoldsOn(
  { clickhouse, tables }: Pick<RetentionDeps, 'clickhouse' | 'tables'>,
  open: readonly HoldRow[],
  { distinctIds }: Leaving,
): Promise<readonly HoldRow[]> {
  const theirs = new Set(distinctIds)
  const hasSome = async (hold: HoldRow): Promise<boolean> => {
    for (const table of tables) {
      const kept = conditionOf(hold, table)
      const { ids: columns = [] } = table.ties
      if (kept === null || columns.length === 0) continue
      for (const ids of inGroups(distinctIds))
        if ((await clickhouse.query(anyStatement(table, columns, kept, ids))).length > 0) return true
    }
    return false
  }
  const met: HoldRow[] = []
  for (const hold of open) {
    const isMet = hold.kind === 'person' ? hold.ids.some((id) => theirs.has(id)) : await hasSome(hold)
    if (isMet) met.push(hold)
  }
  return met
}

/** The rows of a table that a hold on a session or a span keeps; null where the table knows no sessions. */
function conditionOf({ sessionId, fromAt, toAt }: HoldRow, table: KeptTable): SqlFragment | null {
  if (fromAt !== null) return isWithin(table, { from: fromAt, to: toAt })
  return table.ties.session === undefined ? null : sql`${identifier(table.ties.session)} = ${sessionId ?? ''}`
}

/** A row where one of these ids has some in a table that meets the condition. */
function anyStatement(
  table: KeptTable,
  columns: readonly string[],
  kept: SqlFragment,
  ids: readonly string[],
): ClickHouseStatement {
  const isTheirs = columns.map((column) => sql`${identifier(column)} in ${typed([...ids], 'Array(String)')}`)
  return compileClickHouse(sql`
    select 1
    from ${identifier(table.name)}
    where ${kept} and (${join(isTheirs, ' or ')})
    limit 1`)
}
