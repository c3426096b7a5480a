import pg from 'pg'
import { messageOf } from '../../ground/errors/message.ts'
import type { InsertFailure } from '../../ground/model/insert-failure.ts'

/**
 * Classes of SQLSTATE by which PostgreSQL says that it cannot store now, whatever the rows are: no connection (08), no
 * right or password (28, 42501), a conflict with another transaction (40), resources (53), an operator or a shutdown
 * (57), the system (58), Clew's own tables not created yet (42P01, 3F000).
 */
const transientStates = /^(08|28|3D|3F|40|53|55|57|58|F0)|^(25006|42501|42P01|42703)$/

/** A statement that the server refused; `code` is its SQLSTATE. */
export interface DatabaseError extends Error {
  readonly code: string
  readonly detail?: string | undefined
  readonly hint?: string | undefined
  readonly constraint?: string | undefined
  readonly table?: string | undefined
  readonly column?: string | undefined
  /** Where in the statement, in characters from 1. */
  readonly position?: string | undefined
  /** Where in functions and triggers it was raised, a line each, innermost first. */
  readonly where?: string | undefined
}

/** Whether the server refused a statement; false for errors of the network, the driver and Clew itself. */
export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof pg.DatabaseError && error.code !== undefined

/**
 * The SQLSTATE of a statement that the server refused, `23505` for one; null for every other error.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export const sqlStateOf = (error: unknown): string | null => (isDatabaseError(error) ? error.code : null)

/** Whether a statement was refused because a row would have broken this constraint (class 23). */
export const violates = (error: unknown, constraint: string): boolean =>
  isDatabaseError(error) && error.code.startsWith('23') && error.constraint === constraint

/** What a failed insert means for its rows. The reason leaves out the message and its details: they may quote rows. */
export function classifyPostgresError(error: unknown): InsertFailure {
  const state = sqlStateOf(error)
  if (state !== null) return { blame: transientStates.test(state) ? 'engine' : 'rows', reason: `SQLSTATE ${state}` }
  return { blame: 'engine', reason: messageOf(error) }
}
