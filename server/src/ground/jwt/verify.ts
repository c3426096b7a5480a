import type { Claims, TokenProblem } from '../model/caller.ts'
import { isAlgorithm, verifyBytes } from './algorithms.ts'
import type { KeySet, VerifyingKey } from './keys.ts'

export type TokenVerdict =
  /** The claims as signed; `role` may be missing. `claimsJson` is their JSON text, made once a token. */
  | {
      readonly kind: 'claims'
      readonly claims: Claims
      readonly claimsJson: string
      /** Made by another issuer, whose `sub` is none of this project's users. */
      readonly isForeign: boolean
    }
  | { readonly kind: 'refused'; readonly problem: TokenProblem }

/** Others whose tokens are accepted, each with keys of its own. */
export interface TrustedIssuers {
  /** The public keys of an issuer, as far as they are known by now; undefined for one that is not trusted. */
  readonly keysOf: (issuer: string, kid: string | null) => readonly VerifyingKey[] | undefined
  /** The claim of a token of theirs that may not be so; null when all may. */
  readonly findBadClaim: (claims: Claims) => string | null
}

export interface TokenVerifierOptions {
  readonly keys: KeySet
  /** None where nothing is given. */
  readonly issuers?: TrustedIssuers
  readonly now: () => Date
  /** Tokens whose signature is remembered as good; the least recently used goes first. */
  readonly cacheSize: number
  /** Leeway on `exp`, `nbf` and `iat`. */
  readonly clockSkewSeconds: number
}

/** Checks one token, synchronously and without I/O. */
export type TokenVerifier = (token: string) => TokenVerdict

type Accepted = Extract<TokenVerdict, { kind: 'claims' }>
type Refused = Extract<TokenVerdict, { kind: 'refused' }>

/** A token whose signature was good, and the keys it was checked with. */
interface Signed {
  readonly verdict: Accepted
  readonly keys: Keys
  readonly kid: string | null
}

/**
 * Makes a verifier. Signatures of good tokens are remembered for as long as the keys are those they were checked with;
 * times are looked at on every call, so that a token expires on time whether it is remembered or not.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const remembered = new Map<string, Signed>()
  return (token) => {
    const nowSeconds = options.now().getTime() / 1000
    const known = remembered.get(token)
    // A Map keeps insertion order: taking out and putting back makes it the most recently used.
    if (known !== undefined) remembered.delete(token)
    const signed = known !== undefined && hasSameKeys(known, options) ? known : verifySignature(token, options)
    if ('kind' in signed) return signed
    const { verdict } = signed
    const problem = checkTimes(verdict.claims, nowSeconds, options.clockSkewSeconds)
    if (problem !== null) return { kind: 'refused', problem }
    remembered.set(token, signed)
    if (remembered.size > options.cacheSize) {
      const oldest = remembered.keys().next()
      if (!oldest.done) remembered.delete(oldest.value)
    }
    return verdict
  }
}

type Keys = Pick<KeySet, 'verifying' | 'sharedSecret'>

/** Whether the keys are still those of then: whatever replaces keys makes a new list of them. */
function hasSameKeys({ verdict, keys: then, kid }: Signed, { keys, issuers }: TokenVerifierOptions): boolean {
  if (!verdict.isForeign) return then.verifying === keys.verifying && then.sharedSecret === keys.sharedSecret
  const { iss } = verdict.claims
  return typeof iss === 'string' && issuers?.keysOf(iss, kid) === then.verifying
}

