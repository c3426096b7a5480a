import type pg from 'pg'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, sql } from '../../../ground/sql/sql.ts'
import type { Reader } from '../postgres.ts'
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
export function createReader(pool: pg.Pool, owner: RoleLogin, { role, pooled, timeoutMs }: ReaderOptions): Reader {
  const opening = openingStatement(timeoutMs)
  const state = pooled ? { opening: openingOf(owner, ownersPath) } : { restore: ['discard all', ownersGreeting(owner)] }
  const sqlOfOwner = createSql(pool, role, { ...state, preparesStatements: false })
  return {
    query: (statement, context = null) => sqlOfOwner.transaction((tx) => tx.query(statement), context, opening),
    readSlices: <Row>(statement: Statement, rowsAtOnce: number, take: (rows: readonly Row[]) => Promise<void>) =>
      sqlOfOwner.transaction(
        async (tx) => {
          await tx.query({ ...statement, text: `declare slices no scroll cursor for ${statement.text}` })
          const fetch = compile(sql`fetch ${constant(String(rowsAtOnce))} from slices`)
          for (;;) {
            const { rows } = await tx.query<Row>(fetch)
            if (rows.length > 0) await take(rows)
            if (rows.length < rowsAtOnce) return
          }
        },
        null,
        opening,
      ),
  }
}
