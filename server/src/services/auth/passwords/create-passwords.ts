import { hash } from '@node-rs/bcrypt'
import { createLimiter } from '../../../ground/limits/limiter.ts'
import { authError } from '../model/errors.ts'
import { hashKindOf, matchesHash } from './hash.ts'
import type { Passwords } from './passwords.ts'

export interface PasswordsOptions {
  readonly concurrency: number
  readonly queue: number
  /** The logarithm of bcrypt's rounds, 4 to 31. */
  readonly cost: number
}

export const defaultCost = 10
/** No password's hash: an unknown user's sign-in is compared with it, so that it takes as long. */
const nobodysHash = (cost: number): string =>
  `$2a$${String(cost).padStart(2, '0')}$h/6.oP1UttQMwtSh0RZdG.wZJ/IZrgFgueu1QgFjB4iYrswybV2Zi`

/**
 * The queue of hashes. A hash takes some 50 ms of one core: without a bound a storm of sign-ins would take every thread of
 * the pool, and with it files and name look-ups.
 *
 * @throws over_request_rate_limit (from its functions) when too many wait already
 */
export function createPasswords({ concurrency, queue, cost }: PasswordsOptions): Passwords {
  const absent = nobodysHash(cost)
  const limited = createLimiter({ concurrency, queue, refuse: () => authError('over_request_rate_limit') })
  return {
    hash: (password) => limited(() => hash(password, { cost, version: '2a' })),
    async matches(password, stored) {
      const usable = stored !== null && hashKindOf(stored) !== undefined
      const fits = await limited(() => matchesHash(password, usable ? stored : absent))
      return usable && fits
    },
  }
}
