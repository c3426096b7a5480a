import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { inGroups } from '../../../ground/privacy/person.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { identifier, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** Whose sessions are which, by what is stored of them. */
export interface Visitors {
  /** The ids of these sessions' visitors; none of a session of which nothing is stored. */
  ofSessions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** The sessions of these visitors, each with those of the ids that were seen in it. */
  sessionsOf(distinctIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
}

interface Row {
  readonly session_id: string
  readonly distinct_id: string
}

/** @param tables of ClickHouse that have the columns `session_id` and `distinct_id` */
export function createVisitors({ query }: Pick<ClickHouse, 'query'>, tables: readonly string[]): Visitors {
  const ask = async (column: 'session_id' | 'distinct_id', ids: readonly string[]): Promise<readonly Row[]> => {
    const rows: Row[] = []
    for (const some of inGroups(ids)) rows.push(...(await query<Row>(selectPairsStatement(tables, column, some))))
    return rows
  }
  return {
    ofSessions: async (sessionIds) => idsBySession(await ask('session_id', sessionIds)),
    sessionsOf: async (distinctIds) => idsBySession(await ask('distinct_id', distinctIds)),
  }
}

function idsBySession(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { session_id, distinct_id } of rows) found.set(session_id, [...(found.get(session_id) ?? []), distinct_id])
  return found
}

const selectPairsStatement = (
  tables: readonly string[],
  column: 'session_id' | 'distinct_id',
  ids: readonly string[],
) => {
  const pairs = (table: string): SqlFragment => sql`
    select distinct session_id, distinct_id
    from ${identifier(table)}
    where ${identifier(column)} in ${typed([...ids], 'Array(String)')} and session_id != '' and distinct_id != ''`
  return compileClickHouse(sql`
    select distinct session_id, distinct_id
    from (${join(tables.map(pairs), ' union all ')})`)
}
