import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { createTokenBuckets } from '../../../ground/limits/token-bucket.ts'
import { authError } from '../model/errors.ts'
import type { RateLimitSettings } from './rate-limits.ts'

/** Bounds guesses beside the counts that each code has of its own. */
export interface BruteForceLimit {
  /**
   * What a wrong code is refused with: `refusal`, and after many of them for one contact that they were too many. It is
   * asked about wrong codes only, so a right one is never refused for what strangers guessed; and whether there is such a
   * contact plays no part.
   *
   * @param contact an e-mail address or phone number
   */
  refuse(contact: string, refusal: ServiceError): ServiceError
  /**
   * Counts a code of an authenticator app, which nobody issues and so nothing makes void.
   *
   * @param from whose guesses are counted together: a place the factor was used from before, or everywhere else
   * @throws     over_request_rate_limit, with the seconds to wait
   */
  countFactor(factorId: string, from: string): void
}

/** As many at once, before the rate begins to tell. */
const burst = 30

/** Makes it; the rates are those of calls from one address. */
export function createBruteForceLimit(
  settings: Pick<RateLimitSettings, 'rateLimitTokenVerifications' | 'rateLimitMfa'>,
  now: () => Date,
): BruteForceLimit {
  const take = createTokenBuckets(now)
  const tooMany = (waitSeconds: number): ServiceError =>
    authError('over_request_rate_limit', { headers: { 'retry-after': String(waitSeconds) } })
  return {
    refuse(contact, refusal) {
      const bucket = { burst, refillPerSecond: settings.rateLimitTokenVerifications / 300 }
      const waitSeconds = take(`contact ${contact}`, bucket)
      return waitSeconds === null ? refusal : tooMany(waitSeconds)
    },
    countFactor(factorId, from) {
      const waitSeconds = take(`factor ${factorId} ${from}`, { burst, refillPerSecond: settings.rateLimitMfa / 60 })
      if (waitSeconds !== null) throw tooMany(waitSeconds)
    },
  }
}
