import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { encoded, newKey, type ResponseParts, signXml } from '../../../saml-idp.ts'
import type { AuthCase } from '../case.ts'
import { claimsOf, refresh, refusalOf } from '../people.ts'
import {
  addProvider,
  begin,
  callProviders,
  expectRefusal,
  idp,
  minutes,
  other,
  post,
  samlSettings,
  sessionOf,
  signIn,
} from './saml.ts'

const verifier = 'v'.repeat(64)

const challenge = createHash('sha256').update(verifier).digest('base64url')

const badResponses: readonly (readonly [string, Partial<ResponseParts>])[] = [
  ['no signature', { signed: 'nothing' }],
  ['a signature by SHA-1', { weak: true }],
  ['another audience', { audience: 'https://other.example/' }],
  ['no audience', { audience: null }],
  ['another recipient', { recipient: 'https://other.example/acs' }],
  ['another destination', { destination: 'https://other.example/acs' }],
  ['another issuer', { issuer: 'https://other.example/' }],
  ['another request in its subject', { subjectRequestId: '_another' }],
  ['another request', { requestId: '_another' }],
  ['no request', { requestId: null }],
  ['a failure as status', { status: 'Responder' }],
  ['a confirmation that is not the bearer’s', { method: 'holder-of-key' }],
  ['an end that is past', { notOnOrAfter: minutes(-4) }],
  ['a beginning that is ahead', { notBefore: minutes(60) }],
  ['another version', { version: '1.1' }],
]

/** A signed response and what an attacker makes of it: each names `eve` where the provider signed for `ann`. */
const wrappings: readonly (readonly [string, (xml: string) => string])[] = [
  ['the name changed', (xml) => xml.replace('>ann<', '>eve<')],
  ['the signature taken out', (xml) => evil(xml.replace(/<(ds:)?Signature[\s\S]*<\/(ds:)?Signature>/, ''))],
  [
    'a second assertion before the signed one',
    (xml) => xml.replace('<saml:Assertion ', `${evilAssertion(xml)}<saml:Assertion `),
  ],
  [
    'a second assertion after the signed one',
    (xml) => xml.replace('</samlp:Response>', `${evilAssertion(xml)}</samlp:Response>`),
  ],
  [
    'the signed assertion inside another',
    (xml) =>
      wrap(xml, (signed, forged) =>
        forged.replace('</saml:Assertion>', `<saml:Advice>${signed}</saml:Advice></saml:Assertion>`),
      ),
  ],
  [
    'the signed assertion inside a copy of its signature',
    (xml) =>
      wrap(xml, (signed, forged) => {
        const signature = /<Signature[\s\S]*<\/Signature>/.exec(signed)?.[0] ?? ''
        const bare = signed.replace(signature, '')
        const holding = signature.replace('</Signature>', `<Object>${bare}</Object></Signature>`)
        return forged.replace('</saml:Issuer>', `</saml:Issuer>${holding}`)
      }),
  ],
  [
    'the signature moved to an assertion of the same ID',
    (xml) =>
      wrap(xml, (signed, forged) => {
        const signature = /<Signature[\s\S]*<\/Signature>/.exec(signed)?.[0] ?? ''
        const sameId = forged.replace(/ID="[^"]*"/, /ID="[^"]*"/.exec(signed)?.[0] ?? '')
        return `${sameId.replace('</saml:Issuer>', `</saml:Issuer>${signature}`)}<samlp:Extensions>${signed}</samlp:Extensions>`
      }),
  ],
  [
    'the signed assertion hidden in extensions',
    (xml) => wrap(xml, (signed, forged) => `<samlp:Extensions>${signed}</samlp:Extensions>${forged}`),
  ],
  [
    'the whole of it hidden in another',
    (xml) => {
      const bare = evil(xml.replace(/<Signature[\s\S]*<\/Signature>/g, ''))
      const forged = bare.replace(/ID="_response[^"]*"/, 'ID="_forged"').replace(/ID="_assertion[^"]*"/, 'ID="_other"')
      return forged.replace('<samlp:Status>', `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`)
    },
  ],
  ['a type declaration', (xml) => `<!DOCTYPE a [<!ENTITY x "eve">]>${xml}`],
]

