import { expect } from 'vitest'
import type { AuthCase } from './case.ts'
import { ann, asAdmin, bob, claimsOf, getUser, refresh, refusalOf, signIn, signUp } from './people.ts'

/** What is kept of users, and who may change it (auth §34). */
export const userCases: readonly AuthCase[] = [
  {
    row: '34.15',
    rule: 'a new password keeps this session and ends the others',
    async run(auth) {
      const [here, there] = [await signUp(auth), (await signIn(auth)).body]
      await auth.call('PUT', '/user', { token: here.access_token, body: { password: 'the next password' } })
      expect([
        (await getUser(auth, here.access_token)).status,
        (await getUser(auth, there.access_token)).status,
      ]).toEqual([200, 403])
    },
  },
  {
    row: '34.16',
    rule: 'who has a second factor verifies it before changing password or addresses',
    settings: { smsEnableSignup: true },
    async run(auth, db) {
      const { access_token: token } = await signUp(auth)
      await db.load(`insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
        select gen_random_uuid(), id, 'totp', 'verified', now(), now() from auth.users`)
      for (const body of [{ password: 'the next password' }, { email: bob.email }, { phone: '4915112345678' }])
        expect(refusalOf(await auth.call('PUT', '/user', { token, body }))).toEqual([401, 'insufficient_aal'])
      expect((await auth.call('PUT', '/user', { token, body: { data: { a: 1 }, email: ann.email } })).status).toBe(200)
    },
  },
  {
    row: '34.17',
    rule: 'metadata is laid over, null deletes, lists are replaced',
    async run(auth) {
      const { access_token: token } = await signUp(auth, { ...ann, data: { a: 1, list: [1, 2], deep: { x: 1, y: 2 } } })
      const data = { a: null, list: [3], deep: { x: 2 } }
      const { body } = await auth.call('PUT', '/user', { token, body: { data } })
      expect(body.user_metadata).toMatchObject({ list: [3], deep: { x: 2 } })
      expect(body.user_metadata).not.toHaveProperty('a')
      expect(body.user_metadata.deep).not.toHaveProperty('y')
    },
  },
  {
    row: '34.28',
    rule: 'a list of users knows empty parameters, puts the page first, and names no identities',
    async run(auth) {
      await signUp(auth)
      await signUp(auth, bob)
      const { body, headers } = await asAdmin(auth, 'GET', '/admin/users?per_page=1&page=')
      expect(body.users).toMatchObject([{ email: bob.email, identities: null }])
      expect(String(headers.link)).toMatch(/<[^?]+\?page=2/)
    },
  },
  {
    row: '34.29',
    rule: 'a user is deleted with a body and without one',
    async run(auth) {
      for (const body of [undefined, {}]) {
        const { user } = await signUp(auth)
        expect((await asAdmin(auth, 'DELETE', `/admin/users/${user.id}`, body)).status).toBe(200)
      }
    },
  },
  {
    row: '34.30',
    rule: 'who is deleted softly keeps the id and frees the address',
    async run(auth) {
      const { user } = await signUp(auth)
      await asAdmin(auth, 'DELETE', `/admin/users/${user.id}`, { should_soft_delete: true })
      expect((await asAdmin(auth, 'GET', `/admin/users/${user.id}`)).body.id).toBe(user.id)
      expect((await signUp(auth)).user.id).not.toBe(user.id)
    },
  },
  {
    row: '34.31',
    rule: 'confirmed_at follows from the addresses',
    async run(auth) {
      const { user } = await signUp(auth)
      expect(user.confirmed_at).toBe(user.email_confirmed_at)
    },
  },
  {
    row: '34.32',
    rule: 'columns of odd types are written as user SQL expects them',
    async run(auth, db) {
      const { refresh_token } = await signUp(auth)
      await refresh(auth, refresh_token)
      const text = `select 1 from auth.refresh_tokens t join auth.users u on t.user_id = u.id::text
        join auth.sessions s on s.id = t.session_id and abs(extract(epoch from s.refreshed_at - (now() at time zone 'utc'))) < 60`
      expect((await db.admin.query({ text, values: [] })).rows).toHaveLength(2)
    },
  },
  {
    row: '34.33',
    rule: 'users that a seed wrote sign in, NULL where the service writes an empty text',
    async run(auth, db) {
      await db.load(`
        insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
          confirmation_token, recovery_token, email_change, email_change_token_new, raw_app_meta_data, raw_user_meta_data)
        values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', '${ann.email}',
          crypt('${ann.password}', gen_salt('bf')), now(), null, null, null, null, null, null);
        insert into auth.identities (provider_id, user_id, identity_data, provider)
        select id::text, id, jsonb_build_object('sub', id, 'email', email), 'email' from auth.users`)
      const { body } = await signIn(auth)
      expect((await getUser(auth, body.access_token)).body).toMatchObject({
        email: ann.email,
        app_metadata: {},
        phone: '',
      })
      expect((await auth.call('POST', '/recover', { body: ann })).status).toBe(200)
      expect((await asAdmin(auth, 'GET', '/admin/users')).body.users).toHaveLength(1)
    },
  },
  {
    row: '34.34',
    rule: 'a password is measured in bytes',
    async run(auth) {
      const tooLong = await auth.call('POST', '/signup', { body: { ...ann, password: 'ü'.repeat(37) } })
      expect(refusalOf(tooLong)).toEqual([400, 'validation_failed'])
      await signUp(auth, { ...ann, password: 'ü'.repeat(36) })
      expect((await signIn(auth, { ...ann, password: `${'ü'.repeat(35)}x` })).status).toBe(400)
    },
  },
  {
    row: '34.35',
    rule: 'hashing passwords delays no other call',
    async run(auth) {
      await signUp(auth)
      const signingIn = Promise.all(Array.from({ length: 4 }, () => signIn(auth)))
      let answered = 0
      const others = (async () => {
        for (let call = 0; call < 5; call++) {
          await auth.call('GET', '/health')
          answered += 1
        }
      })()
      const first = await Promise.race([signingIn.then(() => 'sign-ins'), others.then(() => 'others')])
      expect([first, answered]).toEqual(['others', 5])
      await signingIn
    },
  },
  {
    row: '34.36',
    rule: 'a number is kept without plus and spaces, and found with them',
    settings: { smsEnableSignup: true },
    async run(auth) {
      const { user } = await signUp(auth, { phone: '+49 1511 2345678', password: ann.password })
      expect(user.phone).toBe('4915112345678')
      expect((await signIn(auth, { phone: '+491511 2345678', password: ann.password })).status).toBe(200)
    },
  },
  {
    row: '34.41',
    rule: 'an anonymous user stays who they are when they become a lasting one',
    settings: { enableAnonymousSignIns: true },
    async run(auth) {
      const session = await signUp(auth, {})
      await auth.call('PUT', '/user', { token: session.access_token, body: ann })
      expect((await getUser(auth, session.access_token)).body).toMatchObject({
        id: session.user.id,
        is_anonymous: false,
      })
      expect(claimsOf(session.access_token).is_anonymous).toBe(true)
      const { body } = await refresh(auth, session.refresh_token)
      expect(claimsOf(body.access_token).is_anonymous).toBe(false)
      expect((await signIn(auth)).body.user.id).toBe(session.user.id)
    },
  },
  {
    row: '34.42',
    rule: 'an anonymous user sets a password only together with an address',
    settings: { enableAnonymousSignIns: true },
    async run(auth) {
      const { access_token: token } = await signUp(auth, {})
      const alone = await auth.call('PUT', '/user', { token, body: { password: ann.password } })
      expect(refusalOf(alone)).toEqual([422, 'validation_failed'])
    },
  },
  {
    row: '34.56',
    rule: 'what is looked for in the list of users is no pattern',
    async run(auth) {
      await signUp(auth)
      for (const filter of ['%25', 'a_n', '\\'])
        expect((await asAdmin(auth, 'GET', `/admin/users?filter=${filter}`)).body.users).toEqual([])
    },
  },
]
