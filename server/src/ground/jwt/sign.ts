import type { Claims } from '../model/caller.ts'
import { signBytes } from './algorithms.ts'
import type { SigningKey } from './keys.ts'

/**
 * Returns the token of the claims, in their order. Synchronous: some 60 µs for ES256, 10 µs for HS256.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7515#section-3.1
 */
export function signToken(claims: Claims, key: SigningKey): string {
  const header =
    key.kid === null ? { alg: key.algorithm, typ: 'JWT' } : { alg: key.algorithm, kid: key.kid, typ: 'JWT' }
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${signBytes(key.algorithm, key.key, input).toString('base64url')}`
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
