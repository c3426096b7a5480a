import { causeSql, type Sql } from '../../../engines/postgres/index.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import type { RequestContext } from '../model/call.ts'
import type { AuthLog } from '../model/log.ts'

/** Statements of one request: each is recorded with it. */
export interface RequestSql {
  readonly context: RequestContext
  query<Row = Record<string, unknown>>(statement: Statement): Promise<{ readonly rows: readonly Row[] }>
  /** Runs a statement on the connection of the others without recording it: upkeep of the connection. */
  queryUnrecorded<Row = Record<string, unknown>>(statement: Statement): Promise<{ readonly rows: readonly Row[] }>
}

/** Reads and transactions of the service. */
export interface Database {
  /** Reads that belong to no request. */
  readonly sql: Sql
  /** Reads of a request, outside a transaction. */
  for(context: RequestContext): RequestSql
  /** Changes rows of schema `auth` in one transaction. */
  change<T>(context: RequestContext, body: (sql: RequestSql) => Promise<T>): Promise<T>
  /** A transaction of the service's own upkeep, which belongs to no request. */
  maintain<T>(body: (sql: Sql) => Promise<T>): Promise<T>
  /** Runs an effect once the transaction `sql` is committed, and never when it is rolled back; a failure is only logged. */
  afterCommit(sql: RequestSql, effect: () => Promise<void>): void
}

/**
 * Wraps the connections of `supabase_auth_admin`: a trigger on `auth.users` is user SQL, and must not run with an
 * administrator's rights, nor be able to take them. The request's id goes into the write-ahead log with a change, so that
 * rows written here, and by such triggers, are known as this request's.
 */
export function createDatabase(own: Sql, log: AuthLog): Database {
  const effects = new WeakMap<RequestSql, (() => Promise<void>)[]>()

  const finish = async (later: readonly (() => Promise<void>)[], context: RequestContext): Promise<void> => {
    for (const effect of later) {
      await effect().catch((error: unknown) =>
        log.warn({ err: error, requestId: context.id }, 'auth: something failed after the change it belongs to'),
      )
    }
  }

  return {
    sql: own,
    for: (context) => bind(own, context),
    async change(context, body) {
      const later: (() => Promise<void>)[] = []
      const result = await own.transaction(
        (transaction) => {
          const bound = bind(transaction, context)
          effects.set(bound, later)
          return body(bound)
        },
        context,
        emitRequestIdStatement(context.id),
      )
      await finish(later, context)
      return result
    },
    maintain: (body) => own.transaction(body),
    afterCommit(transaction, effect) {
      const later = effects.get(transaction)
      if (later === undefined) throw new Error('There is no such transaction.')
      later.push(effect)
    },
  }
}

/** Names the request as the cause of the transaction's changes. */
const emitRequestIdStatement = (requestId: string): Statement => ({ text: emitCause, values: [requestId] })
const emitCause = `select ${causeSql('$1::text')}`

const bind = (on: Sql, context: RequestContext): RequestSql => ({
  context,
  query: (statement) => on.query(statement, context),
  queryUnrecorded: (statement) => on.query(statement, null),
})
