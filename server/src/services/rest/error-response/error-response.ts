import { type DatabaseError, isDatabaseError } from '../../../engines/postgres/index.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { TokenProblem } from '../../../ground/model/caller.ts'
import { restError } from '../errors.ts'
import { type ErrorFields, errorBody } from '../render/error-body.ts'
import type { Header } from '../render/guc.ts'
import type { RestResponse } from '../render/response.ts'
import { parseRaisedError } from './raised-error.ts'
import { statusOfSqlState } from './sql-state.ts'

function connectionError(error: unknown): ServiceError | null {
  if (!(error instanceof ServiceError)) return null
  const { code, details } = error
  if (code === 'POSTGRES_POOL_TIMEOUT') return restError('PGRST003', { cause: error })
  if (code === 'POSTGRES_UNREACHABLE') return restError('PGRST000', { details, cause: error })
  return code === 'POSTGRES_CONNECTION_LOST' ? restError('PGRST001', { details, cause: error }) : null
}

interface Shown extends ErrorFields {
  readonly status: number
  readonly statusText: string | null
  readonly headers: readonly Header[]
}

function ofDatabase(error: DatabaseError, anonymous: boolean): Shown {
  if (error.code === 'PGRST') return parseRaisedError(error.message, error.detail ?? null)
  const { status, statusText } = statusOfSqlState(error.code, error.message, anonymous)
  return {
    code: error.code,
    message: error.message,
    details: error.detail ?? null,
    hint: error.hint ?? null,
    status,
    statusText,
    headers: status === 401 ? [['www-authenticate', 'Bearer']] : [],
  }
}

const ofService = (error: ServiceError): Shown => ({
  code: error.code,
  message: error.message,
  details: error.details,
  hint: error.wireHint,
  status: error.status,
  statusText: null,
  headers: Object.entries(error.headers).map(([name, value]): Header => [name.toLowerCase(), value]),
})

const isPlainText = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/**
 * The error response for an error of the service or of PostgreSQL (rest §14); null for any other, which is a bug.
 *
 * @param anonymous whether the role is the anonymous one, whose missing permissions answer 401
 */
export function toErrorResponse(error: unknown, anonymous: boolean, verbose: boolean): RestResponse | null {
  const own = connectionError(error) ?? (error instanceof ServiceError ? error : null)
  const shown = own !== null ? ofService(own) : isDatabaseError(error) ? ofDatabase(error, anonymous) : null
  if (shown === null) return null
  return {
    status: shown.status,
    statusText: shown.statusText !== null && isPlainText(shown.statusText) ? shown.statusText : null,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['proxy-status', `PostgREST; error=${shown.code}`],
      ...(shown.status === 503 ? [['retry-after', '1'] as const] : []),
      ...shown.headers,
    ],
    body: errorBody(shown, verbose),
    errorCode: shown.code,
    rows: null,
  }
}

/** A token that is not accepted, in the words that the challenge repeats (RFC 6750 §3). */
export const invalidToken = (
  code: 'PGRST301' | 'PGRST303',
  message: string,
  details: string | null = null,
): ServiceError =>
  restError(code, {
    message,
    details,
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description=${JSON.stringify(message)}` },
  })

const claimMessage = (claim: string): string => {
  if (claim === 'aud') return "The JWT 'aud' claim must be a string or an array of strings"
  return ['exp', 'nbf', 'iat'].includes(claim) ? `The JWT '${claim}' claim must be a number` : 'Parsing claims failed'
}

/** A token's problem in the words of rest §13. */
export function tokenError(problem: TokenProblem): ServiceError {
  switch (problem.kind) {
    case 'empty':
      return invalidToken('PGRST301', 'Empty JWT is sent in Authorization header')
    case 'malformed':
      return problem.parts === 3
        ? invalidToken('PGRST301', 'JWT cryptographic operation failed')
        : invalidToken('PGRST301', `Expected 3 parts in JWT; got ${problem.parts}`)
    case 'unknown_key':
      return invalidToken(
        'PGRST301',
        'No suitable key or wrong key type',
        'No suitable key was found to decode the JWT',
      )
    case 'bad_signature':
      return invalidToken(
        'PGRST301',
        'No suitable key or wrong key type',
        'None of the keys was able to decode the JWT',
      )
    case 'unsupported_algorithm':
      return invalidToken(
        'PGRST301',
        'Wrong or unsupported encoding algorithm',
        problem.isUnsecured === true ? "JWT is unsecured but expected 'alg' was not 'none'" : null,
      )
    case 'unsupported_type':
      return invalidToken('PGRST301', 'Unsupported token type')
    case 'expired':
      return invalidToken('PGRST303', 'JWT expired')
    case 'not_yet_valid':
      return invalidToken('PGRST303', 'JWT not yet valid')
    case 'issued_in_future':
      return invalidToken('PGRST303', 'JWT issued at future')
    case 'bad_claims':
      return invalidToken('PGRST303', claimMessage(problem.claim))
  }
}
