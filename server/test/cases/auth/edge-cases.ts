import { expect } from 'vitest'
import { signToken } from '../../../src/ground/jwt/sign.ts'
import type { TestAuth } from '../../auth-service.ts'
import type { AuthCase } from './case.ts'
import { ann, bob, claimsOf, fragmentOf, refresh, refusalOf, signIn, signUp } from './people.ts'

const confirming = { emailEnableConfirmations: true }
const verify = (auth: TestAuth, body: object) => auth.call('POST', '/verify', { body })
const get = (auth: TestAuth, token: string) => auth.call('GET', '/user', { token })
const asAdmin = (auth: TestAuth, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  auth.call(method, path, { token: auth.apiKeys.serviceRoleKey, ...(body === undefined ? {} : { body }) })
const challenge = { code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }

/** Contract §34, sessions and users. */
export const edgeCases: readonly AuthCase[] = [
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
      expect((await get(auth, access_token)).status).toBe(200)
    },
  },
  {
    row: '34.5',
    rule: 'a session that is too old is refused at its refresh, not before',
    settings: { sessionTimeboxSeconds: 600 },
    async run(auth) {
      const session = await signUp(auth)
      auth.pass(601)
      expect((await get(auth, session.access_token)).status).toBe(200)
      expect(refusalOf(await refresh(auth, session.refresh_token))).toEqual([400, 'session_expired'])
    },
  },
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
        expect((await verify(auth, code)).status).toBe(200)
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
    rule: 'a link without token or type is refused as JSON, anything later in a redirect',
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
    row: '34.15',
    rule: 'a new password keeps this session and ends the others',
    async run(auth) {
      const [here, there] = [await signUp(auth), (await signIn(auth)).body]
      await auth.call('PUT', '/user', { token: here.access_token, body: { password: 'the next password' } })
      expect([(await get(auth, here.access_token)).status, (await get(auth, there.access_token)).status]).toEqual([
        200, 403,
      ])
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
    row: '34.25',
    rule: 'a project key is no user',
    async run(auth) {
      for (const key of [auth.apiKeys.anonKey, auth.apiKeys.serviceRoleKey])
        expect(refusalOf(await get(auth, key))).toEqual([403, 'bad_jwt'])
    },
  },
  {
    row: '34.26',
    rule: 'opaque keys arrive as bearer tokens',
    async run(auth) {
      const token = auth.apiKeys.publishableKey
      expect((await auth.call('POST', '/signup', { token, body: ann })).status).toBe(200)
      expect(refusalOf(await get(auth, token))).toEqual([403, 'bad_jwt'])
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
      expect((await get(auth, body.access_token)).body).toMatchObject({ email: ann.email, app_metadata: {}, phone: '' })
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
    rule: 'hashing passwords keeps nobody else waiting',
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
    row: '34.41',
    rule: 'an anonymous user stays who they are when they become a lasting one',
    settings: { enableAnonymousSignIns: true },
    async run(auth) {
      const session = await signUp(auth, {})
      await auth.call('PUT', '/user', { token: session.access_token, body: ann })
      expect((await get(auth, session.access_token)).body).toMatchObject({ id: session.user.id, is_anonymous: false })
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
    row: '34.43',
    rule: 'signing out of a session that is gone says so',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      expect((await auth.call('POST', '/logout', { token })).status).toBe(204)
      expect(refusalOf(await auth.call('POST', '/logout', { token }))).toEqual([403, 'session_not_found'])
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
    rule: 'a connection that served somebody knows nothing of them afterwards',
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
  {
    row: '34.53',
    rule: 'U+0000 is refused wherever a text is read',
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
  {
    row: '34.54',
    rule: 'a token whose session is somebody else’s is as good as none',
    async run(auth) {
      const [mine, other] = [await signUp(auth), await signUp(auth, bob)]
      const { session_id } = claimsOf(other.access_token)
      const forged = signToken({ ...claimsOf(mine.access_token), session_id }, auth.keys.signing)
      expect(refusalOf(await get(auth, forged))).toEqual([403, 'session_not_found'])
    },
  },
  {
    row: '34.55',
    rule: 'a token without end or subject is refused',
    async run(auth) {
      const { exp: _exp, ...endless } = claimsOf((await signUp(auth)).access_token)
      for (const claims of [endless, { ...endless, exp: endless.iat + 600, sub: undefined }])
        expect(refusalOf(await get(auth, signToken(claims, auth.keys.signing)))).toEqual([403, 'bad_jwt'])
      const admin = signToken({ role: 'service_role' }, auth.keys.signing)
      expect(refusalOf(await auth.call('GET', '/admin/users', { token: admin }))).toEqual([403, 'bad_jwt'])
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
