import { expect } from 'vitest'
import type { TestAuth } from '../../auth-service.ts'
import type { AuthCase } from './case.ts'
import { ann, asAdmin, bob, fragmentOf, refusalOf, signIn, signUp } from './people.ts'

const confirming = { emailEnableConfirmations: true }
const verify = (auth: TestAuth, body: object) => auth.call('POST', '/verify', { body })
const challenge = { code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }

/** Sign-up, and what links and codes that were sent are good for (auth §34). */
export const linkCases: readonly AuthCase[] = [
  {
    row: '34.6',
    rule: 'signing up with a taken address looks like signing up, but for the empty identities',
    settings: confirming,
    async run(auth) {
      await asAdmin(auth, 'POST', '/admin/users', { ...ann, email_confirm: true })
      const taken = await auth.call('POST', '/signup', { body: { ...ann, data: { a: 1 } } })
      const free = await auth.call('POST', '/signup', { body: { ...bob, data: { a: 1 } } })
      expect(taken.status).toBe(free.status)
      expect(Object.keys(taken.body)).toEqual(Object.keys(free.body))
      expect(Object.keys(taken.headers).sort()).toEqual(Object.keys(free.headers).sort())
      expect([taken.body.identities, taken.body.user_metadata]).toEqual([[], { a: 1 }])
    },
  },
  {
    row: '34.7',
    rule: 'signing up a second time changes neither password nor metadata',
    settings: confirming,
    async run(auth) {
      await signUp(auth, { ...ann, data: { mine: true } })
      auth.pass(2)
      await signUp(auth, { ...ann, password: 'the one of a thief', data: { mine: false } })
      const code = { type: 'signup', email: ann.email, token: await auth.codeFor(ann.email) }
      expect((await verify(auth, code)).body.user.user_metadata.mine).toBe(true)
      expect((await signIn(auth)).status).toBe(200)
    },
  },
  {
    row: '34.8',
    rule: 'a code asked for with a new address confirms it, and signs in',
    settings: confirming,
    async run(auth) {
      for (const _round of ['confirmation', 'magic link']) {
        await auth.call('POST', '/otp', { body: { email: ann.email } })
        const code = { type: 'email', email: ann.email, token: await auth.codeFor(ann.email) }
        expect(await verify(auth, code)).toMatchObject({ status: 200 })
        auth.pass(2)
      }
    },
  },
  {
    row: '34.9',
    rule: 'each side of a change has a code that is good for its own address only',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { email: bob.email } })
      const [atAnn, atBob] = [await auth.codeFor(ann.email), await auth.codeFor(bob.email)]
      const type = 'email_change'
      if (atAnn !== atBob)
        expect(refusalOf(await verify(auth, { type, email: bob.email, token: atAnn }))).toEqual([403, 'otp_expired'])
      expect((await verify(auth, { type, email: ann.email.toUpperCase(), token: atAnn })).body.code).toBe('200')
      expect((await verify(auth, { type, email: bob.email, token: atBob })).body.user.email).toBe(bob.email)
    },
  },
  {
    row: '34.10',
    rule: 'a code is typed by clients that began with PKCE, too',
    settings: confirming,
    async run(auth) {
      await signUp(auth, { ...ann, ...challenge })
      const code = { type: 'signup', email: ann.email, token: await auth.codeFor(ann.email) }
      expect((await verify(auth, code)).status).toBe(200)
    },
  },
  {
    row: '34.11',
    rule: 'a link without token or type is rejected as JSON, anything later in a redirect',
    async run(auth) {
      for (const query of ['', '?token=x', '?type=signup'])
        expect(refusalOf(await auth.call('GET', `/verify${query}`))).toEqual([400, 'validation_failed'])
      for (const query of ['?token=x&type=signup', '?token=x&type=nonsense', '?token=%00&type=signup'])
        expect((await auth.call('GET', `/verify${query}`)).status).toBe(303)
    },
  },
  {
    row: '34.12',
    rule: 'a fragment is form-encoded, its keys in order, with sb',
    async run(auth) {
      const { headers } = await auth.call('GET', '/verify?token=x&type=signup')
      expect(String(headers.location)).toContain(
        '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
      )
      await auth.call('POST', '/otp', { body: ann })
      const { headers: good } = await auth.call('GET', await auth.linkFor(ann.email))
      const keys = [...fragmentOf(String(good.location)).keys()]
      expect(keys).toEqual([...keys].sort())
      expect(keys).toContain('sb')
    },
  },
  {
    row: '34.13',
    rule: 'a redirect keeps its own query',
    settings: { additionalRedirectUrls: ['https://app.example.com/**'] },
    async run(auth) {
      const redirect = encodeURIComponent('https://app.example.com/cb?next=1')
      await auth.call('POST', `/otp?redirect_to=${redirect}`, { body: { ...ann, ...challenge } })
      const { headers } = await auth.call('GET', await auth.linkFor(ann.email))
      expect(String(headers.location)).toMatch(/^https:\/\/app\.example\.com\/cb\?next=1&code=[\w-]{36}$/)
    },
  },
  {
    row: '34.14',
    rule: 'a code that is used makes every other one of its user worthless',
    async run(auth) {
      await signUp(auth)
      await auth.call('POST', '/recover', { body: ann })
      const recovery = await auth.linkFor(ann.email)
      await asAdmin(auth, 'POST', '/admin/generate_link', {
        type: 'email_change_current',
        email: ann.email,
        new_email: bob.email,
      })
      const code = { type: 'recovery', email: ann.email, token: await auth.codeFor(ann.email) }
      expect((await verify(auth, code)).status).toBe(200)
      expect(String((await auth.call('GET', recovery)).headers.location)).toContain('otp_expired')
    },
  },
  {
    row: '34.37',
    rule: 'who had no address confirms a first one once',
    settings: { ...confirming, enableAnonymousSignIns: true },
    async run(auth) {
      const { access_token: token, user } = await signUp(auth, {})
      await auth.call('PUT', '/user', { token, body: { email: ann.email } })
      const code = { type: 'email_change', email: ann.email, token: await auth.codeFor(ann.email) }
      expect((await verify(auth, code)).body.user).toMatchObject({ id: user.id, email: ann.email, is_anonymous: false })
    },
  },
  {
    row: '34.38',
    rule: 'the code behind a link lives from the moment the link was followed',
    settings: { flowStateExpirySeconds: 300 },
    async run(auth) {
      await auth.call('POST', '/otp', { body: { ...ann, ...challenge } })
      auth.pass(1000)
      const { headers } = await auth.call('GET', await auth.linkFor(ann.email))
      const auth_code = new URL(String(headers.location)).searchParams.get('code')
      expect(auth_code).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const exchange = () =>
        auth.call('POST', '/token?grant_type=pkce', { body: { auth_code, code_verifier: challenge.code_challenge } })
      auth.pass(299)
      expect((await exchange()).status).toBe(200)
      expect(refusalOf(await exchange())).toEqual([404, 'flow_state_not_found'])
    },
  },
  {
    row: '34.39',
    rule: 'a code is as old as its mail',
    settings: { ...confirming, emailOtpExpirySeconds: 60 },
    async run(auth) {
      await signUp(auth)
      const code = { type: 'signup', email: ann.email, token: await auth.codeFor(ann.email) }
      auth.pass(61)
      expect(refusalOf(await verify(auth, code))).toEqual([403, 'otp_expired'])
    },
  },
  {
    row: '34.40',
    rule: 'a change of address is sent again by the current one',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { email: bob.email } })
      const first = await auth.linkFor(bob.email)
      auth.pass(2)
      await auth.call('POST', '/resend', { body: { type: 'email_change', email: bob.email } })
      expect(await auth.linkFor(bob.email)).toBe(first)
      await auth.call('POST', '/resend', { body: { type: 'email_change', email: ann.email } })
      expect(await auth.linkFor(bob.email)).not.toBe(first)
    },
  },
  {
    row: '34.50',
    rule: 'a link that is generated is not sent, and needs no verifier',
    async run(auth) {
      await signUp(auth)
      const wanted = { type: 'recovery', email: ann.email, ...challenge }
      const { body } = await asAdmin(auth, 'POST', '/admin/generate_link', wanted)
      expect(body.hashed_token).toMatch(/^[0-9a-f]{56}$/)
      expect((await auth.inbox.list({ start: 0, limit: 1 })).total).toBe(0)
    },
  },
  {
    row: '34.51',
    rule: 'the answer to a taken address is made of the call alone',
    settings: confirming,
    async run(auth) {
      await asAdmin(auth, 'POST', '/admin/users', { ...ann, email_confirm: true, ban_duration: '1h' })
      await auth.call('POST', '/recover', { body: ann })
      auth.pass(2)
      const { body } = await auth.call('POST', '/signup', { body: ann })
      for (const field of ['recovery_sent_at', 'invited_at', 'banned_until', 'factors', 'last_sign_in_at'])
        expect(body).not.toHaveProperty(field)
    },
  },
  {
    row: '34.52',
    rule: 'of several exchanges of one code at the same time one succeeds',
    async run(auth) {
      await auth.call('POST', '/otp', { body: { ...ann, ...challenge } })
      const { headers } = await auth.call('GET', await auth.linkFor(ann.email))
      const auth_code = new URL(String(headers.location)).searchParams.get('code')
      const body = { auth_code, code_verifier: challenge.code_challenge }
      const answers = await Promise.all([1, 2, 3].map(() => auth.call('POST', '/token?grant_type=pkce', { body })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    },
  },
]
