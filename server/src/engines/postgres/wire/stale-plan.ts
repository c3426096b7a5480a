import pg from 'pg'

/** A kept statement answers with other columns now, or the server knows it no more: nothing was done. */
export const isStale = (error: unknown): boolean =>
  isDeallocated(error) ||
  (error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery')

/** A column has another type now, while a kept statement's parameters keep theirs: nothing was done, so once again. */
export const isRetyped = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '42883' && error.routine === 'op_error'

/**
 * A name is not the statement that it was: a function deallocated it, or prepared one of its own by that name. Nothing
 * was done; what else the connection's names stand for, nobody knows.
 *
 * @param wasKept whether the statement that failed had been prepared before
 */
export function isMisnamed(error: unknown, wasKept: boolean): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '26000' || error.code === '42P05' || (wasKept && error.code === '08P01')
}

/** Somebody deallocated it, and all others with it. */
export const isDeallocated = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '26000'
