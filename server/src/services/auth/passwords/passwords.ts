import { hash } from '@node-rs/bcrypt'
import { createLimiter } from '../../../ground/limits/limiter.ts'
import { authError } from '../model/errors.ts'
import { hashKindOf, matchesHash } from './hash.ts'

/** Hashes and checks passwords on other threads, a few at a time. */
export interface Passwords {
  /** A bcrypt hash, cost 10, `$2a$` as the protocol's own server and pgcrypto write it. */
  hash(password: string): Promise<string>
  /** Whether the password fits. Without a hash it is compared all the same, and never fits. */
  matches(password: string, hash: string | null): Promise<boolean>
}

export interface PasswordsOptions {
  readonly concurrency: number
  readonly queue: number
}

const cost = 10
/** Of a password nobody has: what an unknown user's sign-in is compared with, so that it takes as long. */
const nobodysHash = '$2a$10$h/6.oP1UttQMwtSh0RZdG.wZJ/IZrgFgueu1QgFjB4iYrswybV2Zi'

/**
 * Makes the queue. A hash takes some 50 ms of one core: without a bound a storm of sign-ins would take every thread of
 * the pool, and with it files and name look-ups.
 *
 * @throws over_request_rate_limit (from its functions) when too many wait already
 */
export function createPasswords({ concurrency, queue }: PasswordsOptions): Passwords {
  const limited = createLimiter({ concurrency, queue, refuse: () => authError('over_request_rate_limit') })
  return {
    hash: (password) => limited(() => hash(password, { cost, version: '2a' })),
    async matches(password, stored) {
      const usable = stored !== null && hashKindOf(stored) !== undefined
      const fits = await limited(() => matchesHash(password, usable ? stored : nobodysHash))
      return usable && fits
    },
  }
}
