import { createHash, randomBytes } from 'node:crypto'

/** A secret of `bytes` random bytes in base64url, for links and cookies. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** The stored form of such a secret: SHA-256 in hex. Enough for random tokens, never for passwords. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
