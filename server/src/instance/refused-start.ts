import { instanceError } from '../errors.ts'
import { ServiceError } from '../ground/errors/service-error.ts'

const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])
const unwritableCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])

/**
 * The error that a failed start reports: a full or read-only disk is named as such, whichever part met it first; any other
 * error is returned as it is.
 */
export function explainStart(error: unknown, dataDir: string): unknown {
  if (error instanceof ServiceError) {
    const details = typeof error.details === 'string' ? error.details : ''
    if (/No space left on device|Disk quota exceeded|NOT_ENOUGH_SPACE/.test(details)) return full(dataDir, error)
    return /Read-only file system/.test(details) ? unwritable(dataDir, 'EROFS', error) : error
  }
  if (!(error instanceof Error)) return error
  const { code, path } = error as NodeJS.ErrnoException
  if (fullCodes.has(code)) return full(dataDir, error)
  return unwritableCodes.has(code) ? unwritable(path ?? dataDir, String(code), error) : error
}

const full = (dataDir: string, cause: unknown): ServiceError =>
  instanceError('CLEW_START_DISK_FULL', { message: `The disk that ${dataDir} is on is full.`, cause })

const unwritable = (path: string, code: string, cause: unknown): ServiceError =>
  instanceError('CLEW_START_DIRECTORY', { message: `${path} cannot be used (${code}).`, cause })
