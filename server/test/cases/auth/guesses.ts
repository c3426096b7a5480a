import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { AuthCase } from './case.ts'
import { ann, bob, from, getUser, post, refusalOf, signIn, signUp } from './people.ts'

const confirming = { emailEnableConfirmations: true }
/** Where durations are compared, hashes cost what they cost in the product. */
const asInTheProduct = { passwordHashCost: 10 }
const challenge = { code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }

/**
 * How long two calls take, in milliseconds, made in turns.
 *
 * @param rank which of the sorted times counts: 0 is the shortest, which a busy machine does not lengthen
 */
async function timesOf(rounds: number, rank: number, one: () => Promise<unknown>, other: () => Promise<unknown>) {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++)
    for (const [index, call] of [one, other].entries()) {
      const startedAt = performance.now()
      await call()
      times[index === 0 ? 0 : 1].push(performance.now() - startedAt)
    }
  return times.map((all) => all.sort((left, right) => left - right)[rank] ?? 0) as [number, number]
}

/** What no stranger may guess or learn of accounts, passwords and codes, and where no redirect leads (auth §35). */
export const guesses: readonly AuthCase[] = [
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
    deps: asInTheProduct,
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
          const [known, unknown] = await timesOf(
            25,
            12,
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
    row: '35.19',
    rule: 'wrong codes make a code void, wherever they come from; its link is good, and so is the next code, everywhere',
    settings: { otpMaxWrongGuesses: 5 },
    async run(auth) {
      await signUp(auth)
      await signUp(auth, bob)
      await post(auth, '/recover', { email: ann.email }, from(1))
      const link = new URL(await auth.linkFor(ann.email), 'http://clew').searchParams
      const attempt = (email: string, token: string, place = 1) =>
        post(auth, '/verify', { type: 'recovery', email, token }, from(place))
      const wrong = [403, 'otp_expired']
      const voided = await auth.codeFor(ann.email)
      for (let guess = 0; guess < 5; guess++) expect(refusalOf(await attempt(ann.email, 'guess'))).toEqual(wrong)
      expect(refusalOf(await attempt(ann.email.toUpperCase(), voided))).toEqual(wrong)
      // As many more as it takes until the error says to stop: an address with an account and one without are answered alike.
      for (const email of [ann.email, 'nobody@example.com']) {
        const refusals = []
        for (let guess = 0; guess < 31; guess++) refusals.push(await attempt(email, 'guess', guess))
        expect(refusals.map(({ status }) => status)).toContain(429)
        // Seconds go by while they are sent.
        expect(Number(refusals.at(-1)?.headers['retry-after'])).toBeOneOf([7, 8, 9, 10])
      }
      expect(refusalOf(await attempt(bob.email, 'guess'))).toEqual(wrong)
      const followed = await post(auth, '/verify', { type: 'recovery', token_hash: link.get('token') })
      expect(followed.status).toBe(200)
      // After guesses from any place: the code that is asked for next is good.
      for (const place of [1, 2]) {
        auth.pass(2)
        await post(auth, '/recover', { email: ann.email }, from(1))
        expect((await attempt(ann.email, await auth.codeFor(ann.email), place)).status).toBe(200)
      }
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
    rule: 'a hash that is no text, a pattern, or huge is rejected without looking',
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
    row: '35.30',
    rule: 'one mailbox of two changes no address',
    async run(auth) {
      const { access_token: token } = await signUp(auth)
      await auth.call('PUT', '/user', { token, body: { email: bob.email } })
      await auth.call('GET', await auth.linkFor(bob.email))
      expect((await auth.call('GET', await auth.linkFor(bob.email))).headers.location).toContain('otp_expired')
      expect((await getUser(auth, token)).body.email).toBe(ann.email)
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
    row: '35.39',
    rule: 'a wrong password takes as long for an unknown user as for a known one',
    deps: asInTheProduct,
    async run(auth) {
      await signUp(auth)
      const [known, unknown] = await timesOf(
        9,
        0,
        () => signIn(auth, { ...ann, password: 'not the one' }),
        () => signIn(auth, { ...bob, password: 'not the one' }),
      )
      expect(Math.abs(known - unknown) / Math.max(known, unknown)).toBeLessThan(0.35)
    },
  },
]