const assertionOf = (xml: string): string => /<saml:Assertion [\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''

const evil = (xml: string): string => xml.replace('>ann<', '>eve<').replace('ann@corp', 'eve@corp')

const evilAssertion = (xml: string): string =>
  evil(assertionOf(xml))
    .replace(/<Signature[\s\S]*<\/Signature>/, '')
    .replace(/ID="[^"]*"/, 'ID="_forged"')

const wrap = (xml: string, make: (signed: string, forged: string) => string): string =>
  xml.replace(assertionOf(xml), () => make(assertionOf(xml), evilAssertion(xml)))

/** Which responses of a provider let their user in (auth §17). */
export const samlResponseCases: readonly AuthCase[] = [
  ...(['assertion', 'response', 'both'] as const).map(
    (signed): AuthCase => ({
      row: '17',
      rule: `a user signs in by a response with ${signed === 'both' ? 'both signatures' : `its ${signed} signed`}`,
      settings: samlSettings,
      async run(auth) {
        const { id } = await addProvider(auth)
        const location = await signIn(auth, { signed })
        expect(`${location.origin}${location.pathname}`).toBe('https://app.example/in')
        const { token } = sessionOf(location)
        expect(claimsOf(token)).toMatchObject({
          email: 'ann@corp.example',
          amr: [{ method: 'sso/saml', provider: id }],
          app_metadata: { provider: `sso:${id}`, providers: [`sso:${id}`] },
        })
        const { body: user } = await auth.call('GET', '/user', { token })
        expect(user.identities).toMatchObject([{ provider: `sso:${id}`, id: 'ann', email: 'ann@corp.example' }])
        expect(sessionOf(await signIn(auth, { signed })).token).not.toBe('')
      },
    }),
  ),
  {
    row: '17',
    rule: 'with PKCE the response ends in a code, and the session ends when the provider says',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const { relayState, requestId } = await begin(auth, { code_challenge: challenge, code_challenge_method: 's256' })
      const location = await post(auth, idp.respond({ requestId, sessionNotOnOrAfter: minutes(60) }), relayState)
      const exchange = (code_verifier: string) =>
        auth.call('POST', '/token?grant_type=pkce', {
          body: { auth_code: location.searchParams.get('code'), code_verifier },
        })
      expect(refusalOf(await exchange('w'.repeat(64)))).toEqual([400, 'bad_code_verifier'])
      const { body: session } = await exchange(verifier)
      expect(claimsOf(session.access_token).amr).toMatchObject([{ method: 'sso/saml' }])
      auth.pass(3000)
      const renewed = await refresh(auth, session.refresh_token)
      expect(renewed.status).toBe(200)
      auth.pass(700)
      expect(refusalOf(await refresh(auth, renewed.body.refresh_token))).toEqual([400, 'session_expired'])
    },
  },
  ...badResponses.map(
    ([what, parts]): AuthCase => ({
      row: '17',
      rule: `a response with ${what} signs no user in`,
      settings: samlSettings,
      async run(auth) {
        await addProvider(auth)
        expectRefusal(await signIn(auth, parts), 'validation_failed')
      },
    }),
  ),
  ...wrappings.map(
    ([what, attack]): AuthCase => ({
      row: '17',
      rule: `a signed response with ${what} signs no user in`,
      settings: samlSettings,
      async run(auth) {
        await addProvider(auth)
        for (const signed of ['assertion', 'response'] as const) {
          const { relayState, requestId } = await begin(auth)
          expectRefusal(await post(auth, attack(idp.respond({ requestId, signed })), relayState), 'validation_failed')
        }
      },
    }),
  ),
  {
    row: '17',
    rule: 'a response signed by another key signs no user in',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const { relayState, requestId } = await begin(auth)
      const forged = signXml(idp.respond({ requestId, signed: 'nothing' }), 'Assertion', newKey())
      expectRefusal(await post(auth, forged, relayState), 'validation_failed')
    },
  },
  {
    row: '17',
    rule: 'a comment in a signed name does not cut it short',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const { relayState, requestId } = await begin(auth)
      const parts = { requestId, nameId: 'ann.evil.example', attributes: { mail: ['ann@corp.example.evil.example'] } }
      const xml = idp
        .respond(parts)
        .replace('>ann.evil', '>ann<!-- -->.evil')
        .replace('example.evil', 'example<!-- -->.evil')
      const { token } = sessionOf(await post(auth, xml, relayState))
      const { body: user } = await auth.call('GET', '/user', { token })
      expect(user.email).toBe('ann@corp.example.evil.example')
      expect(user.identities[0].id).toBe('ann.evil.example')
    },
  },
  {
    row: '17',
    rule: 'a relay state is good once and for two minutes, whatever comes with it',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const first = await begin(auth)
      expectRefusal(await post(auth, '<nonsense/>', first.relayState), 'validation_failed')
      const good = idp.respond({ requestId: first.requestId })
      expectRefusal(await post(auth, good, first.relayState), 'saml_relay_state_not_found')
      const late = await begin(auth)
      auth.pass(120)
      expectRefusal(
        await post(auth, idp.respond({ requestId: late.requestId }), late.relayState),
        'saml_relay_state_expired',
      )
      expectRefusal(await post(auth, good, 'nonsense'), 'validation_failed')
    },
  },
  {
    row: '17',
    rule: 'an assertion is good once, also where the provider began',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const unasked = idp.respond({ requestId: null })
      const arrived = await post(auth, unasked, 'https://app.example/start')
      expect(`${arrived.origin}${arrived.pathname}`).toBe('https://app.example/start')
      expect(sessionOf(arrived).token).not.toBe('')
      expectRefusal(await post(auth, unasked, 'https://app.example/start'), 'validation_failed')
      const { relayState, requestId } = await begin(auth)
      const xml = idp.respond({ requestId })
      expect(sessionOf(await post(auth, xml, relayState)).token).not.toBe('')
      expectRefusal(await post(auth, xml, ''), 'validation_failed')
    },
  },
  {
    row: '17',
    rule: 'where the provider began, the relay state leads to allowed addresses only',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const location = await post(auth, idp.respond({ requestId: null }), 'https://evil.example/')
      expect(location.origin).toBe('http://127.0.0.1:3000')
      expectRefusal(await post(auth, other.respond({ requestId: null }), ''), 'saml_idp_not_found')
    },
  },
  {
    row: '17',
    rule: 'a disabled provider signs no user in',
    settings: samlSettings,
    async run(auth) {
      const { id } = await addProvider(auth)
      const { relayState, requestId } = await begin(auth)
      await callProviders(auth, 'PUT', `/${id}`, { disabled: true })
      expectRefusal(await post(auth, idp.respond({ requestId }), relayState), 'sso_provider_disabled')
      expectRefusal(await post(auth, idp.respond({ requestId: null }), ''), 'sso_provider_disabled')
    },
  },
  {
    row: '17',
    rule: 'an artifact, a bad encoding and a missing response are distinguished from a sign-in',
    settings: samlSettings,
    async run(auth) {
      await addProvider(auth)
      const ask = async (fields: Readonly<Record<string, string>>): Promise<string> => {
        const answer = await auth.call('POST', '/sso/saml/acs', {
          body: new URLSearchParams(fields).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
        expect(answer.status).toBe(303)
        return new URL(String(answer.headers.location)).searchParams.get('error_code') ?? ''
      }
      for (const fields of [{}, { SAMLart: 'x' }, { SAMLResponse: '%%%' }, { SAMLResponse: encoded('<a') }])
        expect(await ask(fields as Readonly<Record<string, string>>)).toBe('validation_failed')
    },
  },
  {
    row: '24',
    rule: 'beginnings and responses from one address are bounded',
    settings: { ...samlSettings, rateLimitByAddress: true },
    async run(auth) {
      for (let at = 0; at < 30; at++) expect((await auth.call('POST', '/sso', { body: {} })).status).toBe(400)
      expect(refusalOf(await auth.call('POST', '/sso', { body: {} }))).toEqual([429, 'over_request_rate_limit'])
      for (let at = 0; at < 30; at++)
        expect((await auth.call('POST', '/sso/saml/acs', { body: 'a=b' })).status).toBe(303)
      expect((await auth.call('POST', '/sso/saml/acs', { body: 'a=b' })).status).toBe(429)
    },
  },
]
