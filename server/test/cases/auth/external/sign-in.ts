import { expect } from 'vitest'
import { failureOf, providerSite } from '../../../provider-world.ts'
import { refusalOf } from '../people.ts'
import { ann, type ExternalCase, exchange, password, pkce, signUp, users } from './case.ts'

/** Sign-in with providers (auth §13, §34). */
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
    rule: 'a prepared account that was never confirmed is emptied before its owner gets it',
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
    rule: 'a confirmed number goes with the rest when another gets the account by address, and stays otherwise',
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
    rule: 'an address of several users signs none of them in',
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
    rule: 'no address is rejected, unless the provider may do without',
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
    rule: 'where sign-ups are switched off known users come in, and new ones do not',
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
    rule: 'a banned user is rejected at a provider’s door',
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
    rule: 'a user who comes twice at one moment is one user',
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
    rule: 'an address that the provider did not verify links to no user',
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
      const parts = ['server_error', 'unexpected_failure', 'Only gardeners, please']
      expect(failureOf(await world.signIn(ann))).toEqual(parts)
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
]
