import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { AuthSettings } from '../../../src/services/auth/index.ts'
import { failureOf, type ProviderWorld, providerSite } from '../../provider-world.ts'
import { refusalOf } from './people.ts'

/** One row of the contract about sign-in with providers, told as what happens and what must come of it. */
export interface ExternalCase {
  readonly row: string
  readonly rule: string
  readonly settings?: Partial<AuthSettings>
  readonly run: (world: ProviderWorld) => Promise<void>
}

export const ann = { sub: 'k-ann', email: 'ann@example.com', email_verified: true, name: 'Ann' } as const
const password = 'a good password'

/** A verifier and its challenge, as a client makes them. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, query: { code_challenge: challenge, code_challenge_method: 's256' } }
}

const exchange = (world: ProviderWorld, code: string, verifier: string) =>
  world.auth.call('POST', '/token?grant_type=pkce', { body: { auth_code: code, code_verifier: verifier } })

const users = async ({ db }: ProviderWorld): Promise<readonly Record<string, unknown>[]> => {
  const text = `select u.email, u.encrypted_password as password, u.email_confirmed_at is not null as confirmed,
      u.raw_user_meta_data as metadata, u.phone,
      (select coalesce(jsonb_agg(i.provider order by i.provider), '[]') from auth.identities i where i.user_id = u.id) as providers
    from auth.users u order by u.created_at`
  return (await db.admin.query<Record<string, unknown>>({ text, values: [] })).rows
}

/** Signs somebody up by e-mail and password; confirms the address when `confirm` says so. */
async function signUp({ auth }: ProviderWorld, email: string, confirm: boolean): Promise<string> {
  const answer = await auth.call('POST', '/signup', { body: { email, password, data: { planted: true } } })
  if (!confirm) return answer.body.id
  const token = await auth.codeFor(email)
  const confirmed = await auth.call('POST', '/verify', { body: { type: 'signup', email, token } })
  return confirmed.body.user.id
}

