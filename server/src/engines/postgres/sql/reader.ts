import type pg from 'pg'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { Sql } from '../postgres.ts'
import { openingOf, ownersGreeting, ownersPath, type RoleLogin } from '../server/server.ts'
import { createSql } from './sql-pool.ts'

/** An operator waits for the answer. */
const timeLimitMs = 10_000

const opening = compile(sql`
  select
    pg_catalog.set_config('transaction_read_only', 'on', true),
    pg_catalog.set_config('statement_timeout', ${String(timeLimitMs)}, true)`)

/**
 * Reads what the application made, as its owner: views, row types and operators of the application run its own code,
 * which must have no more rights than it has anyway, change nothing, and leave nothing for the next statement.
 *
 * @param pool   of connections that begin with the owner's greeting, or of a pooler's
 * @param pooled whether each transaction has another connection
 */
export function createReader(pool: pg.Pool, owner: RoleLogin, role: string, pooled: boolean): Pick<Sql, 'query'> {
  const state = pooled ? { opening: openingOf(owner, ownersPath) } : { restore: ['discard all', ownersGreeting(owner)] }
  const sqlOfOwner = createSql(pool, role, { ...state, preparesStatements: false })
  return {
    query: (statement, context = null) => sqlOfOwner.transaction((tx) => tx.query(statement), context, opening),
  }
}
