import { messageOf } from '../../../ground/errors/message.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { type StorageErrorCode, storageError, wireForms } from '../errors.ts'
import { FileError } from '../files/errors.ts'

/** The body of every error (storage §1); `statusCode` is a text. */
export interface ErrorBody {
  readonly statusCode: string
  readonly error: string
  readonly message: string
  readonly code: string
}

/** An error as HTTP carries it. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

/** The logical statuses that are the HTTP status as well; every other error has HTTP 400 (storage §1). */
const ownStatus: ReadonlySet<number> = new Set([416, 429, 499, 500, 507, 544])

/** The error that the service means by a failure of a file store; any other value as it is. */
export function translateFileError(error: unknown): unknown {
  if (!(error instanceof FileError)) return error
  switch (error.code) {
    case 'FileMissing':
      return storageError('FileMissing', { headers: { 'cache-control': 'no-store' }, cause: error })
    case 'FileTooLarge':
      return storageError('EntityTooLarge', { cause: error })
    case 'NoSpace':
      return storageError('OutOfSpace', { cause: error })
    case 'Unavailable':
      return storageError('StoreUnavailable', { cause: error })
    default:
      return error
  }
}

/** Whether an error is one of the catalogue. */
export const isStorageError = (error: unknown): error is ServiceError & { readonly code: StorageErrorCode } =>
  error instanceof ServiceError && Object.hasOwn(storageError.entries, error.code)

/** The response to an error of the catalogue, or of the framework; null for a bug. */
export function toErrorResponse(thrown: unknown): ErrorResponse | null {
  const error = translateFileError(thrown)
  if (isStorageError(error)) {
    const { code, label, isHttpStatus = ownStatus.has(error.status) } = wireForms[error.code] ?? {}
    return {
      status: isHttpStatus ? error.status : 400,
      headers: error.headers,
      body: {
        statusCode: String(error.status),
        error: label ?? code ?? error.code,
        message: error.message,
        code: code ?? error.code,
      },
    }
  }
  return isFrameworkError(error) ? frameworkResponse(error) : null
}

interface FrameworkError extends Error {
  readonly code: string
  readonly statusCode: number
}

const isFrameworkError = (error: unknown): error is FrameworkError =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  error.statusCode < 500 &&
  'code' in error

/** What Fastify refuses: bodies that do not fit their schema, are too large or are no JSON. */
function frameworkResponse(error: FrameworkError): ErrorResponse | null {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return toErrorResponse(storageError('InvalidMimeType', { cause: error }))
  const isTooLarge = error.statusCode === 413
  return {
    status: error.statusCode,
    headers: {},
    body: {
      statusCode: String(error.statusCode),
      error: isTooLarge ? 'Payload too large' : 'Error',
      message: messageOf(error),
      code: isTooLarge ? 'EntityTooLarge' : 'InvalidRequest',
    },
  }
}
