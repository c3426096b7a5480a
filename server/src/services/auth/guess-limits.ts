import { createTokenBuckets } from '../../ground/limits/token-bucket.ts'
import { authError } from './errors.ts'
import type { AuthSettings } from './settings.ts'

/**
 * Counts codes by what they are typed for, wherever they come from: who guesses from many addresses gets no further than
 * who guesses from one. Nobody mistypes as often.
 *
 * @param id the e-mail address, phone number or factor, whether there is such a one or not
 * @throws   over_request_rate_limit, with the seconds to wait
 */
export type CountGuess = (kind: 'contact' | 'factor', id: string) => void

/** As many at once, before the rate begins to tell. */
const burst = 30

/** Makes it; the rates are those of calls from one address. */
export function createGuessLimits(
  settings: Pick<AuthSettings, 'rateLimitTokenVerifications' | 'rateLimitMfa'>,
  now: () => Date,
): CountGuess {
  const take = createTokenBuckets(now)
  const refills = { contact: settings.rateLimitTokenVerifications / 300, factor: settings.rateLimitMfa / 60 }
  return (kind, id) => {
    const waitSeconds = take(`${kind} ${id}`, { burst, refillPerSecond: refills[kind] })
    if (waitSeconds !== null)
      throw authError('over_request_rate_limit', { headers: { 'retry-after': String(waitSeconds) } })
  }
}
