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

/** A new ES256 key as a private JWK; its `kid` is its thumbprint (RFC 7638). */
export function createEs256Key(): Jwk {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  // Spread so that no key is set to undefined: every field of an EC private key is a text.
  return { ...defined({ kty, crv, x, y, d }), kid, alg: 'ES256', use: 'sig', key_ops: ['sign', 'verify'] }
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

function readKey(jwk: Jwk, read: () => KeyObject): KeyObject {
  try {
    return read()
  } catch (cause) {
    throw new TypeError(`${named(jwk)} could not be read.`, { cause })
  }
}

const named = (jwk: Jwk): string => (jwk.kid === undefined ? 'A key without kid' : `The key "${jwk.kid}"`)
