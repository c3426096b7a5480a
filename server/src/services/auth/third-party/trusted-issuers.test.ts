import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { localApiKeys } from '../../../ground/jwt/api-keys.ts'
import { createKeySet, createSigningKey, type Jwk } from '../../../ground/jwt/keys.ts'
import { signToken } from '../../../ground/jwt/sign.ts'
import { createTokenVerifier } from '../../../ground/jwt/verify.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { authSettings } from '../settings.ts'
import { isIssuer } from './issuer.ts'
import { createTrustedIssuers } from './trusted-issuers.ts'

const own = createSigningKey('ES256')
const ownKeys = createKeySet({ signingKeys: [own], secret: localApiKeys().jwtSecret })
const secretKeys = createKeySet({ signingKeys: [], secret: localApiKeys().jwtSecret })
const signerOf = (jwk: Jwk) => createKeySet({ signingKeys: [jwk], secret: null }).signing

/** An issuer with OpenID discovery, whose keys a test may change. */
async function startIssuer(first: readonly Jwk[]) {
  let keys = first
  let described = (issuer: string): object => ({ issuer, jwks_uri: `${issuer}/keys` })
  let asked = 0
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`
    asked++
    response.setHeader('content-type', 'application/json')
    if (request.url === '/.well-known/openid-configuration') response.end(JSON.stringify(described(issuer)))
    else response.end(JSON.stringify({ keys }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    publish: (next: readonly Jwk[]) => {
      keys = next
    },
    describe: (next: typeof described) => {
      described = next
    },
  }
}

async function startVerifier(issuer: string, audiences: readonly string[] = []) {
  let offsetMs = 0
  const now = () => new Date(Date.now() + offsetMs)
  const settings = {
    ...readSettings(authSettings, []).values,
    thirdPartyIssuers: [issuer],
    thirdPartyAudiences: audiences,
  }
  const issuers = createTrustedIssuers({ settings, now, log: { warn: () => undefined } })
  onTestFinished(() => issuers.close())
  await issuers.refresh()
  const verify = createTokenVerifier({ keys: ownKeys, issuers, now, cacheSize: 100, clockSkewSeconds: 0 })
  const outcome = (token: string) => {
    const verdict = verify(token)
    return verdict.kind === 'claims' ? 'accepted' : verdict.problem.kind
  }
  const exp = Math.floor(Date.now() / 1000) + 600
  return {
    outcome,
    pass: (seconds: number) => {
      offsetMs += seconds * 1000
    },
    claims: (more: object = {}) => ({ iss: issuer, sub: 'user|1', exp, role: 'authenticated', ...more }),
  }
}

test.each(['ES256', 'RS256', 'EdDSA', 'ES512', 'RS512'] as const)(
  'a token another issuer signed with %s is accepted',
  async (algorithm) => {
    const key = createSigningKey(algorithm)
    const { issuer } = await startIssuer([key])
    const { outcome, claims } = await startVerifier(issuer)
    expect(outcome(signToken(claims(), signerOf(key)))).toBe('accepted')
    expect(outcome(signToken(claims({ role: undefined }), signerOf(key)))).toBe('accepted')
  },
)

test('no key is good for another issuer’s tokens', async () => {
  const key = createSigningKey('ES256')
  const shared = { kty: 'oct', k: Buffer.from('a secret that everybody can read').toString('base64url') } as const
  const { issuer } = await startIssuer([key, { ...shared, kid: 'shared', alg: 'HS256' }])
  const { outcome, claims } = await startVerifier(issuer)
  const theirs = signerOf(key)
  const hs256 = (jwk: Jwk) => createKeySet({ signingKeys: [jwk], secret: null }).signing
  expect(outcome(signToken(claims(), ownKeys.signing))).toBe('unknown_key')
  expect(outcome(signToken(claims(), secretKeys.signing))).toBe('unsupported_algorithm')
  expect(outcome(signToken(claims(), hs256({ ...shared, kid: 'shared' })))).toBe('unsupported_algorithm')
  expect(outcome(signToken(claims({ iss: 'https://app.example.com' }), theirs))).toBe('unknown_key')
  expect(outcome(signToken(claims({ iss: undefined }), theirs))).toBe('unknown_key')
  expect(outcome(signToken(claims(), { ...theirs, kid: null }))).toBe('unknown_key')
  expect(outcome(signToken(claims(), { ...signerOf(createSigningKey('ES256')), kid: theirs.kid }))).toBe(
    'bad_signature',
  )
  expect(outcome(signToken({ sub: 'u', exp: claims().exp }, ownKeys.signing))).toBe('accepted')
})

test.for([
  ['an administrator', { role: 'service_role' }],
  ['an administrator of the other name', { role: 'supabase_admin' }],
  ['a role that is no text', { role: ['authenticated'] }],
  ['no end', { exp: undefined }],
  ['nobody', { sub: undefined }],
  ['another audience', { aud: 'other' }],
  ['no audience', {}],
] as const)('a token that says %s is refused', async ([, more]) => {
  const key = createSigningKey('ES256')
  const { issuer } = await startIssuer([key])
  const { outcome, claims } = await startVerifier(issuer, ['project'])
  expect(outcome(signToken(claims({ aud: ['project'] }), signerOf(key)))).toBe('accepted')
  const aud = Object.keys(more).length === 0 || 'aud' in more ? {} : { aud: 'project' }
  expect(outcome(signToken(claims({ ...aud, ...more }), signerOf(key)))).toBe('bad_claims')
})

test('a new key is asked for, and unknown keys are not asked for again and again', async () => {
  const [first, second] = [createSigningKey('ES256'), createSigningKey('ES256')]
  const served = await startIssuer([first])
  const { outcome, claims, pass } = await startVerifier(served.issuer)
  const token = signToken(claims(), signerOf(second))
  served.publish([first, second])
  for (let time = 0; time < 50; time++) expect(outcome(token)).toBe('unknown_key')
  expect(served.asked()).toBe(2)
  pass(31)
  expect(outcome(token)).toBe('unknown_key')
  await expect.poll(() => outcome(token)).toBe('accepted')
  expect(served.asked()).toBe(4)
})

test('an issuer that calls itself otherwise, or cannot be read, has no keys', async () => {
  const key = createSigningKey('ES256')
  const served = await startIssuer([key])
  for (const described of [
    { issuer: 'https://other.example.com', jwks_uri: served.issuer },
    { issuer: served.issuer },
    [],
  ]) {
    served.describe(() => described)
    const { outcome, claims } = await startVerifier(served.issuer)
    expect(outcome(signToken(claims(), signerOf(key)))).not.toBe('accepted')
  }
})

test.each([
  ['https://securetoken.google.com/project', true],
  ['https://tenant.auth0.com/', true],
  ['http://localhost:9000', true],
  ['http://issuer.example.com', false],
  ['https://user:pass@issuer.example.com', false],
  ['https://issuer.example.com/?x=1', false],
  ['issuer', false],
])('the issuer %s may be trusted: %s', (text, may) => {
  expect(isIssuer(text)).toBe(may)
})
