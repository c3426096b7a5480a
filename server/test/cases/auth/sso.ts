import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { expect } from 'vitest'
import { createIdp, newKey } from '../../saml-idp.ts'
import type { AuthCase } from './case.ts'
import { claimsOf, refresh, refusalOf, signUp } from './people.ts'
import {
  addProvider,
  begin,
  callProviders,
  expectRefusal,
  idp,
  minutes,
  other,
  ownKey,
  pkcs1,
  post,
  samlSettings,
  sessionOf,
  signIn,
} from './saml.ts'

const nextKey = newKey()

const badProviders: readonly (readonly [string, object])[] = [
  ['of another type', { type: 'oidc' }],
  ['without metadata', { metadata_xml: '' }],
  ['with metadata twice', { metadata_url: 'https://idp.example/metadata' }],
  ['whose metadata is at http', { metadata_xml: '', metadata_url: 'http://idp.example/metadata' }],
  ['whose metadata has no address', { metadata_xml: '', metadata_url: 'idp' }],
  ['whose metadata is no XML', { metadata_xml: 'nonsense' }],
  ['whose metadata is something else', { metadata_xml: '<a/>' }],
  ['whose metadata has no entity id', { metadata_xml: createIdp('').metadata() }],
  ['whose metadata has a type declaration', { metadata_xml: `<!DOCTYPE a>${idp.metadata()}` }],
  ['whose metadata has no certificate', { metadata_xml: idp.metadata().replaceAll('X509Certificate', 'Nothing') }],
  [
    'whose metadata has nowhere to go',
    { metadata_xml: idp.metadata().replace('https://idp.example/login', 'javascript:') },
  ],
  ['with an unknown form of name', { name_id_format: 'urn:nonsense' }],
  ['with an empty domain', { domains: [''] }],
]

const badJson: readonly (readonly [string, object])[] = [
  ['domains that are no list', { domains: 'corp.example' }],
  ['a mapping that is none', { attribute_mapping: { keys: { role: 'role' } } }],
  ['names that are no texts', { attribute_mapping: { keys: { role: { names: [1] } } } }],
]

/** Addresses that only this machine and its networks can reach (auth §35.33). */
const inside = [
  'https://127.0.0.1/metadata',
  'https://localhost/metadata',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/metadata',
  'https://[::ffff:127.0.0.1]/metadata',
  'https://10.0.0.1/metadata',
  'https://0x7f000001/metadata',
  'https://2130706433/metadata',
]

