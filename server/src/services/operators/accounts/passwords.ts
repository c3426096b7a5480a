import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { createLimiter } from '../../../ground/limits/limiter.ts'
import { operatorsError } from '../errors.ts'

/** Hashes and checks operators' passwords, off the event loop and one at a time. */
export interface Passwords {
  /** `scrypt-hmac$N$r$p$salt$hash`, the last two in base64url: HMAC-SHA256 of the scrypt hash. */
  hash(password: string): Promise<string>
  /** Whether the password matches; a null hash costs the time of a comparison and never matches. */
  matches(password: string, hash: string | null): Promise<boolean>
}

// OWASP's parameters for scrypt: 32 MiB and some 100 ms.
const cost = { N: 2 ** 15, r: 8, p: 3 }
const hashBytes = 32
const scheme = 'scrypt-hmac'
const schemeWithoutPepper = 'scrypt'

/**
 * Hashing is queued: the team is small, and a storm of attempts must not occupy the thread pool.
 *
 * @param pepper an HMAC key that is not in the database, so that its hashes alone do not allow guessing
 * @param queue how many hashes may wait; more are rejected
 * @param N what a new hash costs, a power of two
 */
export function createPasswords(pepper: Buffer, queue: number, N = cost.N): Passwords {
  const newCost = { ...cost, N }
  const limited = createLimiter({
    concurrency: 1,
    queue,
    refuse: () => operatorsError('CLEW_OPERATORS_TOO_MANY_ATTEMPTS', { headers: { 'retry-after': '10' } }),
  })
  const dummySalt = randomBytes(16)
  return {
    async hash(password) {
      const salt = randomBytes(16)
      const hash = withPepper(pepper, await limited(() => derive(password, salt, newCost)))
      return [scheme, newCost.N, newCost.r, newCost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
    },
    async matches(password, stored) {
      const [storedScheme, N, r, p, salt = '', expected = ''] = stored?.split('$') ?? []
      const isUsable = storedScheme === scheme
      const parameters = isUsable ? { N: Number(N), r: Number(r), p: Number(p) } : newCost
      const derived = await limited(() =>
        derive(password, isUsable ? Buffer.from(salt, 'base64url') : dummySalt, parameters),
      )
      const hash = withPepper(pepper, derived)
      const expectedHash = Buffer.from(expected, 'base64url')
      return isUsable && expectedHash.length === hash.length && timingSafeEqual(expectedHash, hash)
    },
  }
}

/** Adds the pepper to a hash that has none, without the password; any other hash is returned unchanged. */
export function pepperHash(hash: string, pepper: Buffer): string {
  const [storedScheme, N, r, p, salt, derived = ''] = hash.split('$')
  if (storedScheme !== schemeWithoutPepper) return hash
  const peppered = withPepper(pepper, Buffer.from(derived, 'base64url'))
  return [scheme, N, r, p, salt, peppered.toString('base64url')].join('$')
}

const withPepper = (pepper: Buffer, derived: Buffer): Buffer => createHmac('sha256', pepper).update(derived).digest()

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  // Keyboards compose letters differently; NFKC makes equal what looks equal.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
