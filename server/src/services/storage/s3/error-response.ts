import { ServiceError } from '../../../ground/errors/service-error.ts'
import { wireForms } from '../errors.ts'
import { isStorageError, translateFileError } from '../http/error-response.ts'
import type { S3Response } from './call.ts'
import { renderErrorDocument } from './xml/render.ts'

/** An error as the protocol answers it, with the code that clients read. */
export interface S3ErrorResponse extends S3Response {
  readonly code: string
}

/** The response to an error of a catalogue; null for a bug (storage §1). */
export function toErrorResponse(thrown: unknown, resource: string): S3ErrorResponse | null {
  const error = translateFileError(thrown)
  if (!(error instanceof ServiceError)) return null
  const code = (isStorageError(error) ? wireForms[error.code]?.code : undefined) ?? error.code
  return describe(error.status, code, error.message, resource, error.headers)
}

/** The response to a bug: it says nothing of it. */
export const internalError = (resource: string): S3ErrorResponse =>
  describe(500, 'InternalError', 'We encountered an internal error. Please try again.', resource, {})

const describe = (
  status: number,
  code: string,
  message: string,
  resource: string,
  headers: Readonly<Record<string, string>>,
): S3ErrorResponse => ({
  status,
  code,
  headers: { ...headers, 'content-type': 'application/xml' },
  body: renderErrorDocument({ Resource: resource, Code: code, Message: message }),
})
