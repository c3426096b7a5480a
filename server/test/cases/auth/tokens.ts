import { expect } from 'vitest'
import { signToken } from '../../../src/ground/jwt/sign.ts'
import type { AuthCase } from './case.ts'
import { asAdmin, bob, claimsOf, getUser, refresh, refusalOf, signUp } from './people.ts'

/** Sessions and their tokens (auth §34). */
export const tokenCases: readonly AuthCase[] = [
  {
    row: '34.1',
    rule: 'callers that refresh one token at the same time all get the same new one',
    async run(auth) {
      const { refresh_token: token } = await signUp(auth)
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(auth, token)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    },
  },
  {
    row: '34.2',
    rule: 'the parent of the active token is good at any later time',
    async run(auth) {
      const { refresh_token: token } = await signUp(auth)
      const { body } = await refresh(auth, token)
      auth.pass(30 * 86_400)
      expect((await refresh(auth, token)).body.refresh_token).toBe(body.refresh_token)
    },
  },
  {
    row: '34.3',
    rule: 'a stolen session is ended although the request fails; 34.4 its row stays',
    async run(auth, db) {
      const { refresh_token: first, access_token } = await signUp(auth)
      const second = (await refresh(auth, first)).body.refresh_token
      await refresh(auth, second)
      auth.pass(60)
      expect(refusalOf(await refresh(auth, first))).toEqual([400, 'refresh_token_already_used'])
      const living = { text: 'select 1 from auth.refresh_tokens where not revoked', values: [] }
      expect((await db.admin.query(living)).rows).toEqual([])
      expect((await getUser(auth, access_token)).status).toBe(200)
    },
  },
  {
    row: '34.5',
    rule: 'a session that is too old is rejected at its refresh, not before',
    settings: { sessionTimeboxSeconds: 600 },
    async run(auth) {
      const session = await signUp(auth)
      auth.pass(601)
      expect((await getUser(auth, session.access_token)).status).toBe(200)
      expect(refusalOf(await refresh(auth, session.refresh_token))).toEqual([400, 'session_expired'])
    },
  },
  {
    row: '34.18',
    rule: 'a role and metadata that were changed are in the next token',
    async run(auth) {
      const session = await signUp(auth)
      await asAdmin(auth, 'PUT', `/admin/users/${session.user.id}`, { role: 'editor', app_metadata: { team: 'red' } })
      expect(claimsOf(session.access_token).role).toBe('authenticated')
      const { body } = await refresh(auth, session.refresh_token)
      expect(claimsOf(body.access_token)).toMatchObject({ role: 'editor', app_metadata: { team: 'red' } })
    },
  },
  {
    row: '34.23',
    rule: 'aud is a text, instants are whole seconds, addresses that are not there are empty',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      expect(claims).toMatchObject({ aud: 'authenticated', phone: '' })
      expect(Number.isInteger(claims.amr[0].timestamp)).toBe(true)
    },
  },
  {
    row: '34.24',
    rule: 'expires_in is how long the token still lives',
    settings: { jwtExpirySeconds: 120 },
    async run(auth) {
      const session = await signUp(auth)
      const { exp, iat } = claimsOf(session.access_token)
      expect([exp - iat, session.expires_in, session.expires_at]).toEqual([120, 120, exp])
    },
  },
  {
    row: '34.43',
    rule: 'signing out of a session that is gone says so',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      expect((await auth.call('POST', '/logout', { token })).status).toBe(204)
      expect(refusalOf(await auth.call('POST', '/logout', { token }))).toEqual([403, 'session_not_found'])
    },
  },
  {
    row: '34.54',
    rule: 'a token whose session is another user’s is as good as none',
    async run(auth) {
      const [mine, other] = [await signUp(auth), await signUp(auth, bob)]
      const { session_id } = claimsOf(other.access_token)
      const forged = signToken({ ...claimsOf(mine.access_token), session_id }, auth.keys.signing)
      expect(refusalOf(await getUser(auth, forged))).toEqual([403, 'session_not_found'])
    },
  },
  {
    row: '34.55',
    rule: 'a token without end or subject is rejected',
    async run(auth) {
      const { exp: _exp, ...endless } = claimsOf((await signUp(auth)).access_token)
      for (const claims of [endless, { ...endless, exp: endless.iat + 600, sub: undefined }])
        expect(refusalOf(await getUser(auth, signToken(claims, auth.keys.signing)))).toEqual([403, 'bad_jwt'])
      const admin = signToken({ role: 'service_role' }, auth.keys.signing)
      expect(refusalOf(await auth.call('GET', '/admin/users', { token: admin }))).toEqual([403, 'bad_jwt'])
    },
  },
]
