import { createHash, createHmac, createPublicKey } from 'node:crypto'
import { expect } from 'vitest'
import { signToken } from '../../../src/ground/jwt/sign.ts'
import type { TestAuth } from '../../auth-service.ts'
import type { AuthCase } from './case.ts'
import { ann, bob, claimsOf, refresh, refusalOf, signIn, signUp } from './people.ts'

const confirming = { emailEnableConfirmations: true }
const post = (auth: TestAuth, path: string, body: object, headers: Record<string, string> = {}) =>
  auth.call('POST', path, { body, headers })
const get = (auth: TestAuth, token: string) => auth.call('GET', '/user', { token })
const encode = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const challenge = { code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }

/** A token with any header, signed by HMAC with any secret. */
function forge(header: object, claims: object, secret: string | Buffer): string {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

const publicKeyOf = (auth: TestAuth) => {
  const [jwk] = auth.keys.jwks.keys
  return { jwk, pem: createPublicKey({ key: jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) }
}

/** Medians of how long two calls take, asked in turns so that a busy machine slows both alike. */
async function medians(rounds: number, one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const [index, call] of [one, other].entries()) {
      const startedAt = performance.now()
      await call()
      times[index === 0 ? 0 : 1].push(performance.now() - startedAt)
    }
  return times.map((all) => all.sort((left, right) => left - right)[Math.floor(rounds / 2)] ?? 0) as [number, number]
}

/** Contract §35, sessions, users and tokens. */
export const attacks: readonly AuthCase[] = [
  {
    row: '35.1',
    rule: 'a grand-parent that is replayed late ends the session',
    async run(auth) {
      const { refresh_token: first } = await signUp(auth)
      const second = (await refresh(auth, first)).body.refresh_token
      const third = (await refresh(auth, second)).body.refresh_token
      auth.pass(60)
      expect(refusalOf(await refresh(auth, first))).toEqual([400, 'refresh_token_already_used'])
      expect(refusalOf(await refresh(auth, third))).toEqual([400, 'refresh_token_already_used'])
    },
  },
  {
    row: '35.2',
    rule: 'twenty refreshes at a time give one token, and the old one leads to it afterwards',
    async run(auth) {
      const { refresh_token: token } = await signUp(auth)
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(auth, token)))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      const [child, ...others] = new Set(answers.map(({ body }) => body.refresh_token))
      expect(others).toEqual([])
      expect((await refresh(auth, token)).body.refresh_token).toBe(child)
    },
  },
  {
    row: '35.3',
    rule: 'a refresh that races a sign-out leaves no living token',
    async run(auth) {
      const { refresh_token: token, access_token } = await signUp(auth)
      const [refreshed] = await Promise.all([
        refresh(auth, token),
        auth.call('POST', '/logout', { token: access_token }),
      ])
      for (const living of [token, refreshed.body.refresh_token ?? token])
        expect((await refresh(auth, living)).status).toBe(400)
    },
  },
  {
    row: '35.4',
    rule: 'a refresh token is its owner’s, whoever’s access token comes with it',
    async run(auth) {
      const [mine, other] = [await signUp(auth), await signUp(auth, bob)]
      const answer = await auth.call('POST', '/token?grant_type=refresh_token', {
        token: mine.access_token,
        body: { refresh_token: other.refresh_token },
      })
      expect(answer.body.user.id).toBe(other.user.id)
    },
  },
  {
    row: '35.5',
    rule: 'an unsigned token is refused, however its algorithm is spelled',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      for (const alg of ['none', 'None', 'nOnE', 'NONE', ''])
        for (const signature of ['', 'x'])
          expect(refusalOf(await get(auth, `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.${signature}`))).toEqual([
            403,
            'bad_jwt',
          ])
    },
  },
  {
    row: '35.6',
    rule: 'the public key is no secret to sign with',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      const { jwk, pem } = publicKeyOf(auth)
      const kid = (jwk as { kid?: string }).kid
      for (const secret of [pem, pem.toString().trim(), JSON.stringify(jwk)])
        for (const header of [{ alg: 'HS256', kid }, { alg: 'HS256' }])
          expect(refusalOf(await get(auth, forge(header, claims, secret)))).toEqual([403, 'bad_jwt'])
    },
  },
  {
    row: '35.7',
    rule: 'neither an empty secret nor a public key of the project signs',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      for (const secret of ['', 'secret', 'your-256-bit-secret', auth.apiKeys.anonKey, auth.apiKeys.publishableKey])
        expect(refusalOf(await get(auth, forge({ alg: 'HS256' }, claims, secret)))).toEqual([403, 'bad_jwt'])
    },
  },
  {
    row: '35.8',
    rule: 'a key id is looked up and nothing else, and no address in a token is called',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      const { jwk } = publicKeyOf(auth)
      const headers = [
        { alg: 'RS256', kid: 'unknown' },
        { alg: 'HS256', kid: '../../../../dev/null' },
        { alg: 'HS256', kid: "' union select 'secret' --" },
        { alg: 'HS256', kid: '\u0000' },
        { alg: 'ES256', kid: (jwk as { kid?: string }).kid },
        { alg: 'HS256', jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/cert' },
        { alg: 'HS256', jwk: { kty: 'oct', k: encode('secret') } },
      ]
      for (const header of headers)
        expect(refusalOf(await get(auth, forge(header, claims, 'secret')))).toEqual([403, 'bad_jwt'])
    },
  },
  {
    row: '35.9',
    rule: 'a token is good between its instants',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      const now = Math.floor(Date.now() / 1000)
      for (const times of [{ exp: now - 1 }, { exp: now }, { nbf: now + 60 }, { exp: String(now + 600) }])
        expect(refusalOf(await get(auth, signToken({ ...claims, ...times }, auth.keys.signing)))).toEqual([
          403,
          'bad_jwt',
        ])
    },
  },
  {
    row: '35.10',
    rule: 'nobody makes themselves an administrator',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      const list = (as: string) => auth.call('GET', '/admin/users', { token: as })
      expect(refusalOf(await list(token))).toEqual([403, 'not_admin'])
      const forged = forge({ alg: 'HS256' }, { ...claimsOf(token), role: 'service_role' }, 'wrong')
      expect(refusalOf(await list(forged))).toEqual([403, 'bad_jwt'])
      for (const path of ['/invite', '/admin/users', '/admin/generate_link'])
        expect(refusalOf(await auth.call('POST', path, { token, body: bob }))).toEqual([403, 'not_admin'])
    },
  },
  {
    row: '35.11',
    rule: 'a payload that was changed is refused',
    async run(auth) {
      const [header, , signature] = (await signUp(auth)).access_token.split('.')
      const claims = { ...claimsOf((await signUp(auth, bob)).access_token), role: 'service_role' }
      expect(refusalOf(await get(auth, `${header}.${encode(claims)}.${signature}`))).toEqual([403, 'bad_jwt'])
    },
  },
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
    row: '35.14',
    rule: 'body, status and headers do not tell who has an account',
    settings: { ...confirming, emailMaxFrequencySeconds: 60 },
    async run(auth) {
      const token = auth.apiKeys.serviceRoleKey
      await auth.call('POST', '/admin/users', { token, body: { ...ann, email_confirm: true } })
      const calls: readonly (readonly [string, object])[] = [
        ['/otp', {}],
        ['/recover', {}],
        ['/resend', { type: 'signup' }],
        ['/resend', { type: 'email_change' }],
        ['/token?grant_type=password', { password: 'not the one' }],
      ]
      for (const [path, more] of calls) {
        for (const _again of ['the first time', 'too soon after it']) {
          const [known, unknown] = [
            await post(auth, path, { ...more, email: ann.email }),
            await post(auth, path, { ...more, email: bob.email }),
          ]
          const bare = ({ status, body, headers }: typeof known) => [status, body, Object.keys(headers).sort()]
          expect([path, ...bare(known)]).toEqual([path, ...bare(unknown)])
        }
        auth.pass(61)
      }
    },
  },
  {
    row: '35.14',
    rule: 'the time of an answer does not tell who has an account',
    settings: { ...confirming, emailMaxFrequencySeconds: 0 },
    async run(auth) {
      const token = auth.apiKeys.serviceRoleKey
      await auth.call('POST', '/admin/users', { token, body: { ...ann, email_confirm: true } })
      const calls: readonly (readonly [string, object])[] = [
        ['/recover', {}],
        ['/otp', { create_user: false }],
      ]
      for (const [path, more] of calls) {
        // What the service learns its pace from.
        for (let call = 0; call < 12; call++) await post(auth, path, { ...more, email: ann.email })
        const differences: number[] = []
        // A machine that is busy with something else now and then is given another chance.
        while (differences.length < 3 && !differences.some((difference) => difference < 0.35)) {
          const [known, unknown] = await medians(
            25,
            () => post(auth, path, { ...more, email: ann.email }),
            () => post(auth, path, { ...more, email: bob.email }),
          )
          differences.push(Math.abs(known - unknown) / Math.max(known, unknown))
        }
        expect([path, Math.min(...differences) < 0.35, differences]).toEqual([path, true, differences])
      }
    },
  },
  {
    row: '35.15',
    rule: 'no address that only looks allowed is a redirect',
    settings: { siteUrl: 'https://app.example.com', additionalRedirectUrls: ['https://*.preview.example.com/**'] },
    async run(auth) {
      const foreign = [
        'https://app.example.com.evil.com',
        'https://app.example.com@evil.com',
        'https://evil.com@app.example.com',
        '//evil.com',
        'https:evil.com',
        'https:/evil.com',
        'https://evil.com#app.example.com',
        'https://evil.com?app.example.com',
        'https://evil.com\\@app.example.com',
        'https://evil.com/%2f..%2f',
        'https://app.example.com%2f@evil.com',
        'https://app.example.com\t.evil.com',
        'https://аpp.example.com',
        'https://evil.com/.preview.example.com/',
        'https://a.b.preview.example.com/',
        'javascript:alert(1)//app.example.com',
        'data:text/html,x',
        'http://2130706433/',
        'http://0177.0.0.1/',
        'http://[::ffff:127.0.0.1]/',
        'https://app.example.com:8443/',
        'http://app.example.com/',
        'https://user:pass@app.example.com/',
      ]
      for (const address of foreign) {
        const query = `token=x&type=signup&redirect_to=${encodeURIComponent(address)}`
        const { headers } = await auth.call('GET', `/verify?${query}`)
        expect([address, String(headers.location).split('#')[0]]).toEqual([address, 'https://app.example.com'])
      }
    },
  },
  {
    row: '35.16',
    rule: 'a foreign referrer is no redirect, and no header changes where a mail’s link leads',
    async run(auth) {
      await post(
        auth,
        '/otp',
        { email: ann.email },
        { referer: 'https://evil.example/x', 'x-forwarded-host': 'evil.example' },
      )
      const { mails } = await auth.inbox.search(`to:${ann.email}`, { start: 0, limit: 1 })
      expect(mails[0]?.text).toContain('http://127.0.0.1:54321/auth/v1/verify')
      expect(mails[0]?.text).not.toContain('evil')
    },
  },
  {
    row: '35.17',
    rule: 'a code is exchanged with its verifier only, by the method it was asked with, once',
    async run(auth) {
      expect(refusalOf(await post(auth, '/otp', { ...ann, code_challenge: challenge.code_challenge }))).toEqual([
        400,
        'validation_failed',
      ])
      const verifier = 'w'.repeat(43)
      const hashed = createHash('sha256').update(verifier).digest('base64url')
      await post(auth, '/otp', { ...ann, code_challenge: hashed, code_challenge_method: 'S256' })
      const { headers } = await auth.call('GET', await auth.linkFor(ann.email))
      const auth_code = new URL(String(headers.location)).searchParams.get('code')
      const exchange = (code_verifier?: string) => post(auth, '/token?grant_type=pkce', { auth_code, code_verifier })
      expect(refusalOf(await exchange())).toEqual([400, 'validation_failed'])
      expect(refusalOf(await exchange(hashed))).toEqual([400, 'bad_code_verifier'])
      expect((await exchange(verifier)).status).toBe(200)
      expect(refusalOf(await exchange(verifier))).toEqual([404, 'flow_state_not_found'])
      const unknown = { auth_code: crypto.randomUUID(), code_verifier: verifier }
      expect((await post(auth, '/token?grant_type=pkce', unknown)).status).toBe(404)
    },
  },
  {
    row: '35.19',
    rule: 'a code is good for its address, its purpose and once, and cannot be guessed',
    settings: { rateLimitByAddress: true, rateLimitTokenVerifications: 1 },
    async run(auth) {
      await signUp(auth)
      await signUp(auth, bob)
      await post(auth, '/recover', { email: ann.email })
      const old = await auth.codeFor(ann.email)
      auth.pass(2)
      await post(auth, '/recover', { email: ann.email })
      const token = await auth.codeFor(ann.email)
      const attempt = (body: object) => post(auth, '/verify', { type: 'recovery', email: ann.email, token, ...body })
      for (const body of [
        { email: bob.email },
        { token: old === token ? 'x' : old },
        { type: 'signup' },
        { type: 'invite' },
      ])
        expect(refusalOf(await attempt(body))).toEqual([403, 'otp_expired'])
      expect((await attempt({})).status).toBe(200)
      expect(refusalOf(await attempt({}))).toEqual([403, 'otp_expired'])
      const statuses = []
      for (let guess = 0; guess < 50; guess++) statuses.push((await attempt({ token: String(100_000 + guess) })).status)
      expect(statuses.at(-1)).toBe(429)
    },
  },
  {
    row: '35.20',
    rule: 'passwords are tried a bounded number of times, whatever a header says',
    settings: { rateLimitByAddress: true, rateLimitTokenRefresh: 1, passwordHashConcurrency: 4 },
    async run(auth) {
      const tries = Array.from({ length: 34 }, (_, call) =>
        post(
          auth,
          '/token?grant_type=password',
          { ...ann, password: `guess ${call}` },
          { 'x-forwarded-for': `10.0.0.${call}` },
        ),
      )
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    },
  },
  {
    row: '35.21',
    rule: 'a hash that is no text, a pattern, or huge is refused without looking',
    async run(auth) {
      await signUp(auth)
      await post(auth, '/recover', { email: ann.email })
      for (const token_hash of [['x'], { like: '%' }, 1, true])
        expect(refusalOf(await post(auth, '/verify', { type: 'recovery', token_hash }))).toEqual([400, 'bad_json'])
      for (const token_hash of ['%', '*', '_', 'x'.repeat(1_000_000)])
        expect((await post(auth, '/verify', { type: 'recovery', token_hash })).status).toBe(403)
    },
  },
  {
    row: '35.22',
    rule: 'SQL in a text is a text',
    async run(auth) {
      const evil = `'; drop table auth.users; -- "\\ $1 {"`
      const { access_token: token, user } = await signUp(auth, { ...ann, data: { [evil]: evil } })
      expect(user.user_metadata[evil]).toBe(evil)
      expect((await get(auth, token)).body.user_metadata[evil]).toBe(evil)
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
    row: '35.24',
    rule: 'every sign-in begins a session of its own',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      const { session_id } = claimsOf(token)
      const again = await auth.call('POST', '/token?grant_type=password', {
        token,
        body: { ...ann, session_id },
        headers: { cookie: `sb-session=${session_id}` },
      })
      expect(claimsOf(again.body.access_token).session_id).not.toBe(session_id)
    },
  },
  {
    row: '35.25',
    rule: 'a signed-out access token is refused at once',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('POST', '/logout', { token })
      expect(refusalOf(await get(auth, token))).toEqual([403, 'session_not_found'])
      const put = await auth.call('PUT', '/user', { token, body: { data: { a: 1 } } })
      expect(refusalOf(put)).toEqual([403, 'session_not_found'])
      expect(refusalOf(await auth.call('GET', '/reauthenticate', { token }))).toEqual([403, 'session_not_found'])
    },
  },
  {
    row: '35.30',
    rule: 'one mailbox of two changes no address',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { email: bob.email } })
      await auth.call('GET', await auth.linkFor(bob.email))
      expect((await auth.call('GET', await auth.linkFor(bob.email))).headers.location).toContain('otp_expired')
      expect((await get(auth, token)).body.email).toBe(ann.email)
    },
  },
  {
    row: '35.31',
    rule: 'a new password ends a change of address that is under way',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { email: bob.email } })
      await auth.call('PUT', '/user', { token, body: { password: 'the next password' } })
      for (const address of [ann.email, bob.email])
        expect((await auth.call('GET', await auth.linkFor(address))).headers.location).toContain('otp_expired')
    },
  },
  {
    row: '35.33',
    rule: 'no address of this machine or its networks is kept as one to call',
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
    row: '35.37',
    rule: 'no cookie signs anybody in',
    async run(auth) {
      const { access_token } = await signUp(auth)
      const headers = { origin: 'https://evil.example', cookie: `sb-localhost-auth-token=${access_token}` }
      const answer = await auth.call('PUT', '/user', { headers, body: { data: { a: 1 } } })
      expect(refusalOf(answer)).toEqual([401, 'no_authorization'])
    },
  },
  {
    row: '35.39',
    rule: 'a password takes as long to refuse for nobody as for somebody',
    async run(auth) {
      await signUp(auth)
      const [known, unknown] = await medians(
        9,
        () => signIn(auth, { ...ann, password: 'not the one' }),
        () => signIn(auth, { ...bob, password: 'not the one' }),
      )
      expect(Math.abs(known - unknown) / Math.max(known, unknown)).toBeLessThan(0.35)
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
    rule: 'who is banned is refused everywhere',
    async run(auth) {
      const session = await signUp(auth)
      await post(auth, '/recover', { email: ann.email })
      const token = await auth.codeFor(ann.email)
      await auth.call('PUT', `/admin/users/${session.user.id}`, {
        token: auth.apiKeys.serviceRoleKey,
        body: { ban_duration: '1h' },
      })
      expect(refusalOf(await refresh(auth, session.refresh_token))).toEqual([400, 'user_banned'])
      expect(refusalOf(await get(auth, session.access_token))).toEqual([403, 'user_banned'])
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
      const statements = JSON.stringify(auth.works.map((work) => work.statements))
      const { rows } = await db.admin.query({ text: 'select payload from auth.audit_log_entries', values: [] })
      for (const secret of [ann.password, auth.apiKeys.jwtSecret]) {
        expect(statements).not.toContain(secret)
        expect(JSON.stringify(rows)).not.toContain(secret)
      }
      expect(JSON.stringify(rows)).not.toContain(code)
    },
  },
]
