import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createTokenBuckets } from '../../../ground/limits/token-bucket.ts'
import { authError } from '../errors.ts'
import type { AuthSettings } from '../settings.ts'

/** The calls that are counted, each by itself. */
export type LimitKind =
  | 'signup'
  | 'anonymous'
  | 'otp'
  | 'magiclink'
  | 'recover'
  | 'resend'
  | 'user'
  | 'token'
  | 'verify'
  | 'oauth_register'
  | 'oauth_token'
  | 'factor_challenge'
  | 'factor_verify'
  | 'passkey'
  | 'sso'
  | 'saml_assertion'
  | 'web3'

/**
 * Makes the limits of calls by the address they come from (auth §24).
 *
 * @throws over_request_rate_limit (from its function), with the seconds to wait
 */
export function createRateLimits(settings: AuthSettings, now: () => Date): (kind: LimitKind, address: string) => void {
  const take = createTokenBuckets(now)
  const fiveMinutes = 300
  const hour = 3600
  const rateOf = (kind: LimitKind): number => {
    if (kind === 'factor_challenge' || kind === 'factor_verify') return settings.rateLimitMfa / 60
    if (kind === 'token' || kind === 'oauth_token') return settings.rateLimitTokenRefresh / fiveMinutes
    if (kind === 'verify') return settings.rateLimitTokenVerifications / fiveMinutes
    if (kind === 'sso') return settings.rateLimitSso / fiveMinutes
    if (kind === 'saml_assertion') return settings.rateLimitSamlAssertion / fiveMinutes
    if (kind === 'web3') return settings.rateLimitWeb3 / fiveMinutes
    if (kind === 'oauth_register') return settings.rateLimitOauthClientRegistrations / fiveMinutes
    return kind === 'anonymous'
      ? settings.rateLimitAnonymousUsers / hour
      : settings.rateLimitSignInSignUps / fiveMinutes
  }
  return (kind, address) => {
    const waitSeconds = take(`${kind} ${networkOf(address)}`, { burst: 30, refillPerSecond: rateOf(kind) })
    if (waitSeconds !== null)
      throw authError('over_request_rate_limit', { headers: { 'retry-after': String(waitSeconds) } })
  }
}

/** Who is counted: an IPv6 address by its first half, for whoever has one of them has them all. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
