import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { createTurns } from '../../../ground/limits/turns.ts'
import { operatorsError } from '../errors.ts'

/** Hashes and checks operators' passwords, off the event loop and one at a time. */
export interface Passwords {
  /** `scrypt-hmac$N$r$p$salt$hash`, the last two in base64url: HMAC-SHA256 of the scrypt hash. */
  hash(password: string): Promise<string>
  /** Whether the password fits; without a hash it is compared all the same, and never fits. */
  matches(password: string, stored: string | null): Promise<boolean>
}

// OWASP's parameters for scrypt: 32 MiB and some 100 ms.
const cost = { N: 2 ** 15, r: 8, p: 3 }
const hashBytes = 32
const waiting = 100
const kind = 'scrypt-hmac'
const kindWithoutKey = 'scrypt'

/**
 * Makes the queue: the team is small, and a storm of attempts must not take the threads of everybody else.
 *
 * @param key the pepper: whoever reads the hashes cannot try passwords without it
 */
export function createPasswords(key: Buffer): Passwords {
  const inTurn = createTurns({
    concurrency: 1,
    queue: waiting,
    refuse: () => operatorsError('CLEW_OPERATORS_TOO_MANY_ATTEMPTS', { headers: { 'retry-after': '10' } }),
  })
  const nobodys = randomBytes(16)
  return {
    async hash(password) {
      const salt = randomBytes(16)
      const hash = keyed(key, await inTurn(() => derive(password, salt, cost)))
      return [kind, cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
    },
    async matches(password, stored) {
      const [storedKind, N, r, p, salt = '', expected = ''] = stored?.split('$') ?? []
      const usable = storedKind === kind
      const parameters = usable ? { N: Number(N), r: Number(r), p: Number(p) } : cost
      const derived = await inTurn(() =>
        derive(password, usable ? Buffer.from(salt, 'base64url') : nobodys, parameters),
      )
      const hash = keyed(key, derived)
      const wanted = Buffer.from(expected, 'base64url')
      return usable && wanted.length === hash.length && timingSafeEqual(wanted, hash)
    },
  }
}

/** A hash from before the pepper, keyed; null for one that is. It needs no password, so none waits for a sign-in. */
export function keyOlderHash(stored: string, key: Buffer): string | null {
  const [storedKind, N, r, p, salt, hash = ''] = stored.split('$')
  if (storedKind !== kindWithoutKey) return null
  return [kind, N, r, p, salt, keyed(key, Buffer.from(hash, 'base64url')).toString('base64url')].join('$')
}

const keyed = (key: Buffer, hash: Buffer): Buffer => createHmac('sha256', key).update(hash).digest()

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  // Letters that look the same must be the same, whatever keyboard they came from.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
