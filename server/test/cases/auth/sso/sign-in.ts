import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { expect } from 'vitest'
import { newKey } from '../../../saml-idp.ts'
import type { AuthCase } from '../case.ts'
import { claimsOf, refresh, refusalOf, signUp } from '../people.ts'
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

/** Single sign-on: how it begins, and whose user it is (auth §17). */
export const ssoCases: readonly AuthCase[] = [
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
    rule: 'an address that only single sign-on has belongs to no other user',
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
    rule: 'a banned user of single sign-on is rejected',
    settings: samlSettings,
    async run(auth, db) {
      await addProvider(auth)
      await signIn(auth)
      await db.admin.query({ text: "update auth.users set banned_until = now() + interval '1 day'", values: [] })
      expectRefusal(await signIn(auth), 'user_banned')
    },
  },
]
