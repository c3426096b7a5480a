import { expect } from 'vitest'
import type { AuthCase } from './case.ts'
import { ann, asAdmin, bob, getUser, refusalOf, signUp } from './people.ts'

/** What holds for every call: keys, versions, limits, texts, connections (auth §34). */
export const everyCallCases: readonly AuthCase[] = [
  {
    row: '34.25',
    rule: 'a project key is no user',
    async run(auth) {
      for (const key of [auth.apiKeys.anonKey, auth.apiKeys.serviceRoleKey])
        expect(refusalOf(await getUser(auth, key))).toEqual([403, 'bad_jwt'])
    },
  },
  {
    row: '34.26',
    rule: 'opaque keys arrive as bearer tokens',
    async run(auth) {
      const token = auth.apiKeys.publishableKey
      expect((await auth.call('POST', '/signup', { token, body: ann })).status).toBe(200)
      const asUser = await getUser(auth, token)
      expect([...refusalOf(asUser), asUser.body.msg]).toEqual([403, 'bad_jwt', 'invalid claim: missing sub claim'])
      expect((await auth.call('GET', '/admin/users', { token: auth.apiKeys.secretKey })).status).toBe(200)
    },
  },
  {
    row: '34.27',
    rule: 'the code stands where the version that is echoed says',
    async run(auth) {
      const ask = (version: string) => auth.call('GET', '/user', { headers: { 'x-supabase-api-version': version } })
      const old = await ask('2023-12-31')
      expect([old.body.code, old.body.error_code]).toEqual([401, 'no_authorization'])
      expect(old.headers).not.toHaveProperty('x-supabase-api-version')
      const current = await ask('2025-01-01')
      expect([current.body.code, current.headers['x-supabase-api-version']]).toEqual(['no_authorization', '2024-01-01'])
    },
  },
  {
    row: '34.44',
    rule: 'limits count by the socket’s address, whatever a header says',
    settings: { rateLimitByAddress: true, rateLimitTokenRefresh: 1 },
    async run(auth) {
      const statuses: number[] = []
      for (let call = 0; call < 32; call++) {
        const headers = { 'x-forwarded-for': `10.0.0.${call}`, 'sb-forwarded-for': `10.0.1.${call}` }
        const body = { refresh_token: 'abcdefghijkl' }
        statuses.push((await auth.call('POST', '/token?grant_type=refresh_token', { body, headers })).status)
      }
      expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true)
      expect(statuses.slice(30)).toEqual([429, 429])
    },
  },
  {
    row: '34.48',
    rule: 'a connection that served a user knows nothing of them afterwards',
    async run(auth, db) {
      await Promise.all([signUp(auth), signUp(auth, bob)])
      const text = `select current_user = session_user as own, coalesce(current_setting('request.jwt.claims', true), '') as claims`
      const answers = await Promise.all(Array.from({ length: 8 }, () => db.admin.query({ text, values: [] })))
      for (const { rows } of answers) expect(rows).toEqual([{ own: true, claims: '' }])
    },
  },
  {
    row: '34.49',
    rule: 'what a trigger raises reaches clients of the initial format',
    async run(auth, db) {
      await db.load(`
        create function public.refuse() returns trigger language plpgsql as $$
        begin raise exception 'not you' using hint = 'ask first'; end $$;
        create trigger refuse before insert on auth.users for each row execute function public.refuse()`)
      const { status, body } = await auth.call('POST', '/signup', { body: ann })
      expect([status, body]).toEqual([500, { code: 'P0001', message: 'not you', hint: 'ask first' }])
    },
  },
  {
    row: '34.53',
    rule: 'U+0000 is rejected wherever a text is read',
    async run(auth) {
      const nul = 'a\u0000b'
      for (const [path, body] of [
        ['/signup', { ...ann, data: { [nul]: 1 } }],
        ['/signup', { ...ann, data: { list: [{ deep: nul }] } }],
        ['/token?grant_type=password', { ...ann, password: nul }],
        ['/otp', { email: nul }],
        ['/verify', { type: 'signup', token_hash: nul }],
        ['/token?grant_type=refresh_token', { refresh_token: nul }],
      ] as const)
        expect(refusalOf(await auth.call('POST', path, { body }))).toEqual([400, 'bad_json'])
      expect((await asAdmin(auth, 'GET', '/admin/audit?query=author:%00')).status).toBe(400)
    },
  },
]
