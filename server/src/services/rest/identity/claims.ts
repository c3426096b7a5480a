import { checkTimes } from '../../../ground/jwt/times.ts'
import type { Claims } from '../../../ground/model/caller.ts'
import { invalidToken, tokenError } from '../error-response/error-response.ts'

/** Leeway for the clocks of token issuers (rest §13). */
const skewSeconds = 30

function checkAudience(claims: Claims, audience: string | null): void {
  const { aud } = claims
  if (aud === undefined || aud === null) return
  const named = Array.isArray(aud) ? aud : [aud]
  if (!named.every((one) => typeof one === 'string'))
    throw invalidToken('PGRST303', "The JWT 'aud' claim must be a string or an array of strings")
  if (audience === null || (Array.isArray(aud) && aud.length === 0) || named.includes(audience)) return
  throw invalidToken('PGRST303', 'JWT not in audience')
}

/**
 * Checks the times and the audience of a token (rest §13).
 *
 * @param audience the audience that this server is; null where any is accepted
 * @throws PGRST303
 */
export function checkClaims(claims: Claims, now: Date, audience: string | null): void {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  const problem = checkTimes(claims, { nowSeconds, skewSeconds, acceptsExpiryMoment: true })
  if (problem !== null) throw tokenError(problem)
  checkAudience(claims, audience)
}
