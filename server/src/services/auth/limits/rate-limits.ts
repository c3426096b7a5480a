import { createTokenBuckets } from '../../../ground/limits/token-bucket.ts'
import type { OpenTopic } from '../../../ground/model/topic.ts'
import { authError } from '../model/errors.ts'
import { networkOf } from '../model/network.ts'

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

/** The rates of calls, as the settings of the features have them. */
export interface RateLimitSettings {
  readonly rateLimitMfa: number
  readonly rateLimitTokenRefresh: number
  readonly rateLimitTokenVerifications: number
  readonly rateLimitSso: number
  readonly rateLimitSamlAssertion: number
  readonly rateLimitWeb3: number
  readonly rateLimitOauthClientRegistrations: number
  readonly rateLimitAnonymousUsers: number
  readonly rateLimitSignInSignUps: number
}

/**
 * Counts a call by the address it comes from.
 *
 * @throws over_request_rate_limit, with the seconds to wait
 */
export type LimitCalls = (kind: LimitKind, address: string) => void

/**
 * The limits of calls by the address they come from (auth §24).
 *
 * @throws over_request_rate_limit (from its function), with the seconds to wait
 */
export function createRateLimits(settings: RateLimitSettings, now: () => Date, topic: OpenTopic): LimitCalls {
  const take = createTokenBuckets(now, topic('auth.calls'))
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
