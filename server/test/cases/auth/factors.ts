import { expect } from 'vitest'
import type { AuthCase } from './case.ts'
import { ann, bob, claimsOf, refresh, refusalOf, signIn, signUp } from './people.ts'
import { challenge, codeOf, enrol, prove, verify, withFactor } from './second-factor.ts'

/** Second factors and passkeys (auth §34, §35). */
export const factorCases: readonly AuthCase[] = [
  {
    row: '34.19',
    rule: 'verifying a factor ends the sessions that are below it, and no others',
    async run(auth) {
      const first = await signUp(auth)
      const { id, secret } = await withFactor(auth, first.access_token)
      const high = (await signIn(auth)).body.access_token
      auth.pass(60)
      expect((await prove(auth, high, id, codeOf(secret, 60))).status).toBe(200)
      const low = (await signIn(auth)).body.access_token
      auth.pass(60)
      expect((await prove(auth, high, id, codeOf(secret, 120))).status).toBe(200)
      const statusOf = async (token: string) => (await auth.call('GET', '/user', { token })).status
      expect([await statusOf(first.access_token), await statusOf(high), await statusOf(low)]).toEqual([200, 200, 403])
    },
  },
  {
    row: '34.20',
    rule: 'an abandoned factor without a name is in the way until five minutes have passed unchallenged',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      expect((await enrol(auth, token, { friendly_name: '' })).status).toBe(200)
      expect(refusalOf(await enrol(auth, token, { friendly_name: '' }))).toEqual([422, 'mfa_factor_name_conflict'])
      auth.pass(301)
      const second = await enrol(auth, token, { friendly_name: '' })
      expect(second.status).toBe(200)
      await challenge(auth, token, second.body.id)
      auth.pass(301)
      expect(refusalOf(await enrol(auth, token, { friendly_name: '' }))).toEqual([422, 'mfa_factor_name_conflict'])
    },
  },
  {
    row: '34.21',
    rule: 'a code is accepted once, whatever the challenge',
    async run(auth) {
      const { id, secret, code } = await withFactor(auth, (await signUp(auth)).access_token)
      const again = (await signIn(auth)).body.access_token
      expect(refusalOf(await prove(auth, again, id, code))).toEqual([422, 'mfa_verification_failed'])
      auth.pass(30)
      expect((await prove(auth, again, id, codeOf(secret, 30))).status).toBe(200)
      // Not the one before either, though the clock’s leeway would allow it.
      const third = (await signIn(auth)).body.access_token
      expect(refusalOf(await prove(auth, third, id, code))).toEqual([422, 'mfa_verification_failed'])
    },
  },
  {
    row: '34.22',
    rule: 'a challenge belongs to the address that asked for it',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      const { body: factor } = await enrol(auth, token)
      const { body: asked } = await challenge(auth, token, factor.id)
      const body = { challenge_id: asked.id, code: codeOf(factor.totp.secret) }
      const elsewhere = await auth.app.inject({
        method: 'POST',
        url: `/auth/v1/factors/${factor.id}/verify`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: body,
        remoteAddress: '203.0.113.9',
      })
      expect([elsewhere.statusCode, elsewhere.json().error_code]).toEqual([422, 'mfa_ip_address_mismatch'])
      expect((await verify(auth, token, factor.id, body)).status).toBe(200)
    },
  },
  {
    row: '35.26',
    rule: 'below the second level a user changes no secret, and neither adds nor removes a factor',
    settings: { passkeyEnabled: true },
    async run(auth) {
      const { id } = await withFactor(auth, (await signUp(auth)).access_token)
      const token = (await signIn(auth)).body.access_token
      for (const change of [{ password: 'another good one' }, { email: 'other@example.com' }])
        expect(refusalOf(await auth.call('PUT', '/user', { token, body: change }))).toEqual([401, 'insufficient_aal'])
      expect(refusalOf(await enrol(auth, token, { friendly_name: 'mine' }))).toEqual([403, 'insufficient_aal'])
      expect(refusalOf(await auth.call('DELETE', `/factors/${id}`, { token }))).toEqual([422, 'insufficient_aal'])
      const options = await auth.call('POST', '/passkeys/registration/options', { token, body: {} })
      expect(refusalOf(options)).toEqual([403, 'insufficient_aal'])
    },
  },
  {
    row: '35.27',
    rule: 'another user’s factor and challenge are not there',
    async run(auth) {
      const mine = await withFactor(auth, (await signUp(auth, ann)).access_token)
      const { access_token: token } = await signUp(auth, bob)
      expect(refusalOf(await challenge(auth, token, mine.id))).toEqual([404, 'mfa_factor_not_found'])
      expect(refusalOf(await auth.call('DELETE', `/factors/${mine.id}`, { token }))).toEqual([
        404,
        'mfa_factor_not_found',
      ])
      const { body: theirs } = await challenge(auth, mine.session.access_token, mine.id)
      const { body: own } = await enrol(auth, token)
      const crossed = { challenge_id: theirs.id, code: codeOf(own.totp.secret) }
      expect(refusalOf(await verify(auth, token, own.id, crossed))).toEqual([422, 'mfa_factor_not_found'])
      expect(refusalOf(await verify(auth, token, mine.id, crossed))).toEqual([404, 'mfa_factor_not_found'])
    },
  },
  {
    row: '35.28',
    rule: 'codes cannot be tried at will, nor a challenge answered again',
    settings: { rateLimitByAddress: true },
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      const { body: factor } = await enrol(auth, token)
      const { body: asked } = await challenge(auth, token, factor.id)
      const body = { challenge_id: asked.id, code: codeOf(factor.totp.secret) }
      const raised = await verify(auth, token, factor.id, body)
      expect(refusalOf(await verify(auth, raised.body.access_token, factor.id, body))).toEqual([
        422,
        'mfa_ip_address_mismatch',
      ])
      const tries = await Promise.all(
        Array.from({ length: 50 }, () => verify(auth, token, factor.id, { ...body, code: '000000' })),
      )
      expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20)
    },
  },
  {
    row: '35.28',
    rule: 'codes for one factor are counted, wherever the guesses come from',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      const { body: factor } = await enrol(auth, token)
      const { body: asked } = await challenge(auth, token, factor.id)
      const guess = () => verify(auth, token, factor.id, { challenge_id: asked.id, code: '000000' })
      for (let tried = 0; tried < 30; tried++)
        expect(refusalOf(await guess())).toEqual([422, 'mfa_verification_failed'])
      expect(refusalOf(await guess())).toEqual([429, 'over_request_rate_limit'])
    },
  },
  {
    row: '35.29',
    rule: 'anonymous users have neither factors nor passkeys',
    settings: { enableAnonymousSignIns: true, passkeyEnabled: true },
    async run(auth) {
      const { access_token: token } = await signUp(auth, {})
      expect(refusalOf(await enrol(auth, token))).toEqual([403, 'no_authorization'])
      for (const path of ['/passkeys/registration/options', '/passkeys/registration/verify'])
        expect(refusalOf(await auth.call('POST', path, { token, body: {} }))).toEqual([403, 'no_authorization'])
    },
  },
  {
    row: '15',
    rule: 'taking a factor away lowers the sessions that it raised, at their next refresh',
    async run(auth) {
      const { id, session } = await withFactor(auth, (await signUp(auth)).access_token)
      expect((await auth.call('DELETE', `/factors/${id}`, { token: session.access_token })).body).toEqual({ id })
      const claims = claimsOf((await refresh(auth, session.refresh_token)).body.access_token)
      expect([claims.aal, claims.amr.map(({ method }: { method: string }) => method)]).toEqual(['aal1', ['password']])
    },
  },
]
