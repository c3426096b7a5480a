import { expect } from 'vitest'
import { createRefreshTokenKey, signRefreshToken } from '../../../src/services/auth/sessions/refresh-token.ts'
import { type Answer, startAuth, type TestAuth } from '../../auth-service.ts'
import type { AuthCase } from './case.ts'
import { ann, claimsOf, refresh, refusalOf, signIn, signUp } from './people.ts'
import { withFactor } from './second-factor.ts'

const signed = { refreshTokenAlgorithmVersion: 2 } as const
const going = { ...signed, refreshTokenUpgradePercentage: 100 } as const

const me = async (auth: TestAuth, session: Answer['body']): Promise<number> =>
  (await auth.call('GET', '/user', { token: session.access_token })).status

/** Refreshes with one token at the same time, in turn at each of several processes on one database. */
const many = (processes: readonly TestAuth[], token: string, count: number): Promise<readonly Answer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => {
      const auth = processes[index % processes.length]
      if (auth === undefined) throw new Error('There is no process.')
      return refresh(auth, token)
    }),
  )

/** Sessions: auth §8, and what auth §34 and §35 say of them. */
export const sessionCases: readonly AuthCase[] = [
  {
    row: '8',
    rule: 'a signed token is followed by the next, and a counter tells them apart',
    settings: signed,
    async run(auth, db) {
      const first = await signUp(auth)
      expect(first.refresh_token).toMatch(/^[A-Za-z0-9_-]{51,}$/)
      const second = await refresh(auth, first.refresh_token)
      const { headers } = second
      expect([headers['sb-auth-refresh-token-counter'], headers['sb-auth-refresh-token-reuse']]).toEqual(['1', 'false'])
      expect(headers['sb-auth-refresh-token-prefix']).toBeUndefined()
      const rows = await db.admin.query({ text: 'select token from auth.refresh_tokens', values: [] })
      expect(rows.rows).toEqual([])
    },
  },
  {
    row: '8',
    rule: 'the signed token before gets the newest again at any later time',
    settings: signed,
    async run(auth) {
      const { refresh_token: token } = await signUp(auth)
      const { body } = await refresh(auth, token)
      auth.pass(30 * 86_400)
      const again = await refresh(auth, token)
      expect(again.body.refresh_token).toBe(body.refresh_token)
      expect(again.headers['sb-auth-refresh-token-reuse-cause']).toBe('fail-to-save')
    },
  },
  {
    row: '34.4',
    rule: 'an old signed token that comes late ends the session at once, and every token of it',
    settings: signed,
    async run(auth) {
      const session = await signUp(auth)
      const second = (await refresh(auth, session.refresh_token)).body.refresh_token
      const third = (await refresh(auth, second)).body.refresh_token
      expect((await refresh(auth, session.refresh_token)).body.refresh_token).toBe(third)
      auth.pass(11)
      const late = await refresh(auth, session.refresh_token)
      expect(refusalOf(late)).toEqual([400, 'refresh_token_already_used'])
      expect(late.headers['sb-auth-refresh-token-rotated']).toBe('true')
      expect(await me(auth, session)).toBe(403)
      expect(refusalOf(await refresh(auth, third))).toEqual([400, 'refresh_token_not_found'])
    },
  },
  {
    row: '34.4',
    rule: 'an old opaque token that comes late leaves the session’s row',
    async run(auth) {
      const session = await signUp(auth)
      await refresh(auth, (await refresh(auth, session.refresh_token)).body.refresh_token)
      auth.pass(11)
      expect(refusalOf(await refresh(auth, session.refresh_token))).toEqual([400, 'refresh_token_already_used'])
      expect(await me(auth, session)).toBe(200)
    },
  },
  {
    row: '8',
    rule: 'without rotation an old signed token is rejected and ends nothing',
    settings: { ...signed, enableRefreshTokenRotation: false },
    async run(auth) {
      const session = await signUp(auth)
      const second = (await refresh(auth, session.refresh_token)).body.refresh_token
      const third = (await refresh(auth, second)).body.refresh_token
      auth.pass(11)
      expect(refusalOf(await refresh(auth, session.refresh_token))).toEqual([400, 'refresh_token_already_used'])
      expect((await refresh(auth, third)).status).toBe(200)
    },
  },
  {
    row: '8',
    rule: 'where reuse is allowed any signed token of the session gets the newest',
    settings: { ...signed, refreshTokenAllowReuse: true },
    async run(auth) {
      const session = await signUp(auth)
      const second = (await refresh(auth, session.refresh_token)).body.refresh_token
      const third = (await refresh(auth, second)).body.refresh_token
      auth.pass(11)
      const again = await refresh(auth, session.refresh_token)
      expect(again.body.refresh_token).toBe(third)
      expect(again.headers['sb-auth-refresh-token-reuse-cause']).toBe('always-allow')
    },
  },
  {
    row: '8',
    rule: 'a signed token of another key, of another session, or ahead of its own is rejected',
    settings: signed,
    async run(auth, db) {
      const session = await signUp(auth)
      const { session_id: id } = claimsOf(session.access_token)
      const forged = signRefreshToken(id, 0, createRefreshTokenKey())
      expect(refusalOf(await refresh(auth, forged))).toEqual([400, 'refresh_token_not_found'])
      const { rows } = await db.admin.query<{ key: string }>({
        text: 'select refresh_token_hmac_key as key from auth.sessions',
        values: [],
      })
      const key = rows[0]?.key ?? ''
      const foreign = signRefreshToken('0d6bd4c6-9d4f-4d0f-a7e8-5a7a3f5f2a11', 0, key)
      expect(refusalOf(await refresh(auth, foreign))).toEqual([400, 'refresh_token_not_found'])
      expect(refusalOf(await refresh(auth, signRefreshToken(id, 1, key)))).toEqual([400, 'validation_failed'])
      expect((await refresh(auth, session.refresh_token)).status).toBe(200)
    },
  },
  {
    row: '35.2',
    rule: 'twenty callers with one opaque token, at several processes, all get the same new one',
    async run(auth, db) {
      const processes = [auth, ...(await Promise.all(Array.from({ length: 4 }, () => startAuth(db))))]
      const answers = await many(processes, (await signUp(auth)).refresh_token, 20)
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    },
  },
  {
    row: '35.2',
    rule: 'twenty callers with one signed token all get the same new one',
    settings: signed,
    async run(auth, db) {
      const processes = [auth, ...(await Promise.all(Array.from({ length: 4 }, () => startAuth(db, signed))))]
      const answers = await many(processes, (await signUp(auth)).refresh_token, 20)
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    },
  },
  {
    row: '35.2',
    rule: 'twenty callers whose session goes over to signed tokens all get the same one',
    settings: going,
    async run(auth, db) {
      const { refresh_token: token } = await signUp(auth)
      await db.load(`
        update auth.sessions set refresh_token_hmac_key = null, refresh_token_counter = null;
        insert into auth.refresh_tokens (token, user_id, revoked, created_at, updated_at, session_id)
        select 'aaaaaaaaaaaa', user_id, false, now(), now(), id from auth.sessions`)
      expect(refusalOf(await refresh(auth, token))).toEqual([400, 'refresh_token_not_found'])
      const processes = [auth, ...(await Promise.all(Array.from({ length: 4 }, () => startAuth(db, going))))]
      const answers = await many(processes, 'aaaaaaaaaaaa', 20)
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      const [next = '', ...others] = new Set(answers.map(({ body }) => String(body.refresh_token)))
      expect([next.length > 12, others]).toEqual([true, []])
      auth.pass(3600)
      expect((await refresh(auth, 'aaaaaaaaaaaa')).body.refresh_token).toBe(next)
      expect((await refresh(auth, next)).status).toBe(200)
      expect(refusalOf(await refresh(auth, 'aaaaaaaaaaaa'))).toEqual([400, 'refresh_token_already_used'])
    },
  },
  {
    row: '35.3',
    rule: 'of a refresh and a sign-out at once, in whatever order, no token is left alive',
    settings: signed,
    async run(auth) {
      for (let time = 0; time < 5; time++) {
        const session = time === 0 ? await signUp(auth) : (await signIn(auth)).body
        const [refreshed, out] = await Promise.all([
          refresh(auth, session.refresh_token),
          auth.call('POST', '/logout', { token: session.access_token }),
        ])
        expect(out.status).toBe(204)
        expect([200, 400]).toContain(refreshed.status)
        for (const token of [session.refresh_token, refreshed.body.refresh_token ?? session.refresh_token])
          expect(refusalOf(await refresh(auth, token))).toEqual([400, 'refresh_token_not_found'])
      }
    },
  },
  {
    row: '34.1',
    rule: 'of a thousand refreshes at once no session is lost',
    settings: { enableAnonymousSignIns: true },
    async run(auth) {
      const sessions = await Promise.all(Array.from({ length: 100 }, () => signUp(auth, {})))
      const answers = await Promise.all(sessions.map((session) => many([auth], session.refresh_token, 10)))
      for (const ofOne of answers) {
        expect(ofOne.map(({ status }) => status)).toEqual(Array(10).fill(200))
        expect(new Set(ofOne.map(({ body }) => body.refresh_token)).size).toBe(1)
      }
      const next = await Promise.all(answers.map(([one]) => refresh(auth, one?.body.refresh_token)))
      expect(new Set(next.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(next.map(({ body }) => body.refresh_token)).size).toBe(100)
    },
  },
  {
    row: '8',
    rule: 'a refresh that finds its session held for five seconds is a conflict, and may be sent again',
    async run(auth, db) {
      const { refresh_token: token } = await signUp(auth)
      const held = await db.admin.transaction(async (sql) => {
        await sql.query({ text: 'select 1 from auth.sessions for update', values: [] })
        return refresh(auth, token)
      })
      expect(refusalOf(held)).toEqual([409, 'conflict'])
      expect((await refresh(auth, token)).status).toBe(200)
    },
  },
  {
    row: '8',
    rule: 'where a user may have one session only, the older one is refreshed no more',
    settings: { sessionSinglePerUser: true },
    async run(auth) {
      const older = await signUp(auth)
      auth.pass(1)
      const newer = (await signIn(auth)).body
      const refused = await refresh(auth, older.refresh_token)
      expect([...refusalOf(refused), refused.body.msg]).toEqual([
        400,
        'session_expired',
        'Invalid Refresh Token: Session Expired (Revoked by Newer Login)',
      ])
      expect((await refresh(auth, newer.refresh_token)).status).toBe(200)
    },
  },
  {
    row: '8',
    rule: '… one of a tag, where there are tags; an unknown one counts as the first',
    settings: { sessionSinglePerUser: true, sessionTags: ['web', 'phone'] },
    async run(auth, db) {
      const tag = (session: Answer['body'], name: string) =>
        db.load(`update auth.sessions set tag = '${name}' where id = '${claimsOf(session.access_token).session_id}'`)
      const web = await signUp(auth)
      auth.pass(1)
      const phone = (await signIn(auth)).body
      await tag(phone, 'phone')
      expect((await refresh(auth, web.refresh_token)).status).toBe(200)
      auth.pass(1)
      await tag((await signIn(auth)).body, 'fridge')
      expect((await refresh(auth, phone.refresh_token)).status).toBe(200)
      expect(refusalOf(await refresh(auth, web.refresh_token))).toEqual([400, 'session_expired'])
    },
  },
  {
    row: '34.24',
    rule: 'who has a second factor and does not use it gets a short token, and soon none',
    settings: { sessionAllowLowAalSeconds: 600 },
    async run(auth) {
      const { session: high } = await withFactor(auth, (await signUp(auth)).access_token)
      const low = (await signIn(auth)).body
      expect(low.expires_in).toBeGreaterThan(590)
      expect(low.expires_in).toBeLessThanOrEqual(600)
      expect(claimsOf(low.access_token).exp).toBe(low.expires_at)
      expect(high.expires_in).toBe(3600)
      auth.pass(601)
      const refused = await refresh(auth, low.refresh_token)
      expect([...refusalOf(refused), refused.body.msg]).toEqual([
        400,
        'session_expired',
        'Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)',
      ])
      expect((await refresh(auth, high.refresh_token)).body.expires_in).toBe(3600)
    },
  },
  {
    row: '8',
    rule: 'an administrator’s token of a session is good for as long as the session could be refreshed',
    settings: { sessionTimeboxSeconds: 100 },
    async run(auth, db) {
      const { user } = await signUp(auth)
      await db.load(`update auth.users set role = 'service_role' where id = '${user.id}'`)
      const token = (await signIn(auth, ann)).body.access_token
      const list = () => auth.call('GET', '/admin/users', { token })
      expect((await list()).status).toBe(200)
      auth.pass(101)
      expect(refusalOf(await list())).toEqual([403, 'session_expired'])
    },
  },
]
