import type { Claims, TokenProblem } from '../model/caller.ts'

/** The clock that a token's times are compared with. */
export interface TokenClock {
  readonly nowSeconds: number
  /** Leeway on `exp`, `nbf` and `iat`. */
  readonly skewSeconds: number
  /** Whether a token is still good in the very moment of `exp` plus the leeway. RFC 7519 §4.1.4 says no; PostgREST, yes. */
  readonly acceptsExpiryMoment?: boolean
}

/** The first of `exp`, `nbf` and `iat` (RFC 7519 §4.1) that is against a token; null when none is. */
export function checkTimes(claims: Claims, clock: TokenClock): TokenProblem | null {
  return checkExpiry(claims, clock) ?? checkNotBefore(claims, clock) ?? checkIssuedAt(claims, clock)
}

/** Null stands for an absent claim. */
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const isTime = (value: unknown): value is number => Number.isFinite(value)

function checkExpiry(
  claims: Claims,
  { nowSeconds, skewSeconds, acceptsExpiryMoment }: TokenClock,
): TokenProblem | null {
  const { exp } = claims
  if (isAbsent(exp)) return null
  if (!isTime(exp)) return { kind: 'bad_claims', claim: 'exp' }
  const end = exp + skewSeconds
  const isExpired = acceptsExpiryMoment === true ? nowSeconds > end : nowSeconds >= end
  return isExpired ? { kind: 'expired', claims } : null
}

function checkNotBefore(claims: Claims, { nowSeconds, skewSeconds }: TokenClock): TokenProblem | null {
  const { nbf } = claims
  if (isAbsent(nbf)) return null
  if (!isTime(nbf)) return { kind: 'bad_claims', claim: 'nbf' }
  return nowSeconds < nbf - skewSeconds ? { kind: 'not_yet_valid', claims } : null
}

function checkIssuedAt(claims: Claims, { nowSeconds, skewSeconds }: TokenClock): TokenProblem | null {
  const { iat } = claims
  if (isAbsent(iat)) return null
  if (!isTime(iat)) return { kind: 'bad_claims', claim: 'iat' }
  // Whole seconds: a token is often used within the second that made it.
  return Math.ceil(nowSeconds) < iat - skewSeconds ? { kind: 'issued_in_future', claims } : null
}
