import type { Sql } from '../../engines/postgres/index.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** The service's own transactions. */
export interface Database {
  /** Reads outside a transaction; statements are recorded with the request when one is given. */
  readonly sql: Sql
  /** Changes rows of schema `auth`; all of it or nothing. */
  change<T>(work: RequestWork, body: (sql: Sql) => Promise<T>): Promise<T>
}

/**
 * Wraps the administrator's connection. Changes run as `supabase_auth_admin`: a trigger on `auth.users` is user SQL, and
 * must not run with an administrator's rights. The request's id goes into the write-ahead log with them, so that rows
 * written here, and by such triggers, are known as this request's.
 */
export function createDatabase(admin: Sql): Database {
  return {
    sql: admin,
    change: (work, body) =>
      admin.transaction(async (transaction) => {
        const become = sql`
          select pg_catalog.pg_logical_emit_message(true, 'clew', ${typed(work.id, 'text')}),
            pg_catalog.set_config('role', 'supabase_auth_admin', true)`
        // Not recorded: it is the frame around the statements, not one of them.
        await transaction.query(compile(become), null)
        return body(transaction)
      }, work),
  }
}
