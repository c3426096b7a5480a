import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { type Algorithm, algorithmFor, fits, isAlgorithm } from './algorithms.ts'

/** A JSON Web Key (RFC 7517) as it stands in a `signing_keys.json` or a JWKS. */
export interface Jwk extends JsonWebKey {
  readonly kid?: string
  readonly alg?: string
  readonly use?: string
  readonly key_ops?: readonly string[]
}

/** A key that makes tokens. */
export interface SigningKey {
  /** Named in the header of every token; null for the shared secret. */
  readonly kid: string | null
  readonly algorithm: Algorithm
  readonly key: KeyObject
}

/** A key that checks tokens. A token's own `alg` never chooses how a key is used: it must equal `algorithm`. */
export interface VerifyingKey {
  readonly kid: string | null
  readonly algorithm: Algorithm
  readonly key: KeyObject
}

/** Every key of one project: one signs, all verify. */
export interface KeySet {
  readonly signing: SigningKey
  readonly verifying: readonly VerifyingKey[]
  /** The shared secret, for HS256 tokens whose `kid` is missing or unknown. */
  readonly sharedSecret: VerifyingKey | null
  /** What `/.well-known/jwks.json` answers: public parts only, symmetric keys never. */
  readonly jwks: { readonly keys: readonly Jwk[] }
}

export interface KeySetOptions {
  /** Private JWKs. The one whose `key_ops` contains `sign`, else the first, signs; empty: the secret signs. */
  readonly signingKeys: readonly Jwk[]
  /** HS256 secret as text; accepted for verification beside the signing keys. Null: no HS256 at all. */
  readonly secret: string | null
  /** Further keys that verify: retired ones, or another issuer's public keys. */
  readonly verifyingKeys?: readonly Jwk[]
}

const minSecretLength = 16

/**
 * Reads a project's keys once.
 *
 * @throws TypeError when a key cannot be used, two keys share a `kid`, the secret is shorter than 16 characters, or
 *         nothing can sign
 */
export function createKeySet(options: KeySetOptions): KeySet {
  const { secret, signingKeys } = options
  if (secret !== null && secret.length < minSecretLength)
    throw new TypeError(`The JWT secret has ${secret.length} characters; it needs at least ${minSecretLength}.`)
  const sharedSecret: VerifyingKey | null =
    secret === null ? null : { kid: null, algorithm: 'HS256', key: createSecretKey(Buffer.from(secret)) }
  const signers = signingKeys.filter((jwk) => jwk.key_ops?.includes('sign'))
  if (signers.length > 1) throw new TypeError('More than one signing key has key_ops "sign"; exactly one may.')
  const signer = signers[0] ?? signingKeys[0]
  const signing = signer === undefined ? sharedSecret : importSigningKey(signer)
  if (signing === null) throw new TypeError('There is neither a signing key nor a JWT secret.')
  const verifying = [...signingKeys, ...(options.verifyingKeys ?? [])].map(importVerifyingKey)
  const kids = verifying.flatMap((key) => key.kid ?? [])
  const repeated = kids.find((kid, index) => kids.indexOf(kid) !== index)
  if (repeated !== undefined) throw new TypeError(`Two keys have the kid "${repeated}".`)
  return {
    signing,
    verifying,
    sharedSecret,
    // Only our own: another issuer publishes its keys itself.
    jwks: { keys: signingKeys.filter((jwk) => jwk.kty !== 'oct').map(publicJwk) },
  }
}

/** Keys that can be replaced while they are in use. */
export interface ReplaceableKeys {
  /** Each property is that of the keys of the moment. */
  readonly keys: KeySet
  readonly replace: (next: KeySet) => void
}

/** @param first the keys until the first replacement */
export function createReplaceableKeys(first: KeySet): ReplaceableKeys {
  let current = first
  return {
    keys: {
      get signing() {
        return current.signing
      },
      get verifying() {
        return current.verifying
      },
      get sharedSecret() {
        return current.sharedSecret
      },
      get jwks() {
        return current.jwks
      },
    },
    replace(next) {
      current = next
    },
  }
}

