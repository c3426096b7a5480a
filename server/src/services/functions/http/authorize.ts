import { functionsError } from '../errors.ts'

/** Whether a token or key is good: signature and times, whatever its role. */
export type VerifyToken = (token: string) => boolean

/**
 * Checks the caller of a function with `verify_jwt` (functions §2). A preflight carries no token.
 *
 * @throws MISSING_AUTHORIZATION, NOT_BEARER, INVALID_JWT
 */
export function checkToken(method: string, authorization: string | undefined, verify: VerifyToken): void {
  if (method === 'OPTIONS') return
  if (authorization === undefined) throw functionsError('MISSING_AUTHORIZATION')
  const token = /^bearer +(\S+)\s*$/i.exec(authorization)?.[1]
  if (token === undefined) throw functionsError('NOT_BEARER')
  if (!verify(token)) throw functionsError('INVALID_JWT')
}
