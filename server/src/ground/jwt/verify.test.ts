import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createEs256Key, createKeySet, createReplaceableKeys, importPublicKeys, type VerifyingKey } from './keys.ts'
import { signToken } from './sign.ts'
import { createTokenVerifier } from './verify.ts'

const secret = 'a secret of more than sixteen characters'
const es256 = createEs256Key()
const other = createEs256Key()
const keys = createKeySet({ signingKeys: [es256], secret })
const start = Math.floor(Date.parse('2026-03-01T12:00:00Z') / 1000)
const exp = start + 3600

const verifierAt = (seconds: () => number, clockSkewSeconds = 0, cacheSize = 100) =>
  createTokenVerifier({ keys, now: () => new Date(seconds() * 1000), cacheSize, clockSkewSeconds })
const verify = verifierAt(() => start)
const problemOf = (token: string) => {
  const verdict = verify(token)
  return verdict.kind === 'refused' ? verdict.problem.kind : 'accepted'
}
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hs256 = (header: object, claims: unknown, withSecret = secret) => {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${createHmac('sha256', withSecret).update(input).digest('base64url')}`
}

test('a token signed here is verified here, and by a library that knows only the JWKS', async () => {
  const token = signToken({ sub: 'u', role: 'authenticated', exp }, keys.signing)
  expect(verify(token)).toMatchObject({ kind: 'claims', claims: { sub: 'u', exp } })
  const verified = await jwtVerify(
    token,
    createLocalJWKSet({ keys: keys.jwks.keys.map((key) => ({ ...key, kty: key.kty ?? '', key_ops: ['verify'] })) }),
    { currentDate: new Date(start * 1000) },
  )
  expect(verified.protectedHeader).toEqual({ alg: 'ES256', kid: es256.kid, typ: 'JWT' })
  expect(JSON.stringify(keys.jwks)).not.toContain(es256.d)
})

test('a token another library signed with our key is accepted', async () => {
  const token = await new SignJWT({ role: 'x' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(exp)
    .sign(Buffer.from(secret))
  expect(problemOf(token)).toBe('accepted')
})

const publicPem = createPublicKey({ key: es256 as JsonWebKey, format: 'jwk' }).export({ format: 'pem', type: 'spki' })
const good = signToken({ exp }, keys.signing)
const [header = '', , signature = ''] = good.split('.')
const foreign = createKeySet({ signingKeys: [other], secret: null }).signing

test.each([
  ['HS256 without kid', hs256({ alg: 'HS256' }, { exp }), 'accepted'],
  ['HS256 with an unknown kid', hs256({ alg: 'HS256', kid: '../../etc/passwd\0' }, { exp }), 'accepted'],
  ['HS256 under the kid of the ES256 key', hs256({ alg: 'HS256', kid: es256.kid }, { exp }), 'unknown_key'],
  ['HS256 keyed with the public key as PEM', hs256({ alg: 'HS256' }, { exp }, publicPem.toString()), 'bad_signature'],
  [
    'HS256 keyed with the public JWK',
    hs256({ alg: 'HS256' }, { exp }, JSON.stringify(keys.jwks.keys[0])),
    'bad_signature',
  ],
  ['HS256 with another secret', hs256({ alg: 'HS256' }, { exp }, 'x'), 'bad_signature'],
  ['alg none', `${encode({ alg: 'none' })}.${encode({ exp })}.`, 'unsupported_algorithm'],
  ['alg nOnE', `${encode({ alg: 'nOnE' })}.${encode({ exp })}.`, 'unsupported_algorithm'],
  ['an algorithm of no key', `${encode({ alg: 'RS256' })}.${encode({ exp })}.AA`, 'unsupported_algorithm'],
  ['no algorithm', `${encode({})}.${encode({ exp })}.AA`, 'unsupported_algorithm'],
  ['an inherited name as algorithm', `${encode({ alg: 'toString' })}.${encode({ exp })}.AA`, 'unsupported_algorithm'],
  ['a critical extension', hs256({ alg: 'HS256', crit: ['b64'] }, { exp }), 'unsupported_algorithm'],
  ['ES256 of an unknown key', signToken({ exp }, foreign), 'unknown_key'],
  ['ES256 of another key under our kid', signToken({ exp }, { ...foreign, kid: es256.kid ?? '' }), 'bad_signature'],
  ['ES256 without kid', signToken({ exp }, { ...keys.signing, kid: null }), 'unknown_key'],
  ['a changed payload', `${header}.${encode({ exp, role: 'service_role' })}.${signature}`, 'bad_signature'],
  ['an empty signature', `${good.split('.').slice(0, 2).join('.')}.`, 'bad_signature'],
  ['a signature in other letters', good.replace(/.$/, '*'), 'bad_signature'],
  ['an encrypted token', hs256({ alg: 'HS256', enc: 'A128GCM' }, { exp }), 'unsupported_type'],
  ['no token', '', 'empty'],
  ['two parts', 'a.b', 'malformed'],
  ['a header that is no JSON', 'a.b.c', 'malformed'],
  ['claims that are a list', hs256({ alg: 'HS256' }, [exp]), 'bad_claims'],
  ['exp as text', hs256({ alg: 'HS256' }, { exp: String(exp) }), 'bad_claims'],
  ['expired', hs256({ alg: 'HS256' }, { exp: start }), 'expired'],
  ['not yet valid', hs256({ alg: 'HS256' }, { exp, nbf: start + 1 }), 'not_yet_valid'],
  ['issued in the future', hs256({ alg: 'HS256' }, { exp, iat: start + 1 }), 'issued_in_future'],
])('%s', (_, token, outcome) => {
  expect(problemOf(token)).toBe(outcome)
  // The second look comes from memory where the first one was good.
  expect(problemOf(token)).toBe(outcome)
})

test('a remembered token expires on time, with the leeway given', () => {
  let seconds = start
  const withLeeway = verifierAt(() => seconds, 30)
  expect(withLeeway(good).kind).toBe('claims')
  seconds = exp + 29
  expect(withLeeway(good).kind).toBe('claims')
  seconds = exp + 30
  expect(withLeeway(good)).toEqual({ kind: 'refused', problem: { kind: 'expired', claims: { exp } } })
})

test('a token that was seen before is refused once its key was taken out', () => {
  const replaceable = createReplaceableKeys(createKeySet({ signingKeys: [es256], verifyingKeys: [other], secret }))
  const options = { now: () => new Date(start * 1000), cacheSize: 100, clockSkewSeconds: 0 }
  const seen = createTokenVerifier({ keys: replaceable.keys, ...options })
  const ofOther = signToken({ exp }, foreign)
  const ofSecret = hs256({ alg: 'HS256' }, { exp })
  for (const token of [good, ofOther, ofSecret]) expect(seen(token).kind).toBe('claims')
  replaceable.replace(createKeySet({ signingKeys: [es256], secret: 'another secret of enough characters' }))
  expect(seen(good).kind).toBe('claims')
  expect(seen(ofOther)).toEqual({ kind: 'refused', problem: { kind: 'unknown_key' } })
  expect(seen(ofSecret)).toEqual({ kind: 'refused', problem: { kind: 'bad_signature' } })
})

test('a token of another issuer that was seen before is refused once its key, or the issuer, is gone', () => {
  const theirs = (jwk: object) => importPublicKeys({ keys: [jwk] })
  let keysOfIssuer: readonly VerifyingKey[] | undefined = theirs(other)
  const seen = createTokenVerifier({
    keys,
    issuers: { keysOf: () => keysOfIssuer, findBadClaim: () => null },
    now: () => new Date(start * 1000),
    cacheSize: 100,
    clockSkewSeconds: 0,
  })
  const token = signToken({ exp, iss: 'https://issuer.example' }, foreign)
  for (const _again of ['first', 'remembered']) expect(seen(token)).toMatchObject({ isForeign: true })
  keysOfIssuer = theirs(createEs256Key())
  expect(seen(token)).toEqual({ kind: 'refused', problem: { kind: 'unknown_key' } })
  keysOfIssuer = theirs(other)
  expect(seen(token).kind).toBe('claims')
  keysOfIssuer = undefined
  expect(seen(token)).toEqual({ kind: 'refused', problem: { kind: 'unknown_key' } })
})

test('a remembered token costs less than 30 µs', () => {
  const tokens = Array.from({ length: 50 }, (_, index) => signToken({ exp, index }, keys.signing))
  for (const token of tokens) verify(token)
  const from = process.hrtime.bigint()
  for (let round = 0; round < 200; round++) for (const token of tokens) verify(token)
  expect(Number(process.hrtime.bigint() - from) / 10_000 / 1000).toBeLessThan(30)
})

test('a set of keys that could not be trusted is not made', () => {
  expect(() => createKeySet({ signingKeys: [], secret: 'short' })).toThrow('at least 16')
  expect(() => createKeySet({ signingKeys: [], secret: null })).toThrow('neither')
  expect(() => createKeySet({ signingKeys: [es256, es256], secret: null })).toThrow('exactly one')
  expect(() => createKeySet({ signingKeys: [es256], secret: null, verifyingKeys: [es256] })).toThrow('Two keys')
  expect(() => createKeySet({ signingKeys: [{ ...es256, alg: 'HS256' }], secret: null })).toThrow('cannot be used')
})
