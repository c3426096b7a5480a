import { createHmac, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto'

/** The signature algorithms that are understood (RFC 7518 §3.1, RFC 8037). `none` is not among them. */
export type Algorithm =
  | 'HS256'
  | 'HS384'
  | 'HS512'
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA'

interface AlgorithmRule {
  /** The digest's name; null where the algorithm brings its own. */
  readonly hash: string | null
  /** What a key must be to be used with it: a JWK's `kty` and, for curves, its `crv`. */
  readonly kty: 'oct' | 'RSA' | 'EC' | 'OKP'
  readonly crv: string | null
}

const rules: Readonly<Record<Algorithm, AlgorithmRule>> = {
  HS256: { hash: 'sha256', kty: 'oct', crv: null },
  HS384: { hash: 'sha384', kty: 'oct', crv: null },
  HS512: { hash: 'sha512', kty: 'oct', crv: null },
  RS256: { hash: 'sha256', kty: 'RSA', crv: null },
  RS384: { hash: 'sha384', kty: 'RSA', crv: null },
  RS512: { hash: 'sha512', kty: 'RSA', crv: null },
  ES256: { hash: 'sha256', kty: 'EC', crv: 'P-256' },
  ES384: { hash: 'sha384', kty: 'EC', crv: 'P-384' },
  ES512: { hash: 'sha512', kty: 'EC', crv: 'P-521' },
  EdDSA: { hash: null, kty: 'OKP', crv: 'Ed25519' },
}

/** Whether a text names an algorithm that is understood. */
export const isAlgorithm = (text: unknown): text is Algorithm => typeof text === 'string' && Object.hasOwn(rules, text)

/** The algorithm a key of this type and curve is for when it does not say so itself; undefined when there is none. */
export function algorithmFor(kty: unknown, crv: unknown): Algorithm | undefined {
  return (Object.keys(rules) as Algorithm[]).find(
    (name) => rules[name].kty === kty && (rules[name].crv === null || rules[name].crv === crv),
  )
}

/** Whether a key of this type and curve may be used with the algorithm. */
export const fits = (algorithm: Algorithm, kty: unknown, crv: unknown): boolean =>
  rules[algorithm].kty === kty && (rules[algorithm].crv === null || rules[algorithm].crv === crv)

/** Signs `input`; ECDSA signatures are the fixed-length pair that JWS wants, not ASN.1 (RFC 7518 §3.4). */
export function signBytes(algorithm: Algorithm, key: KeyObject, input: string): Buffer {
  const rule = rules[algorithm]
  if (rule.kty === 'oct')
    return createHmac(rule.hash ?? '', key)
      .update(input)
      .digest()
  return sign(rule.hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
}

/** Whether `signature` is the algorithm's over `input`. */
export function verifyBytes(algorithm: Algorithm, key: KeyObject, input: string, signature: Buffer): boolean {
  const rule = rules[algorithm]
  if (rule.kty === 'oct') {
    const expected = signBytes(algorithm, key, input)
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  }
  return verify(rule.hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, signature)
}
