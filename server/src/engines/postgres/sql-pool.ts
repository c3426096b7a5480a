import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { RequestWork } from '../../ground/model/request.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import { withClient } from './connections.ts'
import type { Result, Sql } from './postgres.ts'

/**
 * Statements as the role that a pool logs in as, recorded with the request they ran for.
 *
 * @param restore said after each use of a connection by those who may set something for its session
 */
export function createSql(pool: pg.Pool, role: string, restore: string | null = null): Sql {
  const take = <T>(body: (client: pg.PoolClient, discard: () => void) => Promise<T>): Promise<T> =>
    withClient(pool, async (client, discard) => {
      try {
        return await body(client, discard)
      } finally {
        if (restore !== null) await client.query(restore).catch(discard)
      }
    })
  return {
    query: <Row>(statement: Statement, work: RequestWork | null = null) =>
      take((client) => run<Row>(client, statement, work, role)),
    transaction: <T>(body: (sql: Sql) => Promise<T>, work: RequestWork | null = null) =>
      take(async (client, discard) => {
        try {
          await client.query('begin')
          const value = await body(within(client, role, work, 0))
          await client.query('commit')
          return value
        } catch (error) {
          await client.query('rollback').catch(discard)
          throw error
        }
      }),
  }
}

/** Inside a transaction; one within it is a savepoint. */
function within(client: pg.ClientBase, role: string, outer: RequestWork | null, depth: number): Sql {
  return {
    query: <Row>(statement: Statement, work: RequestWork | null = outer) => run<Row>(client, statement, work, role),
    async transaction<T>(body: (sql: Sql) => Promise<T>, work: RequestWork | null = outer) {
      const savepoint = `clew_${depth + 1}`
      await client.query(`savepoint ${savepoint}`)
      try {
        const value = await body(within(client, role, work, depth + 1))
        await client.query(`release savepoint ${savepoint}`)
        return value
      } catch (error) {
        await client.query(`rollback to savepoint ${savepoint}`)
        throw error
      }
    },
  }
}

async function run<Row>(
  client: pg.ClientBase,
  statement: Statement,
  work: RequestWork | null,
  role: string,
): Promise<Result<Row>> {
  const startedAt = new Date()
  const start = performance.now()
  const record = (rows: number | null, errorCode: string | null) => {
    work?.statements.push({
      startedAt,
      durationMs: performance.now() - start,
      text: statement.text,
      parameterTypes: [],
      rows,
      role,
      errorCode,
    })
  }
  try {
    const answered: pg.QueryResult | pg.QueryResult[] = await client.query(statement.text, [...statement.values])
    // Text of several statements, which has no values, answers with a result for each.
    const result = Array.isArray(answered) ? answered.at(-1) : answered
    if (result === undefined) throw new TypeError('The server gave no result.')
    const rowCount = result.rowCount ?? 0
    record(rowCount, null)
    // The caller names the row's shape, as it wrote the statement.
    return { rows: result.rows as Row[], rowCount }
  } catch (error) {
    record(null, error instanceof pg.DatabaseError ? (error.code ?? null) : null)
    throw error
  }
}
