import { expect } from 'vitest'
import { failureOf, providerSite } from '../../../provider-world.ts'
import { refusalOf } from '../people.ts'
import { ann, type ExternalCase, exchange, password, pkce, signUp, users } from './case.ts'

/** Attacks on sign-in with providers (auth §35). */
export const externalAttacks: readonly ExternalCase[] = [
  {
    row: '35.13',
    rule: 'what a provider or a client says of roles changes no claim but metadata',
    async run(world) {
      const profile = {
        role: 'service_role',
        app_metadata: { admin: true },
        aud: 'admin',
        phone_verified: true,
        is_super_admin: true,
      }
      const location = await world.signIn({ ...ann, ...profile })
      const token = new URLSearchParams(location.hash.slice(1)).get('access_token') ?? ''
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      expect(claims).toMatchObject({
        role: 'authenticated',
        aud: 'authenticated',
        app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
      })
      const planted = { provider: 'google', role: 'service_role', sub: 'x', email_verified: true }
      await world.auth.call('POST', '/signup', { body: { email: 'bob@example.com', password, data: planted } })
      const [, bob] = await users(world)
      expect(bob).toMatchObject({ confirmed: false, providers: ['email'] })
    },
  },
  {
    row: '35.16',
    rule: 'the Referer and a forwarded host lead nowhere that is not allowed',
    async run(world) {
      for (const referer of ['https://evil.com/', 'javascript:alert(1)']) {
        const headers = { referer, 'x-forwarded-host': 'evil.com' }
        const answer = await world.auth.call('GET', '/authorize?provider=keycloak', { headers })
        const there = new URL(String(answer.headers.location))
        expect(there.searchParams.get('redirect_uri')).not.toContain('evil.com')
        const back = await world.comeBack(there.searchParams.get('state') ?? '', ann)
        expect(new URL(String(back.headers.location)).origin).toBe(providerSite)
      }
    },
  },
  {
    row: '35.17',
    rule: 'a challenge cannot be dropped, weakened, guessed or shared',
    async run(world) {
      const { verifier, query } = pkce()
      for (const bad of [
        { code_challenge: query.code_challenge },
        { code_challenge_method: 's256' },
        { ...query, code_challenge_method: 'none' },
        { ...query, code_challenge: 'short' },
      ]) {
        const answer = await world.auth.call(
          'GET',
          `/authorize?${new URLSearchParams({ provider: 'keycloak', ...bad } as never)}`,
        )
        expect(refusalOf(answer)).toEqual([400, 'validation_failed'])
      }
      const code = (await world.signIn(ann, query)).searchParams.get('code') ?? ''
      expect(refusalOf(await exchange(world, code, ''))).toEqual([400, 'validation_failed'])
      for (const wrong of [query.code_challenge, pkce().verifier])
        expect(refusalOf(await exchange(world, code, wrong))).toEqual([400, 'bad_code_verifier'])
      const first = await exchange(world, code, verifier)
      expect(first.body).toMatchObject({ provider_token: 'their token', provider_refresh_token: 'their refresh token' })
      expect(refusalOf(await exchange(world, code, verifier))).toEqual([404, 'flow_state_not_found'])
    },
  },
  {
    row: '35.17',
    rule: 'a code is good for as long as a flow may take',
    async run(world) {
      const { verifier, query } = pkce()
      const code = (await world.signIn(ann, query)).searchParams.get('code') ?? ''
      world.auth.pass(301)
      expect(refusalOf(await exchange(world, code, verifier))).toEqual([422, 'flow_state_expired'])
    },
  },
  {
    row: '35.18',
    rule: 'a state that is missing, made up, old or used begins nothing',
    async run(world) {
      const { auth } = world
      const call = (query: string) => auth.call('GET', `/callback?code=x${query}`)
      expect(refusalOf(await call(''))).toEqual([400, 'bad_oauth_callback'])
      expect(refusalOf(await call('&state=mine'))).toEqual([400, 'bad_oauth_state'])
      expect(refusalOf(await call(`&state=${"'; drop table auth.users; --"}`))).toEqual([400, 'bad_oauth_state'])
      expect(refusalOf(await call('&state=7f000001-0000-4000-8000-000000000000'))).toEqual([400, 'bad_oauth_state'])
      const used = await world.leave()
      await world.comeBack(used, ann)
      expect(refusalOf(await world.comeBack(used, ann))).toEqual([400, 'bad_oauth_state'])
      const coded = await world.leave(pkce().query)
      await world.comeBack(coded, ann)
      expect(refusalOf(await world.comeBack(coded, ann))).toEqual([400, 'flow_state_already_used'])
      const old = await world.leave()
      auth.pass(301)
      expect(refusalOf(await world.comeBack(old, ann))).toEqual([400, 'bad_oauth_state'])
    },
  },
  {
    row: '35.18',
    rule: 'of arrivals with one state at the same moment one gets in',
    async run(world) {
      for (const query of [{}, pkce().query]) {
        const state = await world.leave(query)
        const answers = await Promise.all(Array.from({ length: 5 }, () => world.comeBack(state, ann)))
        const got = answers.filter(({ headers }) => /access_token=|[?&]code=/.test(String(headers.location)))
        expect(got).toHaveLength(1)
      }
    },
  },
  {
    row: '35.18',
    rule: 'a state that another browser began is worth nothing without that browser’s verifier',
    async run(world) {
      const code = (await world.signIn(ann, pkce().query)).searchParams.get('code') ?? ''
      expect(refusalOf(await exchange(world, code, pkce().verifier))).toEqual([400, 'bad_code_verifier'])
    },
  },
  {
    row: '35.32',
    rule: 'an identity with an unverified address draws no other to its user',
    settings: { externalKeycloakEmailOptional: true },
    async run(world) {
      // The thief has an account, confirmed, with an identity that merely claims the victim's address.
      const thief = await signUp(world, 'thief@example.com', true)
      await world.db.admin.query({
        text: `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at)
          values ('t', $1, $2, 'spotify', now())`,
        values: [thief, JSON.stringify({ sub: 't', email: ann.email, email_verified: false })],
      })
      expect((await world.userOf(await world.signIn(ann))).id).not.toBe(thief)
    },
  },
  {
    row: '35.32',
    rule: 'a provider’s word for one address confirms no other',
    async run(world) {
      await world.signIn({ ...ann, sub: 'k-thief', email_verified: false })
      world.auth.pass(60)
      const own = { ...ann, sub: 'k-thief', email: 'thief@example.com', email_verified: true }
      expect(failureOf(await world.signIn(own))[1]).toBe('provider_email_needs_verification')
      const [user] = await users(world)
      expect(user).toMatchObject({ email: ann.email, confirmed: false })
    },
  },
  {
    row: '35.38',
    rule: 'what is rejected before a flow is known is JSON, and leads nowhere',
    async run({ auth }) {
      for (const path of [
        '/authorize?provider=nobody&redirect_to=https://evil.com',
        '/authorize?provider=keycloak&code_challenge=x&redirect_to=https://evil.com',
        '/callback?error=access_denied&state=made-up&redirect_to=https://evil.com',
        '/callback?state=7f000001-0000-4000-8000-000000000000&code=x&redirect_to=https://evil.com',
      ]) {
        const answer = await auth.call('GET', path)
        expect([path, answer.status, answer.headers.location]).toEqual([path, 400, undefined])
        expect(answer.body.error_code).toEqual(expect.any(String))
      }
    },
  },
]

/** Addresses that are not the application's, however they are spelt (auth §35.15). */
export const foreignRedirects: readonly string[] = [
  'https://app.example.com.evil.com',
  'https://app.example.com@evil.com',
  'https://evil.com\\@app.example.com',
  '//evil.com',
  'https:evil.com',
  'https://evil.com#https://app.example.com',
  'https://evil.com?https://app.example.com',
  'https://app.example.com\\evil.com',
  'https://app.example.com%2f@evil.com',
  'https://app.example.com\t.evil.com',
  'https://app.example.com\n.evil.com',
  'https://аpp.example.com',
  'javascript:alert(1)//https://app.example.com',
  'data:text/html,<script>',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://[::ffff:10.0.0.1]/',
  'https://user:word@app.example.com/',
  'https://app.example.com:8443/',
  'http://app.example.com/',
]
