import { isAlgorithm, verifyBytes } from '../../../ground/jwt/algorithms.ts'
import type { Claims } from '../../../ground/model/caller.ts'
import { invalidToken } from '../error-response/error-response.ts'
import { restError } from '../errors.ts'
import type { TokenKey } from './secret.ts'

const unreadable = (): Error => invalidToken('PGRST301', 'JWT cryptographic operation failed')

function decodeObject(part: string): Readonly<Record<string, unknown>> | null {
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(part)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const noKey = (details: string): Error => invalidToken('PGRST301', 'No suitable key or wrong key type', details)

const wrongAlgorithm = (details: string | null): Error =>
  invalidToken('PGRST301', 'Wrong or unsupported encoding algorithm', details)

/**
 * Checks a token's signature and reads its claims (rest §13).
 *
 * @param keys null where no secret is configured
 * @throws PGRST300, 301, 303
 */
export function verifyToken(token: string, keys: readonly TokenKey[] | null): Claims {
  if (keys === null) throw restError('PGRST300')
  if (token === '') throw invalidToken('PGRST301', 'Empty JWT is sent in Authorization header')
  const parts = token.split('.')
  const [headerPart = '', payloadPart = '', signaturePart = ''] = parts
  if (parts.length !== 3) throw invalidToken('PGRST301', `Expected 3 parts in JWT; got ${parts.length}`)
  const header = decodeObject(headerPart)
  if (header === null) throw unreadable()
  const { alg, kid, crit, enc } = header
  if (alg === 'none') throw wrongAlgorithm("JWT is unsecured but expected 'alg' was not 'none'")
  if (enc !== undefined) throw invalidToken('PGRST301', 'Unsupported token type')
  // An extension that must be understood (RFC 7515 §4.1.11), and none is.
  if (!isAlgorithm(alg) || crit !== undefined) throw wrongAlgorithm(null)
  // A token that names its key is checked by no other, nor by one without a name (rest §13).
  const suitable = keys.filter((key) => key.allows(alg) && (kid === undefined || key.kid === kid))
  if (suitable.length === 0) throw noKey('No suitable key was found to decode the JWT')
  const signature = Buffer.from(signaturePart, 'base64url')
  const input = `${headerPart}.${payloadPart}`
  if (!suitable.some(({ key }) => verifyBytes(alg, key, input, signature)))
    throw noKey('None of the keys was able to decode the JWT')
  const claims = decodeObject(payloadPart)
  if (claims === null) throw invalidToken('PGRST303', 'Parsing claims failed')
  return claims
}
