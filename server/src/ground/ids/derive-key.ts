import { hkdfSync } from 'node:crypto'

/**
 * A key of its own for each purpose, out of one secret (HKDF with SHA-256, RFC 5869): what one key gives away says nothing
 * of another.
 */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret), '', purpose, 32))
