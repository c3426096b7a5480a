import pg from 'pg'

/** A prepared statement would answer with other columns now, or the server has dropped it. Nothing was run. */
export const isStale = (error: unknown): boolean =>
  isDeallocated(error) ||
  (error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery')

/** A column has another type now, and the prepared statement's parameters have the old one. Nothing was run. */
export const isRetyped = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '42883' && error.routine === 'op_error'

/**
 * A name stands for another statement: a function deallocated ours, or prepared one of its own by that name. Nothing was
 * run, and the connection's other names cannot be trusted either.
 *
 * @param wasPrepared whether the statement that failed had been prepared before
 */
export function isMisnamed(error: unknown, wasPrepared: boolean): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '26000' || error.code === '42P05' || (wasPrepared && error.code === '08P01')
}

/** The application ran DEALLOCATE ALL or DISCARD ALL. */
const isDeallocated = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '26000'
