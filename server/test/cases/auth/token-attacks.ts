import { createHmac, createPublicKey } from 'node:crypto'
import { expect } from 'vitest'
import { signToken } from '../../../src/ground/jwt/sign.ts'
import type { TestAuth } from '../../auth-service.ts'
import type { AuthCase } from './case.ts'
import { ann, bob, claimsOf, getUser, refresh, refusalOf, signUp } from './people.ts'

const encode = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token with any header, signed by HMAC with any secret. */
function forge(header: object, claims: object, secret: string | Buffer): string {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

const publicKeyOf = (auth: TestAuth) => {
  const [jwk] = auth.keys.jwks.keys
  return { jwk, pem: createPublicKey({ key: jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) }
}

/** Tokens that are forged, replayed, another user’s, or no administrator’s (auth §35). */
export const tokenAttacks: readonly AuthCase[] = [
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
    rule: 'a refresh token is its owner’s, whatever access token comes with it',
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
    rule: 'an unsigned token is rejected, however its algorithm is spelled',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      for (const alg of ['none', 'None', 'nOnE', 'NONE', ''])
        for (const signature of ['', 'x'])
          expect(
            refusalOf(await getUser(auth, `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.${signature}`)),
          ).toEqual([403, 'bad_jwt'])
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
          expect(refusalOf(await getUser(auth, forge(header, claims, secret)))).toEqual([403, 'bad_jwt'])
    },
  },
  {
    row: '35.7',
    rule: 'neither an empty secret nor a public key of the project signs',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      for (const secret of ['', 'secret', 'your-256-bit-secret', auth.apiKeys.anonKey, auth.apiKeys.publishableKey])
        expect(refusalOf(await getUser(auth, forge({ alg: 'HS256' }, claims, secret)))).toEqual([403, 'bad_jwt'])
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
        expect(refusalOf(await getUser(auth, forge(header, claims, 'secret')))).toEqual([403, 'bad_jwt'])
    },
  },
  {
    row: '35.9',
    rule: 'a token is good between its instants',
    async run(auth) {
      const claims = claimsOf((await signUp(auth)).access_token)
      const now = Math.floor(Date.now() / 1000)
      for (const times of [{ exp: now - 1 }, { exp: now }, { nbf: now + 60 }, { exp: String(now + 600) }])
        expect(refusalOf(await getUser(auth, signToken({ ...claims, ...times }, auth.keys.signing)))).toEqual([
          403,
          'bad_jwt',
        ])
    },
  },
  {
    row: '35.10',
    rule: 'no user becomes an administrator by their own call',
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
    rule: 'a payload that was changed is rejected',
    async run(auth) {
      const [header, , signature] = (await signUp(auth)).access_token.split('.')
      const claims = { ...claimsOf((await signUp(auth, bob)).access_token), role: 'service_role' }
      expect(refusalOf(await getUser(auth, `${header}.${encode(claims)}.${signature}`))).toEqual([403, 'bad_jwt'])
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
    rule: 'a signed-out access token is rejected at once',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('POST', '/logout', { token })
      expect(refusalOf(await getUser(auth, token))).toEqual([403, 'session_not_found'])
      const put = await auth.call('PUT', '/user', { token, body: { data: { a: 1 } } })
      expect(refusalOf(put)).toEqual([403, 'session_not_found'])
      expect(refusalOf(await auth.call('GET', '/reauthenticate', { token }))).toEqual([403, 'session_not_found'])
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
]
