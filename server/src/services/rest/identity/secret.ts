import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Algorithm, fits, isAlgorithm } from '../../../ground/jwt/algorithms.ts'
import type { Jwk } from '../../../ground/jwt/keys.ts'
import type { RestSettings } from '../settings.ts'

/** A key that checks tokens, and the algorithms it may be used with. */
export interface TokenKey {
  readonly kid: string | null
  readonly key: KeyObject
  readonly allows: (algorithm: Algorithm) => boolean
}

const minSecretBytes = 32

/** Says what is wrong with the secret, never the secret. */
export class SecretProblem extends Error {}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

const isJwk = (value: unknown): value is Jwk => typeof value === 'object' && value !== null && 'kty' in value

function importKey(jwk: Jwk): TokenKey {
  const { alg, use } = jwk
  const allows = (algorithm: Algorithm): boolean =>
    use !== 'enc' && fits(algorithm, jwk.kty, jwk.crv) && (!isAlgorithm(alg) || alg === algorithm)
  try {
    const key =
      jwk.kty === 'oct'
        ? createSecretKey(Buffer.from(jwk.k ?? '', 'base64url'))
        : createPublicKey({ key: jwk, format: 'jwk' })
    return { kid: jwk.kid ?? null, key, allows }
  } catch (cause) {
    throw new SecretProblem('The JWT secret has a JSON Web Key that cannot be used.', { cause })
  }
}

function parseKeys(bytes: Buffer): readonly TokenKey[] {
  const json = parseJson(bytes)
  if (isJwk(json)) return [importKey(json)]
  if (typeof json === 'object' && json !== null && 'keys' in json && Array.isArray(json.keys))
    return json.keys.filter(isJwk).map(importKey)
  if (bytes.length < minSecretBytes) throw new SecretProblem('The JWT secret must be at least 32 characters long.')
  return [{ kid: null, key: createSecretKey(bytes), allows: (algorithm) => algorithm === 'HS256' }]
}

/** Base64 with any of the alphabets, and `.` for its padding. */
function decodeBase64(text: string): Buffer {
  const plain = text.trim().replaceAll('-', '+').replaceAll('_', '/').replaceAll('.', '=')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain) || plain.length % 4 !== 0)
    throw new SecretProblem('The JWT secret is not base64.')
  return Buffer.from(plain, 'base64')
}

function readFile(path: string): Buffer {
  try {
    const bytes = readFileSync(path)
    return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes
  } catch (cause) {
    throw new SecretProblem(`The JWT secret could not be read from ${path}.`, { cause })
  }
}

/**
 * The settings with a secret that stands in a file read from there: as base64, since it may be any bytes.
 *
 * @throws SecretProblem when the file cannot be read
 */
export function withSecretRead<Settings extends Pick<RestSettings, 'jwtSecret' | 'jwtSecretIsBase64'>>(
  settings: Settings,
): Settings {
  const { jwtSecret: secret } = settings
  if (secret === null || !secret.startsWith('@')) return settings
  const bytes = readFile(secret.slice(1))
  return settings.jwtSecretIsBase64
    ? { ...settings, jwtSecret: bytes.toString('latin1') }
    : { ...settings, jwtSecret: bytes.toString('base64'), jwtSecretIsBase64: true }
}

/**
 * The keys of a secret: its bytes for HS256, a JSON Web Key, or a set of them; null where none is configured.
 *
 * @throws SecretProblem
 */
export function readTokenKeys(
  settings: Pick<RestSettings, 'jwtSecret' | 'jwtSecretIsBase64'>,
): readonly TokenKey[] | null {
  const { jwtSecret: secret, jwtSecretIsBase64: isBase64 } = withSecretRead(settings)
  if (secret === null) return null
  return parseKeys(isBase64 ? decodeBase64(secret) : Buffer.from(secret, 'utf8'))
}
