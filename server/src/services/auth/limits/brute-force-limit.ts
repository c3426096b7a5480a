import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { createTokenBuckets } from '../../../ground/limits/token-bucket.ts'
import type { OpenTopic } from '../../../ground/model/topic.ts'
import { authError } from '../model/errors.ts'
import type { BruteForceLimit } from './limits.ts'
import type { RateLimitSettings } from './rate-limits.ts'

/** As many at once, before the rate begins to tell. */
const burst = 30

/** The limit of wrong guesses, at the rates of calls from one address. */
export function createBruteForceLimit(
  settings: Pick<RateLimitSettings, 'rateLimitTokenVerifications' | 'rateLimitMfa'>,
  now: () => Date,
  topic: OpenTopic,
): BruteForceLimit {
  const take = createTokenBuckets(now, topic('auth.guesses'))
  const tooMany = (waitSeconds: number): ServiceError =>
    authError('over_request_rate_limit', { headers: { 'retry-after': String(waitSeconds) } })
  return {
    errorFor(contact, error) {
      const bucket = { burst, refillPerSecond: settings.rateLimitTokenVerifications / 300 }
      const waitSeconds = take(`contact ${contact}`, bucket)
      return waitSeconds === null ? error : tooMany(waitSeconds)
    },
    countFactor(factorId, from) {
      const waitSeconds = take(`factor ${factorId} ${from}`, { burst, refillPerSecond: settings.rateLimitMfa / 60 })
      if (waitSeconds !== null) throw tooMany(waitSeconds)
    },
  }
}
