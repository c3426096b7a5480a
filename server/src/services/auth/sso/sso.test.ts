import { createPublicKey } from 'node:crypto'
import { createServer } from 'node:http'
import { createClient } from '@supabase/supabase-js'
import { expect, test as pureTest } from 'vitest'
import { encrypt } from 'xml-encryption'
import { startAuth } from '../../../../test/auth-service.ts'
import { ssoAdministrationCases } from '../../../../test/cases/auth/sso/administration.ts'
import { addProvider, begin, post, readRequest, samlSettings, sessionOf } from '../../../../test/cases/auth/sso/saml.ts'
import { samlResponseCases } from '../../../../test/cases/auth/sso/saml-responses.ts'
import { ssoCases } from '../../../../test/cases/auth/sso/sign-in.ts'
import { test } from '../../../../test/harness.ts'
import { createIdp, newKey } from '../../../../test/saml-idp.ts'
import { createOutbound } from '../../../engines/outbound/index.ts'
import { localApiKeys } from '../../../ground/jwt/api-keys.ts'
import { isSamlKey } from './saml/keys.ts'
import { isStale, parseMetadata } from './saml/metadata.ts'

const cases = [...ssoAdministrationCases, ...ssoCases, ...samlResponseCases]

test.for(cases.map((row) => [row.row, row.rule, row] as const))('auth §%s %s', async ([, , row], { db }) => {
  await row.run(await startAuth(db, row.settings, row.deps), db)
})

const day = 86_400_000
const at = new Date('2026-01-01T00:00:00Z')
const later = (ms: number): Date => new Date(at.getTime() + ms)

pureTest.each([
  ['without a word about it, after a day', { validUntil: null, cacheSeconds: null }, day + 1, true],
  ['and not before', { validUntil: null, cacheSeconds: null }, day, false],
  ['when its time is over', { validUntil: later(10), cacheSeconds: null }, 11, true],
  ['and not while it is not', { validUntil: later(2 * day), cacheSeconds: null }, day + 1, false],
  ['when it was kept as long as it may be', { validUntil: null, cacheSeconds: 60 }, 60_001, true],
  ['and not before that', { validUntil: null, cacheSeconds: 2 * 86_400 }, day + 1, false],
])('metadata is read again %s', (_when, metadata, passed, stale) => {
  expect(isStale(metadata, at, later(passed))).toBe(stale)
})

pureTest.each([
  ['PT6H', 21_600],
  ['P1D', 86_400],
  ['P1DT2H3M4S', 93_784],
  ['P1M', null],
  ['soon', null],
])('metadata may be kept for %s', (text, seconds) => {
  const xml = createIdp().metadata({ attributes: `cacheDuration="${text}"` })
  expect(parseMetadata(xml).cacheSeconds).toBe(seconds)
})

pureTest('a key is an RSA one of 2048 bits, in PKCS#1 or PEM', () => {
  const key = newKey()
  expect(isSamlKey(key.export({ type: 'pkcs1', format: 'der' }).toString('base64'))).toBe(true)
  expect(isSamlKey(key.export({ type: 'pkcs8', format: 'pem' }).toString())).toBe(true)
  expect(isSamlKey('nonsense')).toBe(false)
  expect(isSamlKey(createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString())).toBe(false)
})

test('SAML without a key does not start', async ({ db }) => {
  await expect(startAuth(db, { samlEnabled: true })).rejects.toThrow('saml_private_key')
})

