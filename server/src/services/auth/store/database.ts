import type { Sql } from '../../../engines/postgres/index.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { AuthLog } from '../model/log.ts'

/** The service's own transactions. */
export interface Database {
  /** Reads outside a transaction; statements are recorded with the request when one is given. */
  readonly sql: Sql
  /** Changes rows of schema `auth`; all of it or nothing. */
  change<T>(work: RequestWork, body: (sql: Sql) => Promise<T>): Promise<T>
  /** The same for nobody's request: the service's own upkeep. */
  maintain<T>(body: (sql: Sql) => Promise<T>): Promise<T>
  /** Does something once the transaction `sql` is committed, and not at all when it is not; a failure is logged only. */
  afterCommit(sql: Sql, effect: () => Promise<void>): void
}

/**
 * Wraps the connections of `supabase_auth_admin`: a trigger on `auth.users` is user SQL, and must not run with an
 * administrator's rights, nor be able to take them. The request's id goes into the write-ahead log with a change, so that
 * rows written here, and by such triggers, are known as this request's.
 */
export function createDatabase(own: Sql, log: AuthLog): Database {
  const effects = new WeakMap<Sql, (() => Promise<void>)[]>()

  const finish = async (later: readonly (() => Promise<void>)[], work: RequestWork): Promise<void> => {
    for (const effect of later) {
      await effect().catch((error: unknown) =>
        log.warn({ err: error, requestId: work.id }, 'auth: something failed after the change it belongs to'),
      )
    }
  }

  return {
    sql: own,
    async change(work, body) {
      const later: (() => Promise<void>)[] = []
      const attribute = sql`select pg_catalog.pg_logical_emit_message(true, 'clew', ${typed(work.id, 'text')})`
      const result = await own.transaction(
        (transaction) => {
          effects.set(transaction, later)
          return body(transaction)
        },
        work,
        compile(attribute),
      )
      await finish(later, work)
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