/** Single sign-on: its providers, how it begins, and whose user it is (auth §17). */
export const ssoCases: readonly AuthCase[] = [
  ...(
    [
      ['POST', '/sso'],
      ['GET', '/sso/saml/metadata'],
      ['POST', '/sso/saml/acs'],
    ] as const
  ).map(
    ([method, path]): AuthCase => ({
      row: '17',
      rule: `switched off, ${method} ${path} answers 404 saml_provider_disabled`,
      async run(auth) {
        const body = method === 'POST' ? { body: path === '/sso' ? { domain: 'a.example' } : 'a=b' } : {}
        expect(refusalOf(await auth.call(method, path, body))).toEqual([404, 'saml_provider_disabled'])
      },
    }),
  ),
  ...['ServiceProviderConfig', 'ResourceTypes', 'Schemas'].map(
    (name): AuthCase => ({
      row: '17',
      rule: `SCIM's ${name} answers 404 feature_disabled`,
      run: async (auth) =>
        expect(refusalOf(await auth.call('GET', `/scim/v2/${name}`))).toEqual([404, 'feature_disabled']),
    }),
  ),
  ...badProviders.map(
    ([what, more]): AuthCase => ({
      row: '17',
      rule: `a provider ${what} is refused`,
      async run(auth) {
        const body = { type: 'saml', metadata_xml: idp.metadata(), ...more }
        expect(refusalOf(await callProviders(auth, 'POST', '', body))).toEqual([400, 'validation_failed'])
      },
    }),
  ),
  ...badJson.map(
    ([what, more]): AuthCase => ({
      row: '1',
      rule: `a provider with ${what} is refused`,
      async run(auth) {
        const body = { type: 'saml', metadata_xml: idp.metadata(), ...more }
        expect(refusalOf(await callProviders(auth, 'POST', '', body))).toEqual([400, 'bad_json'])
      },
    }),
  ),
  ...inside.map(
    (url): AuthCase => ({
      row: '35.33',
      rule: `metadata at ${url} is not fetched`,
      async run(auth) {
        const body = { type: 'saml', metadata_url: url }
        expect(refusalOf(await callProviders(auth, 'POST', '', body))).toEqual([400, 'saml_metadata_fetch_failed'])
      },
    }),
  ),
  {
    row: '17',
    rule: 'administrators keep the providers',
    async run(auth) {
      expect((await callProviders(auth, 'GET', '')).body).toEqual({ items: [] })
      const mapping = { keys: { role: { names: ['groups', 'role'], array: true, default: ['guest'] } } }
      const created = await addProvider(auth, { resource_id: 'one', attribute_mapping: mapping })
      expect(created).toMatchObject({
        resource_id: 'one',
        disabled: null,
        saml: { entity_id: idp.entityId, metadata_xml: idp.metadata(), attribute_mapping: mapping },
        domains: [{ domain: 'corp.example' }],
      })
      const listed = (await callProviders(auth, 'GET', '')).body.items
      expect(listed).toMatchObject([{ id: created.id }])
      expect(listed[0].saml.metadata_xml).toBeUndefined()
      for (const [query, count] of [
        ['?resource_id=one', 1],
        ['?resource_id=on', 0],
        ['?resource_id_prefix=on', 1],
        ['?resource_id_prefix=%25', 0],
      ] as const)
        expect((await callProviders(auth, 'GET', query)).body.items).toHaveLength(count)
      for (const path of [`/${created.id}`, '/resource_one'])
        expect((await callProviders(auth, 'GET', path)).body.id).toBe(created.id)
      const changed = await callProviders(auth, 'PUT', `/${created.id}`, {
        domains: ['corp.example', 'corp.test'],
        disabled: true,
        resource_id: '',
      })
      expect(changed.body).toMatchObject({
        disabled: true,
        saml: { attribute_mapping: mapping },
        domains: [{ domain: 'corp.example' }, { domain: 'corp.test' }],
      })
      expect(changed.body.resource_id).toBeUndefined()
      const fewer = await callProviders(auth, 'PUT', `/${created.id}`, { domains: [] })
      expect(fewer.body.domains).toEqual([])
      expect((await callProviders(auth, 'DELETE', `/${created.id}`)).body.id).toBe(created.id)
      for (const path of [`/${created.id}`, '/resource_one', '/nonsense', '/%00'])
        expect(refusalOf(await callProviders(auth, 'GET', path))).toEqual([404, 'sso_provider_not_found'])
    },
  },
  {
    row: '17',
    rule: 'nobody but administrators sees the providers',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      expect(refusalOf(await auth.call('GET', '/admin/sso/providers'))).toEqual([401, 'no_authorization'])
      expect(refusalOf(await auth.call('GET', '/admin/sso/providers', { token }))).toEqual([403, 'not_admin'])
    },
  },
  {
    row: '17',
    rule: 'an entity id, a domain and a resource id belong to one provider',
    async run(auth) {
      await addProvider(auth, { resource_id: 'one' })
      const create = async (more: object) =>
        refusalOf(await callProviders(auth, 'POST', '', { type: 'saml', metadata_xml: other.metadata(), ...more }))
      expect(await create({ metadata_xml: idp.metadata() })).toEqual([422, 'saml_idp_already_exists'])
      expect(await create({ domains: ['CORP.example'] })).toEqual([400, 'sso_domain_already_exists'])
      expect(await create({ resource_id: 'ONE' })).toEqual([422, 'conflict'])
      const second = await addProvider(auth, { domains: ['other.example'] }, other)
      const change = async (more: object) => refusalOf(await callProviders(auth, 'PUT', `/${second.id}`, more))
      expect(await change({ domains: ['corp.example'] })).toEqual([400, 'sso_domain_already_exists'])
      expect(await change({ metadata_xml: idp.metadata() })).toEqual([400, 'saml_entity_id_mismatch'])
      expect(await change({ resource_id: 'one' })).toEqual([422, 'conflict'])
      expect((await callProviders(auth, 'GET', `/${second.id}`)).body.domains).toMatchObject([
        { domain: 'other.example' },
      ])
    },
  },
  {
    row: '17',
    rule: 'our metadata names us, and carries a certificate of our key',
    settings: { ...samlSettings, samlAllowEncryptedAssertions: true, samlPrivateKeyNext: pkcs1(nextKey) },
    async run(auth) {
      const answer = await auth.call('GET', '/sso/saml/metadata')
      expect(answer.headers['content-type']).toContain('application/xml')
      expect(answer.headers['cache-control']).toBe('public, max-age=60')
      expect(answer.body).toContain('entityID="http://127.0.0.1:54321/auth/v1/sso/saml/metadata"')
      expect(answer.body).toContain('Location="http://127.0.0.1:54321/auth/v1/sso/saml/acs"')
      const certificates = [...answer.body.matchAll(/<X509Certificate>([^<]+)</g)].map(
        (match) => new X509Certificate(Buffer.from(match[1] ?? '', 'base64')),
      )
      expect(certificates.map((certificate) => certificate.checkPrivateKey(ownKey))).toEqual([true, true, false, false])
      for (const certificate of certificates) {
        expect(certificate.verify(certificate.publicKey)).toBe(true)
        expect(certificate.subject).toBe('CN=SAML 2.0 Certificate for 127.0.0.1')
        expect(new Date(certificate.validTo).getUTCFullYear()).toBe(2169)
      }
      expect((await auth.call('GET', '/sso/saml/metadata')).body).toBe(answer.body)
      const kept = await auth.call('GET', '/sso/saml/metadata?download=true')
      expect(kept.headers['content-disposition']).toContain('metadata.xml')
      expect(kept.body).toContain('validUntil=')
      expect((await auth.call('GET', '/settings')).body).toMatchObject({
        saml_enabled: true,
        saml_private_key_next_configured: true,
      })
    },
  },
  {
    row: '17',
    rule: 'a sign-in begins at the provider of a domain or an id, with a request that we signed',
    settings: samlSettings,
    async run(auth) {
      const { id } = await addProvider(auth)
      const ask = (body: object) => auth.call('POST', '/sso', { body })
      const answer = await ask({ provider_id: id })
      expect(answer.status).toBe(303)
      const url = new URL(String(answer.headers.location))
      expect(`${url.origin}${url.pathname}${url.searchParams.get('tenant')}`).toBe('https://idp.example/login1')
      const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].map(
        (name) => `${name}=${encodeURIComponent(url.searchParams.get(name) ?? '')}`,
      )
      const signature = Buffer.from(url.searchParams.get('Signature') ?? '', 'base64')
      expect(verify('sha256', Buffer.from(signed.join('&')), createPublicKey(ownKey), signature)).toBe(true)
      const bad: readonly (readonly [object, readonly [number, string]])[] = [
        [{}, [400, 'validation_failed']],
        [{ provider_id: id, domain: 'corp.example' }, [400, 'validation_failed']],
        [{ provider_id: 'nonsense' }, [400, 'bad_json']],
        [{ domain: 'nobody.example' }, [404, 'sso_provider_not_found']],
        [{ provider_id: '00000000-0000-0000-0000-000000000000' }, [404, 'sso_provider_not_found']],
        [{ domain: 'corp.example', code_challenge: 'short' }, [400, 'validation_failed']],
      ]
      for (const [body, refusal] of bad) expect(refusalOf(await ask(body))).toEqual(refusal)
      await callProviders(auth, 'PUT', `/${id}`, { disabled: true })
      expect(refusalOf(await ask({ domain: 'CORP.example' }))).toEqual([404, 'sso_provider_disabled'])
    },
  },
  {
    row: '17',
    rule: 'a session ends when the provider says, in the implicit flow too',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const session = sessionOf(await signIn(auth, { sessionNotOnOrAfter: minutes(10) }))
      auth.pass(601)
      expect(refusalOf(await refresh(auth, session.refresh))).toEqual([400, 'session_expired'])
    },
  },
  {
    row: '17',
    rule: 'an assertion must say who its user is, lastingly, and their address',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      expectRefusal(await signIn(auth, { nameIdFormat: 'transient' }), 'saml_assertion_no_user_id')
      expectRefusal(await signIn(auth, { attributes: {} }), 'saml_assertion_no_email')
      const subject = { 'urn:oasis:names:tc:SAML:attribute:subject-id': ['a1'], mail: ['ann@corp.example'] }
      const bySubject = sessionOf(await signIn(auth, { nameIdFormat: 'transient', attributes: subject }))
      expect((await auth.call('GET', '/user', { token: bySubject.token })).body.identities[0].id).toBe('a1')
      const byName = { nameIdFormat: 'email', nameId: 'Bob@corp.example', attributes: {} } as const
      const { token } = sessionOf(await signIn(auth, byName))
      const { body: user } = await auth.call('GET', '/user', { token })
      expect([user.email, user.identities[0].id]).toEqual(['bob@corp.example', 'bob@corp.example'])
    },
  },
  {
    row: '17',
    rule: 'attributes become claims as the mapping says, and never ours to say',
    settings: samlSettings,
    async run(auth) {
      const { id } = await addProvider(auth, {
        attribute_mapping: {
          keys: {
            email: { name: 'work_mail' },
            name: { names: ['displayName', 'cn'] },
            groups: { name: 'GROUPS', array: true },
            plan: { name: 'plan', default: 'free' },
            email_verified: { name: 'verified' },
            sub: { name: 'uid' },
          },
        },
      })
      const attributes = {
        work_mail: ['ann@work.example'],
        mail: ['other@corp.example'],
        cn: ['Ann A.'],
        groups: ['staff', 'admins'],
        verified: ['no'],
        uid: ['root'],
      }
      const { token } = sessionOf(await signIn(auth, { attributes }))
      const { body: user } = await auth.call('GET', '/user', { token })
      expect(user.email).toBe('ann@work.example')
      expect(user.identities[0]).toMatchObject({
        provider: `sso:${id}`,
        identity_data: {
          sub: 'ann',
          iss: idp.entityId,
          name: 'Ann A.',
          email_verified: true,
          custom_claims: { groups: ['staff', 'admins'], plan: 'free' },
        },
      })
    },
  },
  {
    row: '17',
    rule: 'a user of single sign-on is another than the one with the same address, and cannot change what the provider says',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      await addProvider(auth, { domains: ['other.example'] }, other)
      const { user } = await signUp(auth, { email: 'ann@corp.example', password: 'a good password' })
      const { token } = sessionOf(await signIn(auth))
      const { body: single } = await auth.call('GET', '/user', { token })
      expect(single.id).not.toBe(user.id)
      const { relayState, requestId } = await begin(auth, { domain: 'other.example' })
      const third = sessionOf(await post(auth, other.respond({ requestId }), relayState))
      expect(claimsOf(third.token).sub).not.toBe(single.id)
      for (const body of [{ password: 'another password' }, { email: 'ann@elsewhere.example' }])
        expect(refusalOf(await auth.call('PUT', '/user', { token, body }))).toEqual([422, 'user_sso_managed'])
      const byPassword = await auth.call('POST', '/token?grant_type=password', {
        body: { email: 'ann@corp.example', password: 'a good password' },
      })
      expect(byPassword.body.user.id).toBe(user.id)
    },
  },
  {
    row: '17',
    rule: 'an address that only single sign-on has is nobody’s elsewhere',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const single = claimsOf(sessionOf(await signIn(auth)).token).sub
      const email = 'ann@corp.example'
      expect((await auth.call('POST', '/recover', { body: { email } })).body).toEqual({})
      expect((await auth.inbox.list({ start: 0, limit: 10 })).mails).toEqual([])
      const otp = await auth.call('POST', '/otp', { body: { email, create_user: false } })
      expect(refusalOf(otp)).toEqual([422, 'otp_disabled'])
      const byPassword = await auth.call('POST', '/token?grant_type=password', { body: { email, password: '' } })
      expect(refusalOf(byPassword)).toEqual([400, 'invalid_credentials'])
      expect((await signUp(auth, { email, password: 'a good password' })).user.id).not.toBe(single)
    },
  },
  {
    row: '16',
    rule: 'a user of single sign-on has no passkeys and sends no nonce',
    settings: { ...samlSettings, passkeyEnabled: true },
    async run(auth) {
      await addProvider(auth)
      const { token } = sessionOf(await signIn(auth))
      const options = await auth.call('POST', '/passkeys/registration/options', { token, body: {} })
      expect(refusalOf(options)).toEqual([422, 'validation_failed'])
      const byNonce = await auth.call('PUT', '/user', { token, body: { nonce: '123456' } })
      expect(refusalOf(byNonce)).toEqual([422, 'user_sso_managed'])
    },
  },
  {
    row: '17',
    rule: 'users outlive their provider, but cannot come in by it any more',
    settings: samlSettings,
    async run(auth) {
      const { id } = await addProvider(auth)
      const { token } = sessionOf(await signIn(auth))
      const { relayState, requestId } = await begin(auth)
      await callProviders(auth, 'DELETE', `/${id}`)
      expect((await auth.call('GET', '/user', { token })).status).toBe(200)
      expectRefusal(await post(auth, idp.respond({ requestId }), relayState), 'saml_relay_state_not_found')
      expectRefusal(await post(auth, idp.respond({ requestId: null }), ''), 'saml_idp_not_found')
    },
  },
  {
    row: '17',
    rule: 'the same address at the same provider under another name is the same user',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const first = claimsOf(sessionOf(await signIn(auth)).token).sub
      const second = claimsOf(sessionOf(await signIn(auth, { nameId: 'ann-2' })).token).sub
      expect(second).toBe(first)
    },
  },
  {
    row: '35.41',
    rule: 'a banned user of single sign-on is refused',
    settings: samlSettings,
    async run(auth, db) {
      await addProvider(auth)
      await signIn(auth)
      await db.admin.query({ text: "update auth.users set banned_until = now() + interval '1 day'", values: [] })
      expectRefusal(await signIn(auth), 'user_banned')
    },
  },
]
