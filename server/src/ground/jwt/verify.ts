import { LRUCache } from 'lru-cache'
import type { Claims, TokenProblem } from '../model/caller.ts'
import type { KeySet, VerifyingKey } from './keys.ts'
import { type TokenHeader, verifySignature } from './signature.ts'
import { checkTimes } from './times.ts'

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

/** Other issuers whose tokens are accepted, each with keys of its own. */
export interface TrustedIssuers {
  /** The public keys of an issuer, as far as they are known by now; undefined for one that is not trusted. */
  readonly keysOf: (issuer: string, kid: string | null) => readonly VerifyingKey[] | undefined
  /** The name of a claim that their tokens may not have, or not so; null when all are accepted. */
  readonly findBadClaim: (claims: Claims) => string | null
}

export interface TokenVerifierOptions {
  readonly keys: KeySet
  /** No other issuer when absent. */
  readonly issuers?: TrustedIssuers
  readonly now: () => Date
  /** Tokens whose good signature is remembered, at least 1; the least recently used is dropped first. */
  readonly cacheSize: number
  /** Leeway on `exp`, `nbf` and `iat`. */
  readonly clockSkewSeconds: number
}

/** Checks one token, synchronously and without I/O. */
export type TokenVerifier = (token: string) => TokenVerdict

type Accepted = Extract<TokenVerdict, { kind: 'claims' }>
type Refused = Extract<TokenVerdict, { kind: 'refused' }>

/** A token whose signature was good, and the keys it was checked with. */
interface VerifiedToken {
  readonly verdict: Accepted
  readonly keys: Keys
  readonly kid: string | null
}

/**
 * A verifier of tokens. Signatures of good tokens are remembered for as long as the keys are those they were checked with;
 * times are looked at on every call, so that a token expires on time whether it is remembered or not.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const remembered = new LRUCache<string, VerifiedToken>({ max: options.cacheSize })
  return (token) => {
    const nowSeconds = options.now().getTime() / 1000
    const known = remembered.get(token)
    const isKnown = known !== undefined && hasSameKeys(known, options)
    const verified = isKnown ? known : verifyToken(token, options)
    if ('kind' in verified) return verified
    const { verdict } = verified
    const problem = checkTimes(verdict.claims, { nowSeconds, skewSeconds: options.clockSkewSeconds })
    if (problem !== null) {
      remembered.delete(token)
      return { kind: 'refused', problem }
    }
    if (!isKnown) remembered.set(token, verified)
    return verdict
  }
}

type Keys = Pick<KeySet, 'verifying' | 'sharedSecret'>

/** Whether the keys are still those of then: a replaced key set has new lists. */
function hasSameKeys({ verdict, keys: then, kid }: VerifiedToken, { keys, issuers }: TokenVerifierOptions): boolean {
  if (!verdict.isForeign) return then.verifying === keys.verifying && then.sharedSecret === keys.sharedSecret
  const { iss } = verdict.claims
  return typeof iss === 'string' && issuers?.keysOf(iss, kid) === then.verifying
}

function verifyToken(token: string, { keys, issuers }: TokenVerifierOptions): VerifiedToken | Refused {
  // The lists of this moment, as `keys` may be replaced.
  const own: Keys = { verifying: keys.verifying, sharedSecret: keys.sharedSecret }
  let foreign: Keys | undefined
  const signed = verifySignature(token, (header, payload) => {
    foreign = issuers === undefined ? undefined : foreignKeys(header, payload(), issuers)
    // One or the other, by the issuer that the token names: no key is good for a token of another issuer.
    return selectKeys(header, foreign ?? own)
  })
  if (signed.kind === 'refused') return signed
  const { claims, header } = signed
  const badClaim = foreign === undefined ? null : (issuers?.findBadClaim(claims) ?? null)
  if (badClaim !== null) return { kind: 'refused', problem: { kind: 'bad_claims', claim: badClaim } }
  return {
    verdict: { kind: 'claims', claims, claimsJson: JSON.stringify(claims), isForeign: foreign !== undefined },
    keys: foreign ?? own,
    kid: kidOf(header),
  }
}

const kidOf = ({ kid }: TokenHeader): string | null => (typeof kid === 'string' ? kid : null)

/** The keys of the trusted issuer that a token names; undefined where it names none. */
function foreignKeys(header: TokenHeader, payload: Claims | null, issuers: TrustedIssuers): Keys | undefined {
  const { iss } = payload ?? {}
  const verifying = typeof iss === 'string' ? issuers.keysOf(iss, kidOf(header)) : undefined
  return verifying === undefined ? undefined : { verifying, sharedSecret: null }
}

/** `kid` names one of our keys, and that key's own algorithm must be the header's. */
function selectKeys({ alg, kid }: TokenHeader, keys: Keys): readonly VerifyingKey[] | TokenProblem {
  const all = keys.sharedSecret === null ? keys.verifying : [...keys.verifying, keys.sharedSecret]
  if (!all.some((key) => key.algorithm === alg)) return { kind: 'unsupported_algorithm' }
  const named = typeof kid === 'string' ? keys.verifying.filter((key) => key.kid === kid) : []
  const usable = named.length > 0 ? named : all.filter((key) => key.kid === null)
  const candidates = usable.filter((key) => key.algorithm === alg)
  return candidates.length > 0 ? candidates : { kind: 'unknown_key' }
}
