import type pg from 'pg'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { Sql } from '../postgres.ts'
import { openingOf, ownersGreeting, ownersPath, type RoleLogin } from '../server/server.ts'
import { createSql } from './sql-pool.ts'

export interface ReaderOptions {
  /** The role that the statements run as. */
  readonly role: string
  /** Whether each transaction has another connection. */
  readonly pooled: boolean
  /** How long a statement may take: an operator waits for the answer. */
  readonly timeoutMs: number
}

const openingStatement = (timeoutMs: number): Statement =>
  compile(sql`
    select
      pg_catalog.set_config('transaction_read_only', 'on', true),
      pg_catalog.set_config('statement_timeout', ${String(timeoutMs)}, true)`)

/**
 * Reads what the application made, as its owner: views, row types and operators of the application run its own code,
 * which must have no more rights than it has anyway, change nothing, and leave nothing for the next statement.
 *
 * @param pool of connections that begin with the owner's greeting, or of a pooler's
 */
export function createReader(
  pool: pg.Pool,
  owner: RoleLogin,
  { role, pooled, timeoutMs }: ReaderOptions,
): Pick<Sql, 'query'> {
  const opening = openingStatement(timeoutMs)
  const state = pooled ? { opening: openingOf(owner, ownersPath) } : { restore: ['discard all', ownersGreeting(owner)] }
  const sqlOfOwner = createSql(pool, role, { ...state, preparesStatements: false })
  return {
    query: (statement, context = null) => sqlOfOwner.transaction((tx) => tx.query(statement), context, opening),
  }
}
