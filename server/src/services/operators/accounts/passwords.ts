import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { currentOf, type OfRoot } from '../../../ground/ids/root-keys.ts'
import { createLimiter } from '../../../ground/limits/limiter.ts'
import { operatorsError } from '../errors.ts'

/** Hashes and checks operators' passwords, off the event loop and one at a time. */
export interface Passwords {
  /** `scrypt-hmac$N$r$p$salt$hash$root`, salt and hash in base64url: HMAC-SHA256 of the scrypt hash, and its root key's id. */
  hash(password: string): Promise<string>
  /** Whether the password matches; a null hash costs the time of a comparison and never matches. */
  matches(password: string, hash: string | null): Promise<boolean>
}

/** HMAC keys that are not in the database, so that its hashes alone do not allow guessing: that of now first. */
export type Peppers = () => readonly OfRoot<Buffer>[]

/** The dependencies of `createPasswords`. */
export interface PasswordsDeps {
  readonly peppers: Peppers
  /** How many hashes may wait; more are rejected. */
  readonly queue: number
  /** What a new hash costs, a power of two. */
  readonly N?: number | undefined
  /** Stores the hash under the pepper of now in place of one that a password has just matched. */
  readonly replace: (before: string, after: string) => Promise<void>
}

// OWASP's parameters for scrypt: 32 MiB and some 100 ms.
const cost = { N: 2 ** 15, r: 8, p: 3 }
const hashBytes = 32
const scheme = 'scrypt-hmac'
const schemeWithoutPepper = 'scrypt'

/** Hashing is queued: the team is small, and a storm of attempts must not occupy the thread pool. */
export function createPasswords({ peppers, queue, N = cost.N, replace }: PasswordsDeps): Passwords {
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
      const derived = await limited(() => derive(password, salt, newCost))
      const parts = [scheme, newCost.N, newCost.r, newCost.p, salt.toString('base64url')]
      return renderHash(parts, derived, currentOf(peppers()))
    },
    async matches(password, stored) {
      const [storedScheme, N, r, p, salt = '', expected = '', rootId = ''] = stored?.split('$') ?? []
      const isUsable = storedScheme === scheme
      const parameters = isUsable ? { N: Number(N), r: Number(r), p: Number(p) } : newCost
      const derived = await limited(() =>
        derive(password, isUsable ? Buffer.from(salt, 'base64url') : dummySalt, parameters),
      )
      const pepper = peppers().find((each) => each.rootId === rootId)
      const current = currentOf(peppers())
      const hash = withPepper((pepper ?? current).value, derived)
      const expectedHash = Buffer.from(expected, 'base64url')
      const isRight = isUsable && expectedHash.length === hash.length && timingSafeEqual(expectedHash, hash)
      if (!isRight || stored === null || pepper === undefined) return false
      if (pepper.rootId !== current.rootId) await replace(stored, renderHash([scheme, N, r, p, salt], derived, current))
      return true
    },
  }
}

/** Adds the pepper to a hash that has none, without the password; any other hash is returned unchanged. */
export function pepperHash(hash: string, pepper: OfRoot<Buffer>): string {
  const [storedScheme, N, r, p, salt, derived = ''] = hash.split('$')
  if (storedScheme !== schemeWithoutPepper) return hash
  return renderHash([scheme, N, r, p, salt], Buffer.from(derived, 'base64url'), pepper)
}

const renderHash = (
  parts: readonly (string | number | undefined)[],
  derived: Buffer,
  { rootId, value }: OfRoot<Buffer>,
): string => [...parts, withPepper(value, derived).toString('base64url'), rootId].join('$')

const withPepper = (pepper: Buffer, derived: Buffer): Buffer => createHmac('sha256', pepper).update(derived).digest()

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
  // Keyboards compose letters differently; NFKC makes equal what looks equal.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
