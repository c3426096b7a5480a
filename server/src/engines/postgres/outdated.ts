import pg from 'pg'

/** A kept statement answers with other columns now, or the server knows it no more: nothing was done. */
export const isStale = (error: unknown): boolean =>
  isDeallocated(error) ||
  (error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery')

/** A column has another type now, while a kept statement's parameters keep theirs: nothing was done, so once again. */
export const isRetyped = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '42883' && error.routine === 'op_error'

/** Somebody deallocated it, and all others with it. */
export const isDeallocated = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '26000'