/** Sign-in with providers (auth §13, §34, §35). */
export const externalCases: readonly ExternalCase[] = [
  {
    row: '13',
    rule: 'a verified address of a confirmed user links to that user, who keeps the password',
    async run(world) {
      const id = await signUp(world, ann.email, true)
      const user = await world.userOf(await world.signIn(ann))
      expect(user.id).toBe(id)
      expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email', 'keycloak'] })
      expect(user.user_metadata).toMatchObject({ planted: true, name: 'Ann' })
      const signedIn = await world.auth.call('POST', '/token?grant_type=password', {
        body: { email: ann.email, password },
      })
      expect(signedIn.status).toBe(200)
    },
  },
  {
    row: '13',
    rule: 'an account that somebody prepared and nobody confirmed is emptied before its owner gets it',
    async run(world) {
      const id = await signUp(world, ann.email, false)
      const link = await world.auth.linkFor(ann.email)
      const user = await world.userOf(await world.signIn(ann))
      expect(user.id).toBe(id)
      expect(user.identities.map((identity: { provider: string }) => identity.provider)).toEqual(['keycloak'])
      expect(user.app_metadata).toEqual({ provider: 'keycloak', providers: ['keycloak'] })
      expect(user.user_metadata).not.toHaveProperty('planted')
      expect(user.email_confirmed_at).toEqual(expect.any(String))
      const stolen = await world.auth.call('POST', '/token?grant_type=password', {
        body: { email: ann.email, password },
      })
      expect(refusalOf(stolen)).toEqual([400, 'invalid_credentials'])
      const followed = await world.auth.call('GET', link)
      expect(failureOf(new URL(String(followed.headers.location)))[1]).toBe('otp_expired')
    },
  },
  {
    row: '13',
    rule: 'a number that somebody confirmed goes with the rest when another gets the account by address, and stays otherwise',
    async run(world) {
      await world.signIn({ ...ann, sub: 'k-thief', email_verified: false })
      const number = { text: `update auth.users set phone = '4915200000', phone_confirmed_at = now()`, values: [] }
      await world.db.admin.query(number)
      world.auth.pass(60)
      await world.signIn({ ...ann, sub: 'k-thief', email_verified: false })
      expect(await users(world)).toMatchObject([{ phone: '4915200000' }])
      const user = await world.userOf(await world.signIn(ann))
      expect(user).toMatchObject({ phone: '', email: ann.email, identities: [{ id: ann.sub }] })
    },
  },
  {
    row: '13',
    rule: 'an address that is several users’ is nobody’s to sign in with',
    async run(world) {
      await signUp(world, ann.email, true)
      const other = await signUp(world, 'other@example.com', true)
      const identity = { sub: 'x', email: ann.email, email_verified: true }
      await world.db.admin.query({
        text: `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at)
          values ('x', $1, $2, 'github', now())`,
        values: [other, JSON.stringify(identity)],
      })
      const [error, code, description] = failureOf(await world.signIn(ann))
      expect([error, code]).toEqual(['server_error', 'unexpected_failure'])
      expect(description).toContain('Multiple accounts')
    },
  },
  {
    row: '13',
    rule: 'an unverified address gets a confirmation, the new user is kept, and is in once it is confirmed',
    async run(world) {
      const claims = { ...ann, email_verified: false }
      const location = await world.signIn(claims)
      expect(failureOf(location)).toEqual([
        'access_denied',
        'provider_email_needs_verification',
        'Unverified email with keycloak. A confirmation email has been sent to your keycloak email',
      ])
      expect(await users(world)).toMatchObject([{ email: ann.email, confirmed: false, providers: ['keycloak'] }])
      const token = await world.auth.codeFor(ann.email)
      await world.auth.call('POST', '/verify', { body: { type: 'signup', email: ann.email, token } })
      const user = await world.userOf(await world.signIn(claims))
      expect(user.email).toBe(ann.email)
    },
  },
  {
    row: '13',
    rule: 'an unverified address counts where addresses are not confirmed at all',
    settings: { emailEnableConfirmations: false },
    async run(world) {
      const user = await world.userOf(await world.signIn({ ...ann, email_verified: false }))
      expect(user.email_confirmed_at).toEqual(expect.any(String))
      expect(user.identities[0].identity_data.email_verified).toBe(false)
    },
  },
  {
    row: '13',
    rule: 'unverified users of providers may come in where that is switched on',
    settings: { emailAllowUnverifiedSignIns: true },
    async run(world) {
      const user = await world.userOf(await world.signIn({ ...ann, email_verified: false }))
      expect(user.email_confirmed_at).toBeUndefined()
      expect(await world.auth.codeFor(ann.email)).toMatch(/^\d{6}$/)
    },
  },
  {
    row: '13',
    rule: 'no address is refused, unless the provider may do without',
    async run(world) {
      const [error, code, description] = failureOf(await world.signIn({ sub: 'k-nobody' }))
      expect([error, code]).toEqual(['server_error', 'unexpected_failure'])
      expect(description).toBe('Error getting user email from external provider')
      expect(await users(world)).toEqual([])
    },
  },
  {
    row: '13',
    rule: 'a user without an address comes in where the provider may do without, and is the same one again',
    settings: { externalKeycloakEmailOptional: true },
    async run(world) {
      const first = await world.userOf(await world.signIn({ sub: 'k-nobody' }))
      const second = await world.userOf(await world.signIn({ sub: 'k-nobody' }))
      expect(second).toMatchObject({ id: first.id, email: '', is_anonymous: false })
    },
  },
  {
    row: '13',
    rule: 'where sign-ups are switched off nobody new comes in, and who is known does',
    settings: { enableSignup: false },
    async run(world) {
      expect(failureOf(await world.signIn(ann)).slice(0, 2)).toEqual(['access_denied', 'signup_disabled'])
      expect(await users(world)).toEqual([])
      await world.db.admin.query({
        text: `insert into auth.users (id, aud, role, email, email_confirmed_at)
          values (gen_random_uuid(), 'authenticated', 'authenticated', $1, now())`,
        values: [ann.email],
      })
      expect((await world.userOf(await world.signIn(ann))).email).toBe(ann.email)
    },
  },
  {
    row: '35.41',
    rule: 'a banned user is refused at a provider’s door',
    async run(world) {
      const user = await world.userOf(await world.signIn(ann))
      await world.db.admin.query({
        text: `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
        values: [user.id],
      })
      expect(failureOf(await world.signIn(ann)).slice(0, 2)).toEqual(['access_denied', 'user_banned'])
    },
  },
  {
    row: '13',
    rule: 'users of a domain of their own link among themselves only',
    settings: { providerLinkingDomains: ['keycloak=staff'] },
    async run(world) {
      const id = await signUp(world, ann.email, true)
      const user = await world.userOf(await world.signIn(ann))
      expect(user.id).not.toBe(id)
      expect(user.email).toBe(ann.email)
      expect((await world.userOf(await world.signIn({ ...ann, sub: 'k-ann-2' }))).id).toBe(user.id)
    },
  },
  {
    row: '13',
    rule: 'somebody who comes twice at the same moment is one user',
    async run(world) {
      const states = await Promise.all(Array.from({ length: 5 }, () => world.leave()))
      const answers = await Promise.all(states.map((state) => world.comeBack(state, ann)))
      for (const { headers } of answers) expect(String(headers.location)).toContain('access_token=')
      expect(await users(world)).toHaveLength(1)
    },
  },
  {
    row: '13',
    rule: 'an invited user accepts with a provider that names the address',
    async run(world) {
      const token = world.auth.apiKeys.serviceRoleKey
      await world.auth.call('POST', '/invite', { token, body: { email: ann.email, data: { planted: true } } })
      const link = await world.auth.linkFor(ann.email)
      const invitation = new URL(link, 'http://x').searchParams.get('token') ?? ''
      const wrong = await world.signIn({ ...ann, email: 'bob@example.com' }, { invite_token: invitation })
      expect(failureOf(wrong)[1]).toBe('validation_failed')
      const user = await world.userOf(
        await world.signIn({ ...ann, email_verified: false }, { invite_token: invitation }),
      )
      expect(user).toMatchObject({ email: ann.email, app_metadata: { provider: 'keycloak' } })
      expect(user.email_confirmed_at).toEqual(expect.any(String))
      const unknown = await world.auth.call('GET', '/authorize?provider=keycloak&invite_token=unknown')
      expect(refusalOf(unknown)).toEqual([404, 'user_not_found'])
    },
  },
  {
    row: '34.13',
    rule: 'PKCE keeps the query of the redirect, the implicit flow appends to it as it is',
    async run(world) {
      const redirect = `${providerSite}/in?from=home`
      const coded = await world.signIn(ann, { redirect_to: redirect, ...pkce().query })
      expect([...coded.searchParams.keys()]).toEqual(['from', 'code'])
      const implicit = await world.signIn(ann, { redirect_to: redirect })
      expect(implicit.href.startsWith(`${redirect}#access_token=`)).toBe(true)
    },
  },
  {
    row: '34.45',
    rule: 'an address that the provider did not verify links to nobody',
    async run(world) {
      const id = await signUp(world, ann.email, true)
      const [error, code] = failureOf(await world.signIn({ ...ann, email_verified: false }))
      expect([error, code]).toEqual(['access_denied', 'provider_email_needs_verification'])
      expect(await users(world)).toMatchObject([
        { email: ann.email, providers: ['email'] },
        { email: null, providers: ['keycloak'] },
      ])
      // Verified since then, it is still another user's here: two users, each with their own way in.
      expect(await world.userOf(await world.signIn(ann))).toMatchObject({
        email: '',
        id: expect.not.stringMatching(id),
      })
    },
  },
  {
    row: '34.49',
    rule: 'what a trigger raises leads back with its words, and nothing is kept',
    async run(world) {
      await world.db.load(`
        create function public.refuse() returns trigger language plpgsql as $$
          begin raise exception 'Only gardeners, please'; end
        $$;
        create trigger refuse before insert on auth.users for each row execute function public.refuse();`)
      const said = ['server_error', 'unexpected_failure', 'Only gardeners, please']
      expect(failureOf(await world.signIn(ann))).toEqual(said)
      expect(await users(world)).toEqual([])
    },
  },
  {
    row: '34.52',
    rule: 'of exchanges of one code at the same moment one gets a session',
    async run(world) {
      const { verifier, query } = pkce()
      const code = (await world.signIn(ann, query)).searchParams.get('code') ?? ''
      const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(world, code, verifier)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 404)])
    },
  },
  {
    row: '35.13',
    rule: 'what a provider or a client says of roles changes no claim but metadata',
    async run(world) {
      const said = {
        role: 'service_role',
        app_metadata: { admin: true },
        aud: 'admin',
        phone_verified: true,
        is_super_admin: true,
      }
      const location = await world.signIn({ ...ann, ...said })
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
    rule: 'an identity with an address that nobody verified draws nobody to its user',
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
    rule: 'what is refused before a flow is known is JSON, and leads nowhere',
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
