import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Identity } from '../../../ground/model/caller.ts'
import { createIdentify, type IdentifyDeps } from './identify.ts'
import { SecretProblem } from './secret.ts'

const secret = 'a secret of thirty-two characters'
const now = Math.floor(Date.parse('2026-03-01T12:00:00Z') / 1000)
const noKey: Identity = { kind: 'no_key' }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hmac = (claims: unknown, header: object = { alg: 'HS256' }, key = secret) => {
  const input = `${encode(header)}.${encode(claims)}`
  const digest = { HS384: 'sha384', HS512: 'sha512' }[String((header as { alg?: string }).alg)] ?? 'sha256'
  return `${input}.${createHmac(digest, key).update(input).digest('base64url')}`
}
const signed = (claims: unknown, header: object, hash: string | null, key: KeyObject) => {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

function identifyWith(settings: Partial<IdentifyDeps['settings']> = {}, alone = true) {
  return createIdentify({
    settings: {
      anonRole: 'anon',
      jwtAud: null,
      jwtCacheMaxEntries: 10,
      jwtRoleClaimKey: '$.role',
      jwtSecret: secret,
      jwtSecretIsBase64: false,
      ...settings,
    },
    alone,
    now: () => new Date(now * 1000),
  })
}

function refusalOf(ask: () => unknown): ServiceError {
  try {
    ask()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('was not refused')
}

describe('13 a token that is not accepted', () => {
  const identify = identifyWith({ jwtAud: 'shop' })
  test.each([
    ['', 'PGRST301', 'Empty JWT is sent in Authorization header', null],
    ['a.b', 'PGRST301', 'Expected 3 parts in JWT; got 2', null],
    ['%%.fo.iu', 'PGRST301', 'JWT cryptographic operation failed', null],
    [
      `${encode({ alg: 'none' })}.${encode({})}.x`,
      'PGRST301',
      'Wrong or unsupported encoding algorithm',
      "JWT is unsecured but expected 'alg' was not 'none'",
    ],
    [hmac({}, { alg: 'PS256' }), 'PGRST301', 'Wrong or unsupported encoding algorithm', null],
    [hmac({}, { alg: 'HS256', crit: ['b64'] }), 'PGRST301', 'Wrong or unsupported encoding algorithm', null],
    [hmac({}, { alg: 'dir', enc: 'A128GCM' }), 'PGRST301', 'Unsupported token type', null],
    [
      hmac({}, { alg: 'RS256' }),
      'PGRST301',
      'No suitable key or wrong key type',
      'No suitable key was found to decode the JWT',
    ],
    [
      hmac({}, { alg: 'HS256' }, 'another secret of thirty-two chars'),
      'PGRST301',
      'No suitable key or wrong key type',
      'None of the keys was able to decode the JWT',
    ],
    [hmac([1]), 'PGRST303', 'Parsing claims failed', null],
    [hmac({ exp: now - 31 }), 'PGRST303', 'JWT expired', null],
    [hmac({ nbf: now + 31 }), 'PGRST303', 'JWT not yet valid', null],
    [hmac({ iat: now + 31 }), 'PGRST303', 'JWT issued at future', null],
    [hmac({ exp: 'soon' }), 'PGRST303', "The JWT 'exp' claim must be a number", null],
    [hmac({ nbf: 'soon' }), 'PGRST303', "The JWT 'nbf' claim must be a number", null],
    [hmac({ iat: {} }), 'PGRST303', "The JWT 'iat' claim must be a number", null],
    [hmac({ aud: 'other' }), 'PGRST303', 'JWT not in audience', null],
    [hmac({ aud: '' }), 'PGRST303', 'JWT not in audience', null],
    [hmac({ aud: ['other'] }), 'PGRST303', 'JWT not in audience', null],
    [hmac({ aud: 1 }), 'PGRST303', "The JWT 'aud' claim must be a string or an array of strings", null],
    [hmac({ aud: ['shop', 1] }), 'PGRST303', "The JWT 'aud' claim must be a string or an array of strings", null],
  ])('%s: %s %s', (token, code, message, details) => {
    const refusal = refusalOf(() => identify(noKey, `Bearer ${token}`))
    expect(refusal).toMatchObject({ code, message, details, status: 401 })
    expect(refusal.headers['WWW-Authenticate']).toBe(
      `Bearer error="invalid_token", error_description=${JSON.stringify(message)}`,
    )
  })
})

describe('13 a token that is accepted', () => {
  const identify = identifyWith({ jwtAud: 'shop' })
  test.each([
    ['within the leeway of 30 seconds', { exp: now - 30, nbf: now + 30, iat: now + 30 }],
    ['with a matching audience', { aud: 'shop' }],
    ['with one of several audiences', { aud: ['other', 'shop'] }],
    ['without audience', { aud: null }],
    ['with an empty list of them', { aud: [] }],
  ])('%s', (_title, claims) => {
    expect(identify(noKey, `bearer ${hmac({ role: 'author', ...claims })}`).role).toBe('author')
  })

  test('has a role in its claims, if only the anonymous one', () => {
    expect(identify(noKey, `Bearer ${hmac({ sub: 'x' })}`)).toMatchObject({
      role: 'anon',
      claims: { sub: 'x', role: 'anon' },
    })
    expect(identify(noKey, undefined)).toMatchObject({ role: 'anon', claimsJson: '{"role":"anon"}' })
    expect(identify(noKey, 'Basic abc').role).toBe('anon')
  })

  test('tells the role that its path finds', () => {
    const nested = identifyWith({ jwtRoleClaimKey: '$.realm.roles[?(@ != "other")]' })
    const caller = nested(noKey, `Bearer ${hmac({ realm: { roles: ['other', 'author'] } })}`)
    expect(caller).toMatchObject({ role: 'author', claims: { role: 'author', realm: { roles: ['other', 'author'] } } })
  })

  test('expires although it is remembered', () => {
    let seconds = now
    const known = createIdentify({
      settings: {
        anonRole: null,
        jwtAud: null,
        jwtCacheMaxEntries: 1,
        jwtRoleClaimKey: '$.role',
        jwtSecret: secret,
        jwtSecretIsBase64: false,
      },
      alone: true,
      now: () => new Date(seconds * 1000),
    })
    const token = `Bearer ${hmac({ role: 'author', exp: now + 10 })}`
    expect(known(noKey, token)).toBe(known(noKey, token))
    seconds = now + 41
    expect(refusalOf(() => known(noKey, token)).message).toBe('JWT expired')
  })
})

test('13 a token without a configured secret is the server’s error; one without a role is refused', () => {
  const none = identifyWith({ jwtSecret: null, anonRole: null })
  expect(refusalOf(() => none(noKey, `Bearer ${hmac({})}`))).toMatchObject({
    code: 'PGRST300',
    status: 500,
    message: 'Server lacks JWT secret',
  })
  expect(refusalOf(() => none(noKey, undefined))).toMatchObject({
    code: 'PGRST302',
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
})

describe('13 keys', () => {
  const pairs = {
    RS256: [generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'],
    RS384: [generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha384'],
    ES256: [generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256'],
    ES384: [generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'sha384'],
    ES512: [generateKeyPairSync('ec', { namedCurve: 'P-521' }), 'sha512'],
    EdDSA: [generateKeyPairSync('ed25519'), null],
  } as const

  test.each(Object.entries(pairs))('%s by a JWK, and by one of a set', (alg, [{ privateKey, publicKey }, hash]) => {
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1' }
    const other = { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'k2' }
    const token = signed({ role: 'author' }, { alg, kid: 'k1' }, hash, privateKey)
    for (const jwtSecret of [JSON.stringify(jwk), JSON.stringify({ keys: [other, jwk] })])
      expect(identifyWith({ jwtSecret })(noKey, `Bearer ${token}`).role).toBe('author')
    const renamed = signed({ role: 'author' }, { alg, kid: 'k3' }, hash, privateKey)
    const refused = refusalOf(() => identifyWith({ jwtSecret: JSON.stringify(jwk) })(noKey, `Bearer ${renamed}`))
    expect(refused.details).toBe('No suitable key was found to decode the JWT')
    for (const other of [
      { ...jwk, kid: undefined },
      { ...jwk, use: 'enc' },
    ]) {
      const asked = () => identifyWith({ jwtSecret: JSON.stringify(other) })(noKey, `Bearer ${token}`)
      expect(refusalOf(asked).details).toBe('No suitable key was found to decode the JWT')
    }
  })

  test.each(['HS256', 'HS384', 'HS512'])('%s by a symmetric JWK', (alg) => {
    const jwtSecret = JSON.stringify({ kty: 'oct', k: Buffer.from(secret).toString('base64url') })
    expect(identifyWith({ jwtSecret })(noKey, `Bearer ${hmac({ role: 'author' }, { alg })}`).role).toBe('author')
  })

  test('a public key is no secret', () => {
    const { publicKey } = pairs.RS256[0]
    const jwtSecret = JSON.stringify(publicKey.export({ format: 'jwk' }))
    const forged = hmac({ role: 'author' }, { alg: 'HS256' }, jwtSecret)
    expect(refusalOf(() => identifyWith({ jwtSecret })(noKey, `Bearer ${forged}`)).code).toBe('PGRST301')
  })

  test('a secret in base64, in any of its alphabets', () => {
    const bytes = Buffer.from(`${secret}\xff\xfe\xfb`, 'latin1')
    const token = (() => {
      const input = `${encode({ alg: 'HS256' })}.${encode({ role: 'author' })}`
      return `${input}.${createHmac('sha256', bytes).update(input).digest('base64url')}`
    })()
    const plain = bytes.toString('base64')
    for (const jwtSecret of [plain, plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '.')])
      expect(identifyWith({ jwtSecret, jwtSecretIsBase64: true })(noKey, `Bearer ${token}`).role).toBe('author')
  })

  test.each([
    ['too short', { jwtSecret: 'short' }, 'The JWT secret must be at least 32 characters long.'],
    ['not base64', { jwtSecret: 'no base-64!', jwtSecretIsBase64: true }, 'The JWT secret is not base64.'],
    ['a broken key', { jwtSecret: '{"kty":"RSA","n":"x"}' }, 'The JWT secret has a JSON Web Key that cannot be used.'],
    ['a file that is not there', { jwtSecret: '@/nowhere' }, 'The JWT secret could not be read from /nowhere.'],
  ])('a secret that cannot be used: %s', (_title, settings, message) => {
    expect(() => identifyWith(settings)).toThrow(new SecretProblem(message))
  })
})

describe('behind a gateway', () => {
  const caller = (token: string | null): Identity => ({
    kind: 'caller',
    caller: {
      role: 'authenticated',
      claims: { role: 'authenticated', aud: 'other', app: { role: 'author' } },
      claimsJson: '{}',
      userId: null,
      authSessionId: null,
    },
    token,
  })

  test('its word is taken, a project’s key’s in any case', () => {
    expect(identifyWith({}, false)(caller('t'), undefined).role).toBe('authenticated')
    expect(identifyWith({ jwtAud: 'shop' }, false)(caller(null), undefined).role).toBe('authenticated')
  })

  test('audience and role are looked for as they are configured', () => {
    expect(refusalOf(() => identifyWith({ jwtAud: 'shop' }, false)(caller('t'), undefined)).code).toBe('PGRST303')
    expect(identifyWith({ jwtRoleClaimKey: '$.app.role' }, false)(caller('t'), undefined).role).toBe('author')
  })

  test('what it finds expired just now has its leeway, and no more', () => {
    const expired = (exp: number): Identity => ({
      kind: 'refused',
      problem: { kind: 'expired', claims: { role: 'author', exp } },
    })
    const identify = identifyWith({ jwtSecret: null }, false)
    expect(identify(expired(now - 30), undefined).role).toBe('author')
    expect(refusalOf(() => identify(expired(now - 31), undefined)).message).toBe('JWT expired')
  })

  test('tokens of another issuer are accepted by the configured secret, and no other', () => {
    const refused: Identity = { kind: 'refused', problem: { kind: 'bad_signature' } }
    const token = `Bearer ${hmac({ role: 'author' })}`
    expect(identifyWith({}, false)(refused, token).role).toBe('author')
    expect(refusalOf(() => identifyWith({ jwtSecret: null }, false)(refused, token)).code).toBe('PGRST301')
  })
})
