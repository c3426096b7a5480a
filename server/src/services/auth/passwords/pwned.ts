import { createHash } from 'node:crypto'
import { createOutbound } from '../../../engines/outbound/index.ts'
import type { IsPwned } from './passwords.ts'

export interface PwnedOptions {
  /** Where the ranges are, without the five digits: `https://api.pwnedpasswords.com/range`. */
  readonly url: string
  /** The answer while the list is unavailable. */
  readonly whenUnknown: boolean
  readonly timeoutMs: number
  /** Of an answer. */
  readonly maxBytes: number
}

/**
 * Asks a list of breached passwords by k-anonymity: only the first five digits of the SHA-1 leave the house, padded
 * answers hide the number of hits, and the comparison is made here.
 *
 * @see https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
export function createIsPwned({ url, whenUnknown, timeoutMs, maxBytes }: PwnedOptions): IsPwned {
  const call = createOutbound({ reach: 'anywhere', timeoutMs, maxBytes })
  return async (password) => {
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
    const [prefix, suffix] = [digest.slice(0, 5), digest.slice(5)]
    try {
      const answer = await call(`${url}/${prefix}`, { headers: { 'add-padding': 'true', 'user-agent': 'Clew' } })
      if (answer.status !== 200) return whenUnknown
      const lines = (await answer.text()).split(/\r?\n/)
      return lines.some((line) => line.startsWith(`${suffix}:`) && !/:0+$/.test(line))
    } catch {
      // While the list is unavailable, users can still sign up.
      return whenUnknown
    }
  }
}
