import { createCipheriv, type ScryptOptions, scrypt } from 'node:crypto'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'

/** The ways a stored password may be hashed (auth §25). */
export type HashKind = 'bcrypt' | 'argon2' | 'firebase scrypt'

const maxArgon2Kib = 1_048_576
const maxArgon2Passes = 20
const maxArgon2Lanes = 16
const maxScryptBytes = 1_073_741_824

const bcryptForm = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/
const argon2Form = /^\$argon2(?:i|id)\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{8,}$/
const firebaseForm =
  /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})(?:,ss=([A-Za-z0-9+/=]+))?,sk=([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/

/** The kind of a stored hash; undefined when it is none, or one that would cost more than a sign-in may. */
export function hashKindOf(stored: string): HashKind | undefined {
  const rounds = bcryptForm.exec(stored)?.[1]
  if (rounds !== undefined) return Number(rounds) >= 4 && Number(rounds) <= 31 ? 'bcrypt' : undefined
  const argon2 = argon2Form.exec(stored)
  if (argon2 !== null) {
    const [memory, passes, lanes] = argon2.slice(1).map(Number) as [number, number, number]
    const affordable = memory <= maxArgon2Kib && passes <= maxArgon2Passes && lanes <= maxArgon2Lanes
    return affordable && passes > 0 && lanes > 0 ? 'argon2' : undefined
  }
  return parseFirebase(stored) === undefined ? undefined : 'firebase scrypt'
}

/** Whether a password fits a stored hash of any kind; none fits what is no hash. Works on another thread. */
export async function matchesHash(password: string, stored: string): Promise<boolean> {
  switch (hashKindOf(stored)) {
    case 'bcrypt':
      // `$2y` is PHP's name for what everybody else calls `$2b`.
      return verifyBcrypt(password, stored.replace(/^\$2y\$/, '$2b$'))
    case 'argon2':
      return verifyArgon2(stored, password)
    case 'firebase scrypt':
      return matchesFirebase(password, stored)
    default:
      return false
  }
}

interface FirebaseHash {
  readonly cost: ScryptOptions
  readonly salt: Buffer
  readonly signerKey: Buffer
  readonly hash: string
}

function parseFirebase(stored: string): FirebaseHash | undefined {
  const match = firebaseForm.exec(stored)
  if (match === null) return undefined
  const [, log2, r = '', p = '', separator = '', signerKey = '', salt = '', hash = ''] = match
  const cost = { N: 2 ** Number(log2), r: Number(r), p: Number(p) }
  const bytes = 128 * cost.N * cost.r
  if (cost.N < 2 || cost.r < 1 || cost.p < 1 || cost.p > maxArgon2Lanes || bytes > maxScryptBytes) return undefined
  return {
    cost: { ...cost, maxmem: bytes + 128 * cost.r * cost.p + 65_536 },
    salt: Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(separator, 'base64')]),
    signerKey: Buffer.from(signerKey, 'base64'),
    hash: Buffer.from(hash, 'base64').toString('base64'),
  }
}

/** scrypt makes a key of the password, and the hash is the project's signer key encrypted with it (AES-256-CTR). */
async function matchesFirebase(password: string, stored: string): Promise<boolean> {
  const parsed = parseFirebase(stored)
  if (parsed === undefined) return false
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(password, parsed.salt, 32, parsed.cost, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    ),
  )
  const made = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(parsed.signerKey).toString('base64')
  return equalInConstantTime(made, parsed.hash)
}