test('metadata is fetched from its address, and again when it is old', async ({ db, onTestFinished }) => {
  const idp = createIdp()
  const served = { xml: idp.metadata({ key: newKey() }), status: 200 }
  const server = createServer((_request, response) => response.writeHead(served.status).end(served.xml))
  onTestFinished(() => void server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  // The address in the settings is public; what is behind it in this test is not.
  const anywhere = createOutbound({ reach: 'anywhere', timeoutMs: 1000, maxBytes: 100_000 })
  const auth = await startAuth(db, samlSettings, {
    fetchMetadata: (url, request) => anywhere(url.replace('https://idp.example', `http://127.0.0.1:${port}`), request),
  })
  const create = { metadata_xml: '', metadata_url: 'https://idp.example/metadata' }
  const { id, saml } = await addProvider(auth, create)
  expect(saml.metadata_url).toBe('https://idp.example/metadata')

  // The provider has changed its key since; a day later the new one is known.
  served.xml = idp.metadata()
  const answer = async (): Promise<string> => {
    const { relayState, requestId } = await begin(auth)
    return sessionOf(await post(auth, idp.respond({ requestId, ...valid }), relayState)).token
  }
  const valid = { notBefore: new Date(Date.now() - 60_000), notOnOrAfter: new Date(Date.now() + 3 * day) }
  expect(await answer()).toBe('')
  auth.pass(86_401)
  expect(await answer()).not.toBe('')

  // When it cannot be read any more, what is known serves on.
  served.status = 500
  auth.pass(86_401)
  expect(await answer()).not.toBe('')
  const again = await auth.call('PUT', `/admin/sso/providers/${id}`, {
    token: auth.apiKeys.secretKey,
    body: { metadata_url: 'https://idp.example/metadata' },
  })
  expect([again.status, again.body.error_code]).toEqual([400, 'saml_metadata_fetch_failed'])
})

/** Encrypts the assertion of a response, as providers do. */
async function encrypted(xml: string, certificate: string): Promise<string> {
  const assertion = /<saml:Assertion [\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`
  const data = await new Promise<string>((done, fail) => {
    const options = {
      rsa_pub: createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString(),
      pem,
      encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    } as const
    encrypt(assertion, options, (error, result) => (error === null ? done(result) : fail(error)))
  })
  return xml.replace(assertion, `<saml:EncryptedAssertion>${data}</saml:EncryptedAssertion>`)
}

test('an assertion may be encrypted for either of our keys, where that is allowed', async ({ db }) => {
  const keyText = () => newKey().export({ type: 'pkcs1', format: 'der' }).toString('base64')
  const settings = { ...samlSettings, samlPrivateKeyNext: keyText() }
  const idp = createIdp()
  const auth = await startAuth(db, { ...settings, samlAllowEncryptedAssertions: true })
  await addProvider(auth)
  const { body: metadata } = await auth.call('GET', '/sso/saml/metadata')
  const keys = [...metadata.matchAll(/use="encryption">.*?<X509Certificate>([^<]+)</g)]
  expect(keys).toHaveLength(2)
  for (const [, certificate = ''] of keys) {
    const { relayState, requestId } = await begin(auth)
    const xml = await encrypted(idp.respond({ requestId }), certificate)
    expect(sessionOf(await post(auth, xml, relayState)).token).not.toBe('')
  }
  const unsigned = await begin(auth)
  const forged = await encrypted(idp.respond({ requestId: unsigned.requestId, signed: 'nothing' }), keys[0]?.[1] ?? '')
  const refused = await post(auth, forged, unsigned.relayState)
  expect(refused.searchParams.get('error_code')).toBe('validation_failed')
})

class NoSocket {
  constructor() {
    throw new Error('The client opened a socket.')
  }
}

test('the official client begins a sign-in and exchanges its code', async ({ db, onTestFinished }) => {
  const auth = await startAuth(db, samlSettings)
  onTestFinished(() => auth.app.close())
  const { id } = await addProvider(auth)
  const url = await auth.app.listen({ host: '127.0.0.1', port: 0 })
  const storage = new Map<string, string>()
  const client = createClient(url, localApiKeys().anonKey, {
    auth: {
      autoRefreshToken: false,
      flowType: 'pkce',
      storage: {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (key: string, value: string) => void storage.set(key, value),
        removeItem: (key: string) => void storage.delete(key),
      },
    },
    // Node 20 has no WebSocket of its own and the client asks for one; nothing here opens it.
    realtime: { transport: NoSocket as never },
  })
  const begun = await client.auth.signInWithSSO({
    providerId: id,
    options: { redirectTo: 'https://app.example/in', skipBrowserRedirect: true },
  })
  expect(begun.error).toBeNull()
  const { relayState, requestId } = readRequest(new URL(begun.data?.url ?? ''))
  const location = await post(auth, createIdp().respond({ requestId }), relayState)
  const exchanged = await client.auth.exchangeCodeForSession(location.searchParams.get('code') ?? '')
  expect(exchanged.error).toBeNull()
  expect(exchanged.data.user?.app_metadata.provider).toBe(`sso:${id}`)
})
