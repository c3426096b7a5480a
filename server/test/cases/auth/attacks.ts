import { expect } from 'vitest'
import type { AuthCase } from './case.ts'
import { ann, bob, claimsOf, getUser, post, refresh, refusalOf, signIn, signUp } from './people.ts'

/** Rights, fields, texts and addresses that are not the caller’s to set (auth §35). */
export const attacks: readonly AuthCase[] = [
  {
    row: '35.12',
    rule: 'fields that are not a caller’s to set are not set',
    async run(auth, db) {
      const forged = {
        role: 'service_role',
        email_confirmed_at: '2000-01-01T00:00:00Z',
        is_super_admin: true,
        id: crypto.randomUUID(),
        aud: 'other',
        banned_until: '2100-01-01T00:00:00Z',
        is_anonymous: true,
        invited_at: '2000-01-01T00:00:00Z',
      }
      const { access_token: token } = await signUp(auth, { ...ann, ...forged, app_metadata: { admin: true } })
      await post(auth, '/otp', { ...forged, email: bob.email, app_metadata: { admin: true } })
      await auth.call('PUT', '/user', { token, body: { ...forged, data: { a: 1 } } })
      const put = await auth.call('PUT', '/user', { token, body: { app_metadata: { admin: true } } })
      expect(refusalOf(put)).toEqual([403, 'not_admin'])
      const text = `select role, aud, is_super_admin, is_anonymous, banned_until, invited_at, raw_app_meta_data
        from auth.users where email_confirmed_at > '2001-01-01'`
      const { rows } = await db.admin.query({ text, values: [] })
      const own = {
        role: 'authenticated',
        aud: 'authenticated',
        is_super_admin: null,
        is_anonymous: false,
        banned_until: null,
        invited_at: null,
        raw_app_meta_data: { provider: 'email', providers: ['email'] },
      }
      expect(rows).toEqual([own, own])
    },
  },
  {
    row: '35.13',
    rule: 'metadata of a sign-up gives no rights',
    async run(auth) {
      const data = { provider: 'x', role: 'service_role', sub: 'x', email_verified: true, aal: 'aal2' }
      const { access_token, user } = await signUp(auth, { ...ann, data })
      expect(claimsOf(access_token)).toMatchObject({
        sub: user.id,
        role: 'authenticated',
        aal: 'aal1',
        app_metadata: { provider: 'email', providers: ['email'] },
      })
      expect(user.identities[0].identity_data.email_verified).toBe(false)
    },
  },
  {
    row: '35.22',
    rule: 'SQL in a text is a text',
    async run(auth) {
      const evil = `'; drop table auth.users; -- "\\ $1 {"`
      const { access_token: token, user } = await signUp(auth, { ...ann, data: { [evil]: evil } })
      expect(user.user_metadata[evil]).toBe(evil)
      expect((await getUser(auth, token)).body.user_metadata[evil]).toBe(evil)
      const asAdmin = (path: string) => auth.call('GET', path, { token: auth.apiKeys.serviceRoleKey })
      expect((await asAdmin(`/admin/users?filter=${encodeURIComponent(evil)}`)).body.users).toEqual([])
      expect((await asAdmin(`/admin/users?sort=${encodeURIComponent(`created_at ${evil}`)}`)).status).toBe(400)
      expect((await asAdmin(`/admin/audit?query=action:${encodeURIComponent(evil)}`)).body).toEqual([])
    },
  },
  {
    row: '35.23',
    rule: 'a prototype cannot be sent',
    async run(auth) {
      const body = `{"email":"${ann.email}","password":"${ann.password}","__proto__":{"role":"x"},
        "data":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}`
      const answer = await auth.call('POST', '/signup', { body })
      expect(answer.body.user.role).toBe('authenticated')
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    },
  },
  {
    row: '35.33',
    rule: 'no address of this machine or its networks is stored as one to call',
    async run(auth) {
      const token = auth.apiKeys.serviceRoleKey
      const oidc = { provider_type: 'oidc', name: 'x', client_id: 'x', client_secret: 'x' }
      const inside = [
        'https://127.0.0.1/',
        'https://169.254.169.254/latest',
        'https://[::1]/',
        'https://10.0.0.1/',
        'https://localhost/',
        'http://accounts.example.com/',
      ]
      for (const [index, issuer] of inside.entries()) {
        const body = { ...oidc, identifier: `custom:p${index}`, issuer }
        expect([issuer, (await auth.call('POST', '/admin/custom-providers', { token, body })).status]).toEqual([
          issuer,
          400,
        ])
      }
    },
  },
  {
    row: '35.34',
    rule: 'a body is bounded in size and depth',
    async run(auth) {
      const huge = await auth.call('POST', '/signup', { body: { ...ann, data: { x: 'x'.repeat(1_048_577) } } })
      expect(refusalOf(huge)).toEqual([413, 'request_entity_too_large'])
      const deep = `{"data":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`
      expect(refusalOf(await auth.call('POST', '/signup', { body: deep }))).toEqual([400, 'bad_json'])
    },
  },
  {
    row: '35.35',
    rule: 'a line break splits no header',
    async run(auth) {
      const redirect = encodeURIComponent('http://127.0.0.1:3000/\r\nset-cookie: a=b')
      await post(auth, `/otp?redirect_to=${redirect}`, { email: ann.email, data: { name: 'A\r\nBcc: x@example.com' } })
      const { mails } = await auth.inbox.search(`to:${ann.email}`, { start: 0, limit: 1 })
      expect(`${mails[0]?.subject}`).not.toContain('\n')
      const { headers } = await auth.call('GET', await auth.linkFor(ann.email))
      expect(headers).not.toHaveProperty('set-cookie')
    },
  },
  {
    row: '35.40',
    rule: 'the API roles read none of the service’s tables',
    async run(auth, db) {
      await signUp(auth)
      for (const role of ['anon', 'authenticated', 'service_role'])
        for (const table of ['users', 'sessions', 'refresh_tokens', 'one_time_tokens', 'audit_log_entries'])
          await expect(db.load(`set role ${role}; select 1 from auth.${table}`)).rejects.toMatchObject({
            code: '42501',
          })
    },
  },
  {
    row: '35.41',
    rule: 'who is banned is rejected everywhere',
    async run(auth) {
      const session = await signUp(auth)
      await post(auth, '/recover', { email: ann.email })
      const token = await auth.codeFor(ann.email)
      await auth.call('PUT', `/admin/users/${session.user.id}`, {
        token: auth.apiKeys.serviceRoleKey,
        body: { ban_duration: '1h' },
      })
      expect(refusalOf(await refresh(auth, session.refresh_token))).toEqual([400, 'user_banned'])
      expect(refusalOf(await getUser(auth, session.access_token))).toEqual([403, 'user_banned'])
      expect(refusalOf(await signIn(auth))).toEqual([400, 'user_banned'])
      const code = { type: 'recovery', email: ann.email, token }
      expect(refusalOf(await post(auth, '/verify', code))).toEqual([403, 'user_banned'])
      auth.pass(3601)
      expect((await signIn(auth)).status).toBe(200)
    },
  },
  {
    row: '35.42',
    rule: 'no answer, statement or entry of the log holds a password, a code or a key',
    async run(auth, db) {
      await signUp(auth)
      await signIn(auth)
      await post(auth, '/recover', { email: ann.email })
      const code = await auth.codeFor(ann.email)
      await post(auth, '/verify', { type: 'recovery', email: ann.email, token: code })
      const statements = JSON.stringify(auth.contexts.map(({ statements }) => statements))
      const { rows } = await db.admin.query({ text: 'select payload from auth.audit_log_entries', values: [] })
      for (const secret of [ann.password, auth.apiKeys.jwtSecret]) {
        expect(statements).not.toContain(secret)
        expect(JSON.stringify(rows)).not.toContain(secret)
      }
      expect(JSON.stringify(rows)).not.toContain(code)
    },
  },
]