function verifySignature(token: string, { keys, issuers }: TokenVerifierOptions): Signed | Refused {
  if (token === '') return refused({ kind: 'empty' })
  const parts = token.split('.')
  const [headerPart = '', payloadPart = '', signaturePart = ''] = parts
  if (parts.length !== 3) return refused({ kind: 'malformed', parts: parts.length })
  const header = decodeObject(headerPart)
  if (header === null || !isBase64Url(payloadPart)) return refused({ kind: 'malformed', parts: 3 })
  const theirs = issuers === undefined ? undefined : foreignKeys(header, payloadPart, issuers)
  // One or the other, by who the token says made it: no key is good for a token of somebody else's.
  // The lists of this moment, as `keys` may be replaced.
  const used = theirs ?? { verifying: keys.verifying, sharedSecret: keys.sharedSecret }
  const candidates = selectKeys(header, used)
  if (!Array.isArray(candidates)) return refused(candidates)
  // An empty signature is not base64url of anything and ends here, whatever the algorithm says.
  if (!isBase64Url(signaturePart)) return refused({ kind: 'bad_signature' })
  const signature = Buffer.from(signaturePart, 'base64url')
  const input = `${headerPart}.${payloadPart}`
  if (!candidates.some((key) => verifyBytes(key.algorithm, key.key, input, signature)))
    return refused({ kind: 'bad_signature' })
  const claims = decodeObject(payloadPart)
  if (claims === null) return refused({ kind: 'bad_claims', claim: 'payload' })
  const badClaim = theirs === undefined ? null : (issuers?.findBadClaim(claims) ?? null)
  if (badClaim !== null) return refused({ kind: 'bad_claims', claim: badClaim })
  return {
    verdict: { kind: 'claims', claims, claimsJson: JSON.stringify(claims), isForeign: theirs !== undefined },
    keys: used,
    kid: typeof header.kid === 'string' ? header.kid : null,
  }
}

/** The keys of a trusted issuer, when the token says that it is one's. */
function foreignKeys(
  { kid }: Readonly<Record<string, unknown>>,
  payloadPart: string,
  issuers: TrustedIssuers,
): Keys | undefined {
  const { iss } = decodeObject(payloadPart) ?? {}
  const verifying = typeof iss === 'string' ? issuers.keysOf(iss, typeof kid === 'string' ? kid : null) : undefined
  return verifying === undefined ? undefined : { verifying, sharedSecret: null }
}

/**
 * The keys a token may have been signed with. Nothing in the header is fetched or trusted (`jwk`, `jku`, `x5u`):
 * `kid` names one of our keys, and that key's own algorithm must be the header's.
 */
function selectKeys(header: Readonly<Record<string, unknown>>, keys: Keys): VerifyingKey[] | TokenProblem {
  const { alg, kid } = header
  const all = keys.sharedSecret === null ? keys.verifying : [...keys.verifying, keys.sharedSecret]
  // RFC 7515 §4.1.11: an extension that must be understood, and none is.
  if (header.crit !== undefined || !isAlgorithm(alg) || !all.some((key) => key.algorithm === alg))
    return { kind: 'unsupported_algorithm' }
  const named = typeof kid === 'string' ? keys.verifying.filter((key) => key.kid === kid) : []
  const usable = named.length > 0 ? named : all.filter((key) => key.kid === null)
  const candidates = usable.filter((key) => key.algorithm === alg)
  return candidates.length > 0 ? candidates : { kind: 'unknown_key' }
}

function checkTimes(claims: Claims, nowSeconds: number, skewSeconds: number): TokenProblem | null {
  for (const claim of ['exp', 'nbf', 'iat'] as const) {
    const value = claims[claim]
    if (value !== undefined && value !== null && !Number.isFinite(value)) return { kind: 'bad_claims', claim }
  }
  const { exp, nbf, iat } = claims
  if (typeof exp === 'number' && nowSeconds >= exp + skewSeconds) return { kind: 'expired', claims }
  if (typeof nbf === 'number' && nowSeconds < nbf - skewSeconds) return { kind: 'not_yet_valid', claims }
  // Whole seconds: a token is often used within the second that made it.
  if (typeof iat === 'number' && Math.ceil(nowSeconds) < iat - skewSeconds) return { kind: 'issued_in_future', claims }
  return null
}

const refused = (problem: TokenProblem): Refused => ({ kind: 'refused', problem })

const isBase64Url = (text: string): boolean => /^[A-Za-z0-9_-]+$/.test(text)

function decodeObject(part: string): Readonly<Record<string, unknown>> | null {
  if (!isBase64Url(part)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    // Checked to be an object just here; its fields stay unknown.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
