import { type DatabaseError, isDatabaseError } from '../../../engines/postgres/index.ts'
import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { type StorageErrorCode, storageError } from '../errors.ts'
import { isStorageError } from '../http/error-response.ts'

/** Errors by SQLSTATE whose message is the catalogue's (storage §1). */
const byState: Readonly<Record<string, StorageErrorCode>> = {
  '23505': 'ResourceAlreadyExists',
  '25006': 'DatabaseReadOnly',
  '25P02': 'DatabaseTransactionAborted',
  '53300': 'SlowDown',
  '55P03': 'ResourceLocked',
  '57014': 'DatabaseTimeout',
}

/** The error that a statement's failure means; null where the server did not refuse it. */
export function toStorageError(error: unknown): ServiceError | null {
  if (!isDatabaseError(error)) return null
  const known = byState[error.code]
  if (known !== undefined) return storageError(known, { cause: error })
  switch (error.code) {
    case '42501':
      return storageError('AccessDenied', { message: accessDeniedMessage(error), cause: error })
    case '23503':
      return storageError(isReferenced(error) ? 'ResourceReferenced' : 'RelatedMissing', { cause: error })
    case '42P17':
      return storageError('DatabaseInvalidObjectDefinition', { message: error.message, cause: error })
    case '42703':
    case '42P01':
    case '42883':
      return storageError('DatabaseSchemaMismatch', { message: mismatchMessage(error), cause: error })
    // A NUL, which no text of PostgreSQL holds.
    case '22021':
    case '22P05':
      return storageError('InvalidRequest', {
        message: 'A name or value holds a character that none may have',
        cause: error,
      })
    // A role that does not exist, or that the login role may not become.
    case '22023':
    case '42704':
      return storageError('AccessDenied', { message: error.message, cause: error })
    default:
      return storageError('DatabaseError', { message: `database error, code: ${error.code}`, cause: error })
  }
}

/** States of a connection that ended, or of a server that failed: the commit may have come before. */
const unknownOutcome = /^(?:08|57P|58|XX)|^40003$/

/**
 * Whether a write that failed may be committed all the same: its connection was lost, or ended by a shutdown. What the
 * database has refused is undone.
 *
 * @param error of `StorageSql`
 */
export const mayBeCommitted = (error: unknown): boolean =>
  !isStorageError(error) || (isDatabaseError(error.cause) && unknownOutcome.test(error.cause.code))

/** With the function, trigger or policy in which the name is missing. */
const mismatchMessage = ({ message, where = '' }: DatabaseError): string =>
  [message, ...where.split('\n', 1)].filter(Boolean).join(', in ')

/** Without the name of the table, which the reference leaves out too. */
const accessDeniedMessage = ({ message }: DatabaseError): string => message.replace(/ for table "\w+"$/, '')

const isReferenced = ({ detail = '' }: DatabaseError): boolean => detail.includes('is still referenced')
