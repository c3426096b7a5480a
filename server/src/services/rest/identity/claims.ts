import type { Claims } from '../../../ground/model/caller.ts'
import { invalidToken } from '../error-response/error-response.ts'

/** Leeway for the clocks of whoever issues tokens (rest §13). */
const skewSeconds = 30

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function checkTime(
  claims: Claims,
  claim: 'exp' | 'nbf' | 'iat',
  problem: string,
  passes: (at: number) => boolean,
): void {
  const value = claims[claim]
  if (!isGiven(value)) return
  if (typeof value !== 'number') throw invalidToken('PGRST303', `The JWT '${claim}' claim must be a number`)
  if (!passes(value)) throw invalidToken('PGRST303', problem)
}

function checkAudience(claims: Claims, audience: string | null): void {
  const { aud } = claims
  if (!isGiven(aud)) return
  const named = Array.isArray(aud) ? aud : [aud]
  if (!named.every((one) => typeof one === 'string'))
    throw invalidToken('PGRST303', "The JWT 'aud' claim must be a string or an array of strings")
  if (audience === null || (Array.isArray(aud) && aud.length === 0) || named.includes(audience)) return
  throw invalidToken('PGRST303', 'JWT not in audience')
}

/**
 * Checks when and for whom a token is valid (rest §13).
 *
 * @param audience who we are; null where any audience will do
 * @throws PGRST303
 */
export function checkClaims(claims: Claims, now: Date, audience: string | null): void {
  const seconds = Math.floor(now.getTime() / 1000)
  checkTime(claims, 'exp', 'JWT expired', (at) => seconds - skewSeconds <= at)
  checkTime(claims, 'nbf', 'JWT not yet valid', (at) => at <= seconds + skewSeconds)
  checkTime(claims, 'iat', 'JWT issued at future', (at) => at <= seconds + skewSeconds)
  checkAudience(claims, audience)
}
