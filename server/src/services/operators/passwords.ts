import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { createTurns } from '../../ground/limits/turns.ts'
import { operatorsError } from './errors.ts'

/** Hashes and checks operators' passwords, off the event loop and one at a time. */
export interface Passwords {
  /** `scrypt$N$r$p$salt$hash`, both in base64url. */
  hash(password: string): Promise<string>
  /** Whether the password fits; without a hash it is compared all the same, and never fits. */
  matches(password: string, stored: string | null): Promise<boolean>
}

// OWASP's parameters for scrypt: 32 MiB and some 100 ms.
const cost = { N: 2 ** 15, r: 8, p: 3 }
const hashBytes = 32
const waiting = 100

/** Makes the queue: the team is small, and a storm of attempts must not take the threads of everybody else. */
export function createPasswords(): Passwords {
  const inTurn = createTurns({
    concurrency: 1,
    queue: waiting,
    refuse: () => operatorsError('CLEW_OPERATORS_TOO_MANY_ATTEMPTS', { headers: { 'retry-after': '10' } }),
  })
  const nobodys = randomBytes(16)
  return {
    async hash(password) {
      const salt = randomBytes(16)
      const key = await inTurn(() => derive(password, salt, cost))
      return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
    },
    async matches(password, stored) {
      const [kind, N, r, p, salt = '', expected = ''] = stored?.split('$') ?? []
      const usable = kind === 'scrypt'
      const parameters = usable ? { N: Number(N), r: Number(r), p: Number(p) } : cost
      const key = await inTurn(() => derive(password, usable ? Buffer.from(salt, 'base64url') : nobodys, parameters))
      const wanted = Buffer.from(expected, 'base64url')
      return usable && wanted.length === key.length && timingSafeEqual(wanted, key)
    },
  }
}

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  // Letters that look the same must be the same, whatever keyboard they came from.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