/** The algorithms that a new signing key may be for: those whose public half can be shown. */
export const signingAlgorithms = ['ES256', 'RS256', 'EdDSA', 'ES512', 'RS512'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

const rsaBits = 2048

/** A new key as a private JWK; its `kid` is its thumbprint (RFC 7638). */
export function createSigningKey(algorithm: SigningAlgorithm): Jwk {
  const { kty, crv, x, y, n, e, d, p, q, dp, dq, qi } = generate(algorithm).export({ format: 'jwk' })
  // The thumbprint's fields stand in the order of the alphabet.
  const named = defined({ crv, e, kty, n, x, y })
  const kid = createHash('sha256').update(JSON.stringify(named)).digest('base64url')
  const parts = defined({ kty, crv, x, y, n, e, d, p, q, dp, dq, qi })
  return { ...parts, kid, alg: algorithm, use: 'sig', key_ops: ['sign', 'verify'] }
}

/** A new key for ES256, which every client of the protocol verifies by itself. */
export const createEs256Key = (): Jwk => createSigningKey('ES256')

/**
 * A key as it is stored once another one signs: its public half, or all of a symmetric one, to verify only.
 *
 * @throws TypeError when it cannot be read
 */
export const retireKey = (jwk: Jwk): Jwk =>
  jwk.kty === 'oct' ? { ...jwk, key_ops: ['verify'] } : readKey(jwk, () => publicJwk(jwk))

/**
 * Reads the public keys another issuer publishes; what is no signature key of a known algorithm is left out. Symmetric
 * keys never count: every reader of one could sign.
 */
export function importPublicKeys(jwks: unknown): readonly VerifyingKey[] {
  const { keys } = Object(jwks) as { readonly keys?: unknown }
  if (!Array.isArray(keys)) return []
  return keys.flatMap((jwk: Jwk) => {
    const isForSignatures = jwk?.use === undefined || jwk.use === 'sig'
    if (!isForSignatures || jwk?.kty === 'oct' || jwk?.kty === undefined) return []
    try {
      const { kty, crv, x, y, n, e, kid, alg } = jwk
      const key = importVerifyingKey({ ...defined({ kty, crv, x, y, n, e, kid, alg }) })
      const { modulusLength } = key.key.asymmetricKeyDetails ?? {}
      return modulusLength !== undefined && modulusLength < rsaBits ? [] : [key]
    } catch {
      // A kind of key that is not known here is none of ours to judge; its tokens are refused.
      return []
    }
  })
}

function generate(algorithm: SigningAlgorithm): KeyObject {
  switch (algorithm) {
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    case 'ES512':
      return generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey
    case 'EdDSA':
      return generateKeyPairSync('ed25519').privateKey
    case 'RS256':
    case 'RS512':
      return generateKeyPairSync('rsa', { modulusLength: rsaBits }).privateKey
    default:
      return algorithm satisfies never
  }
}

const defined = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined))

function importSigningKey(jwk: Jwk): SigningKey {
  const algorithm = algorithmOf(jwk)
  return { kid: jwk.kid ?? null, algorithm, key: jwk.kty === 'oct' ? secretKey(jwk) : privateKey(jwk) }
}

function importVerifyingKey(jwk: Jwk): VerifyingKey {
  return {
    kid: jwk.kid ?? null,
    algorithm: algorithmOf(jwk),
    key: jwk.kty === 'oct' ? secretKey(jwk) : readKey(jwk, () => createPublicKey({ key: jwk, format: 'jwk' })),
  }
}

function publicJwk(jwk: Jwk): Jwk {
  const { kty, crv, x, y, n, e } = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'jwk' })
  return {
    ...defined({ kty, kid: jwk.kid, crv, x, y, n, e }),
    use: 'sig',
    key_ops: ['verify'],
    alg: algorithmOf(jwk),
  }
}

function algorithmOf(jwk: Jwk): Algorithm {
  const algorithm = jwk.alg ?? algorithmFor(jwk.kty, jwk.crv)
  if (!isAlgorithm(algorithm) || !fits(algorithm, jwk.kty, jwk.crv))
    throw new TypeError(`${named(jwk)} cannot be used: alg ${String(jwk.alg)} with kty ${String(jwk.kty)}.`)
  return algorithm
}

const privateKey = (jwk: Jwk): KeyObject => readKey(jwk, () => createPrivateKey({ key: jwk, format: 'jwk' }))

function secretKey(jwk: Jwk): KeyObject {
  const bytes = Buffer.from(jwk.k ?? '', 'base64url')
  if (bytes.length < minSecretLength)
    throw new TypeError(`${named(jwk)} has ${bytes.length} bytes; it needs ${minSecretLength}.`)
  return createSecretKey(bytes)
}

function readKey<Key>(jwk: Jwk, read: () => Key): Key {
  try {
    return read()
  } catch (cause) {
    throw new TypeError(`${named(jwk)} could not be read.`, { cause })
  }
}

const named = (jwk: Jwk): string => (jwk.kid === undefined ? 'A key without kid' : `The key "${jwk.kid}"`)
