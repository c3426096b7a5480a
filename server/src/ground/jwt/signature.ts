import type { KeyObject } from 'node:crypto'
import type { Claims, TokenProblem } from '../model/caller.ts'
import { type Algorithm, isAlgorithm, verifyBytes } from './algorithms.ts'

/** The header of a token, once its algorithm is known to be one of ours. */
export interface TokenHeader {
  readonly alg: Algorithm
  /** As sent; undefined when absent. */
  readonly kid: unknown
}

/** A key that a token may have been signed with, under the header's algorithm. */
export interface CandidateKey {
  readonly key: KeyObject
}

/**
 * Chooses the keys that a token is checked with. `payload` is not verified yet: it may say only which issuer's keys to
 * use.
 *
 * @returns at least one key, or why there is none
 */
export type SelectKeys = (header: TokenHeader, payload: () => Claims | null) => readonly CandidateKey[] | TokenProblem

export type SignatureVerdict =
  | { readonly kind: 'signed'; readonly claims: Claims; readonly header: TokenHeader }
  | { readonly kind: 'refused'; readonly problem: TokenProblem }

/**
 * Checks the signature of a JWS in compact form (RFC 7515 §5.2) and reads its claims. Nothing in the header is fetched or
 * trusted (`jwk`, `jku`, `x5u`); times and audience are not looked at.
 */
export function verifySignature(token: string, selectKeys: SelectKeys): SignatureVerdict {
  if (token === '') return refused({ kind: 'empty' })
  const parts = token.split('.')
  const [headerPart = '', payloadPart = '', signaturePart = ''] = parts
  if (parts.length !== 3) return refused({ kind: 'malformed', parts: parts.length })
  const header = decodeObject(headerPart)
  if (header === null || !isBase64Url(payloadPart)) return refused({ kind: 'malformed', parts: 3 })
  const { alg, kid, crit, enc } = header
  if (alg === 'none') return refused({ kind: 'unsupported_algorithm', isUnsecured: true })
  // An encrypted token (RFC 7516 §4.1.2).
  if (enc !== undefined) return refused({ kind: 'unsupported_type' })
  // RFC 7515 §4.1.11: an extension that must be understood, and none is.
  if (!isAlgorithm(alg) || crit !== undefined) return refused({ kind: 'unsupported_algorithm' })
  const candidates = selectKeys({ alg, kid }, () => decodeObject(payloadPart))
  if ('kind' in candidates) return refused(candidates)
  // An empty signature is not base64url of anything and ends here, whatever the algorithm says.
  if (!isBase64Url(signaturePart)) return refused({ kind: 'bad_signature' })
  const signature = Buffer.from(signaturePart, 'base64url')
  const input = `${headerPart}.${payloadPart}`
  if (!candidates.some(({ key }) => verifyBytes(alg, key, input, signature))) return refused({ kind: 'bad_signature' })
  const claims = decodeObject(payloadPart)
  if (claims === null) return refused({ kind: 'bad_claims', claim: 'payload' })
  return { kind: 'signed', claims, header: { alg, kid } }
}

const refused = (problem: TokenProblem): SignatureVerdict => ({ kind: 'refused', problem })

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
