import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import { isConnectionLost, toConnectionLost } from '../connection/connection-lost.ts'
import { withClient } from '../connection/connections.ts'
import { postgresError } from '../errors.ts'
import type { Result, Sql } from '../postgres.ts'
import { Pipeline } from '../wire/pipeline.ts'
import { encodeBatch, PipelinedBatch, unnamed } from '../wire/pipelined-batch.ts'
import { clearing } from '../wire/session-reset.ts'
import { isRetyped, isStale } from '../wire/stale-plan.ts'
import { createNamedStatements, type NamedStatements, type TransactionScope } from './named-statements.ts'

export interface SqlOptions {
  /** Run one by one after each use of a connection, where the user may have set something for its session. */
  readonly restore?: readonly string[]
  /** Whether triggers of the application run in transactions: the session is cleared when one ends. */
  readonly clears?: boolean
  /**
   * Run at the beginning of each transaction, and each statement is one then: behind a pooler the next transaction has
   * another connection, and a setting of the session would stay for others.
   */
  readonly opening?: Statement
  /** Whether connections keep prepared statements: not where people type them, nor behind a pooler. */
  readonly preparesStatements: boolean
}

/** Statements as the role that a pool logs in as, recorded with the request they ran for. */
export function createSql(
  pool: pg.Pool,
  role: string,
  { restore = [], opening: always, clears = false, preparesStatements }: SqlOptions,
): Sql {
  const namedStatements = preparesStatements ? createNamedStatements() : null
  const take = <T>(body: (client: pg.PoolClient, discard: () => void) => Promise<T>): Promise<T> =>
    withClient(pool, async (client, discard) => {
      try {
        return await body(client, discard)
      } catch (error) {
        // The server says so before the connection ends: until then it looks usable.
        if (isConnectionLost(error)) discard()
        throw toConnectionLost(error)
      } finally {
        await runAll(client, restore).catch(discard)
      }
    })
  const ended = (command: 'commit' | 'rollback'): string => (clears ? `${command}; ${clearing}` : command)
  const transaction = <T>(
    body: (sql: Sql) => Promise<T>,
    context: RequestContext | null = null,
    opening: Statement | null = null,
  ): Promise<T> =>
    take(async (client, discard) => {
      try {
        const lease: Lease = { client, role, namedStatements, scope: 'in a transaction' }
        await begin(lease, [always ?? [], opening ?? []].flat())
        const value = await body(within(lease, context, 0))
        await client.query(ended('commit'))
        return value
      } catch (error) {
        await client.query(ended('rollback')).catch(discard)
        throw error
      }
    })
  return {
    query: <Row>(statement: Statement, context: RequestContext | null = null) =>
      always === undefined
        ? take((client) => run<Row>({ client, role, namedStatements, scope: 'alone' }, statement, context))
        : transaction((sql) => sql.query<Row>(statement), context),
    transaction,
  }
}

async function runAll(client: pg.PoolClient, statements: readonly string[]): Promise<void> {
  for (const text of statements) await client.query(text)
}

/** A connection in use. */
interface Lease {
  readonly client: pg.PoolClient
  readonly role: string
  readonly namedStatements: NamedStatements | null
  readonly scope: TransactionScope
}

/** Begins a transaction and runs its first statements in one batch. */
async function begin(lease: Lease, openings: readonly Statement[]): Promise<void> {
  const { client, namedStatements, role } = lease
  const stepOf = ({ text, values }: Statement) => ({
    prepared: namedStatements?.get(client, text, 'alone') ?? unnamed(text, role),
    values,
  })
  const first = stepOf({ text: 'begin', values: [] })
  const steps = [first, ...openings.map(stepOf)]
  const batch = new PipelinedBatch(steps, encodeBatch(steps))
  new Pipeline(client).add(batch)
  const result = await batch.result
  if (result.kind === 'done') return
  namedStatements?.renew()
  if (namedStatements === null || !isStale(result.error)) throw result.error
  // A function deallocated the statements of this connection. Nothing of the transaction has run yet.
  await client.query('rollback')
  return begin(lease, openings)
}

/** Statements inside a transaction; a transaction within it is a savepoint. */
function within(lease: Lease, outer: RequestContext | null, depth: number): Sql {
  const { client } = lease
  const query = <Row>(statement: Statement, context: RequestContext | null = outer) =>
    run<Row>(lease, statement, context)
  return {
    query,
    async transaction<T>(
      body: (sql: Sql) => Promise<T>,
      context: RequestContext | null = outer,
      opening?: Statement | null,
    ) {
      const savepoint = `clew_${depth + 1}`
      await client.query(`savepoint ${savepoint}`)
      try {
        if (opening) await query(opening, null)
        const value = await body(within(lease, context, depth + 1))
        await client.query(`release savepoint ${savepoint}`)
        return value
      } catch (error) {
        await client.query(`rollback to savepoint ${savepoint}`)
        throw error
      }
    },
  }
}

async function run<Row>(lease: Lease, statement: Statement, context: RequestContext | null): Promise<Result<Row>> {
  const startedAt = new Date()
  const start = performance.now()
  const record = (rows: number | null, errorCode: string | null) => {
    context?.statements.push({
      startedAt,
      durationMs: performance.now() - start,
      text: statement.text,
      parameterTypes: [],
      rows,
      role: lease.role,
      errorCode,
    })
  }
  try {
    const answered = await send(lease, statement)
    // A text of several statements, which has no values, returns a result for each.
    const result = Array.isArray(answered) ? answered.at(-1) : answered
    if (result === undefined) throw new TypeError('The server gave no result.')
    const rowCount = result.rowCount ?? 0
    record(rowCount, null)
    // The caller, who wrote the statement, names the type of its rows.
    return { rows: result.rows as Row[], rowCount }
  } catch (error) {
    record(null, error instanceof pg.DatabaseError ? (error.code ?? null) : null)
    throw error
  }
}

/**
 * Sends a statement by its prepared name. Only a statement with values is prepared: it is a single command, one without
 * may be several.
 *
 * @throws POSTGRES_SCHEMA_CHANGED when it answers with other columns than when it was prepared, and its transaction failed
 */
async function send(
  { client, namedStatements, scope }: Lease,
  { text, values: readonlyValues }: Statement,
): Promise<pg.QueryResult | pg.QueryResult[]> {
  const values = [...readonlyValues]
  if (namedStatements === null || values.length === 0) return client.query(text, values)
  const prepared = namedStatements.get(client, text, scope)
  // `pg` prepares it where needed; from here on the server may know it.
  prepared.parsed = true
  try {
    return await client.query({ name: prepared.name, text, values })
  } catch (error) {
    const stale = isStale(error)
    if (!stale && !isRetyped(error)) throw error
    namedStatements.renew()
    if (scope === 'alone') return client.query(text, values)
    throw stale ? postgresError('POSTGRES_SCHEMA_CHANGED', { cause: error }) : error
  }
}
