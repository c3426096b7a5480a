import { type DatabaseError, isDatabaseError } from '../../../engines/postgres/index.ts'
import type { ServiceError } from '../../../ground/errors/service-error.ts'
import type { AuthResponse } from '../model/call.ts'
import { authError } from '../model/errors.ts'

const newFormat = '2024-01-01'

/** The code on the wire: catalogue entries for a further status carry it after a slash. */
export const wireCode = (code: string): string => code.split('/', 1)[0] ?? code

/**
 * Renders an error in the format the client asked for (auth §3): `X-Supabase-Api-Version` of 2024-01-01 or later
 * has the code in `code`, without it the status stands there. The version is echoed only when it was understood.
 *
 * @param error      what was thrown; anything that is no ServiceError is a bug, and its text is not sent
 * @param apiVersion the request's header
 * @param requestId  for a 5xx in the initial format
 */
export function renderError(error: ServiceError, apiVersion: string | undefined, requestId: string): AuthResponse {
  const code = wireCode(error.code)
  if (code === 'oauth') return renderOAuthError(error)
  const isNew = isNewFormat(apiVersion)
  const weak = code === 'weak_password' ? { weak_password: error.details } : {}
  const body = isNew
    ? { code, message: error.message, ...weak }
    : {
        code: error.status,
        error_code: code,
        msg: error.message,
        ...(error.status >= 500 ? { error_id: requestId } : {}),
        ...weak,
      }
  return {
    status: error.status,
    body,
    headers: {
      ...error.headers,
      ...(isNew ? { 'x-supabase-api-version': newFormat } : {}),
      ...(isNew && code === 'weak_password' ? {} : { 'x-sb-error-code': code }),
    },
  }
}

/** RFC 6749 §5.2: no code of ours beside the specification's, whatever version the client asked for. */
function renderOAuthError(error: ServiceError): AuthResponse {
  const body = { ...(error.details as object), error_description: error.message }
  return { status: error.status, body, headers: error.headers }
}

/** Whether the client reads the format of 2024. */
function isNewFormat(apiVersion: string | undefined): boolean {
  if (apiVersion === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(apiVersion)) return false
  return !Number.isNaN(Date.parse(apiVersion)) && apiVersion >= newFormat
}

/**
 * Renders what a trigger or constraint of the application raised: passed through in the initial format (auth §3),
 * with the status of a `PTnnn` code, else 500.
 */
export function renderApplicationError(
  error: DatabaseError,
  apiVersion: string | undefined,
  requestId: string,
): AuthResponse {
  if (isNewFormat(apiVersion)) {
    const failure = authError('unexpected_failure', { message: 'Database error saving the user', cause: error })
    return renderError(failure, apiVersion, requestId)
  }
  const named = /^PT([4-5]\d\d)$/.exec(error.code)?.[1]
  return {
    status: named === undefined ? 500 : Number(named),
    body: {
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.detail === undefined ? {} : { detail: error.detail }),
    },
    headers: { 'x-sb-error-code': 'unexpected_failure' },
  }
}

/** Whether this is `pg`'s error of class P0 (raised by PL/pgSQL), 23 (a constraint), 42501 or PT. */
export const isApplicationError = (error: unknown): error is DatabaseError =>
  isDatabaseError(error) && /^(P0|23|PT|42501)/.test(error.code)
