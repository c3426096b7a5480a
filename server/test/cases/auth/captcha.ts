import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@supabase/supabase-js'
import { expect, onTestFinished } from 'vitest'
import type { AuthSettings } from '../../../src/services/auth/index.ts'
import { startAuth, type TestAuth } from '../../auth-service.ts'
import type { TestDatabase } from '../../harness.ts'
import type { AuthCase } from './case.ts'
import { ann, bob, refusalOf } from './people.ts'

class NoSocket {}

interface Checker {
  readonly url: string
  /** The forms it was sent. */
  readonly asked: URLSearchParams[]
}

/** A checker as hCaptcha and Turnstile answer: `good` passes, everything else does not. */
async function startChecker(
  answer = (form: URLSearchParams, response: ServerResponse): void => {
    const success = form.get('response') === 'good'
    response.end(JSON.stringify(success ? { success } : { success, 'error-codes': ['invalid-input-response'] }))
  },
): Promise<Checker> {
  const asked: URLSearchParams[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    asked.push(form)
    answer(form, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`, asked }
}

async function startGuarded(db: TestDatabase, { url }: Checker, more: Partial<AuthSettings> = {}): Promise<TestAuth> {
  const guard = { captchaEnabled: true, captchaSecret: ' the secret ', captchaUrl: url, captchaTimeoutSeconds: 1 }
  return startAuth(db, { ...guard, passkeyEnabled: true, smsEnableSignup: true, ...more })
}

const withToken = (captcha_token: unknown) => ({ gotrue_meta_security: { captcha_token } })

/** What the contract's tables mark with "captcha". */
const guarded = [
  ['/signup', ann],
  ['/signup?grant_type=refresh_token', ann],
  ['/token?grant_type=password', ann],
  ['/token?grant_type=web3', { chain: 'ethereum' }],
  ['/token?grant_type=nonsense', {}],
  ['/otp', { email: ann.email }],
  ['/magiclink', { email: ann.email }],
  ['/recover', { email: ann.email }],
  ['/resend', { type: 'signup', email: ann.email }],
  ['/passkeys/authentication/options', {}],
] as const

/** What is never asked for one. */
const open = [
  ['/token?grant_type=refresh_token', { refresh_token: 'aaaaaaaaaaaa' }],
  ['/token?grant_type=pkce', { auth_code: 'x', code_verifier: 'y' }],
  ['/token?grant_type=id_token', { id_token: 'x', provider: 'google' }],
  ['/verify', { type: 'email', token: '123456', email: ann.email }],
] as const

/** CAPTCHA checks (auth §26). */
export const captchaCases: readonly AuthCase[] = [
  {
    row: '26',
    rule: 'a call without a solved captcha is rejected where the tables say so, and nowhere else',
    async run(_auth, db) {
      const checker = await startChecker()
      const auth = await startGuarded(db, checker)
      for (const [path, body] of guarded) {
        const bare = await auth.call('POST', path, { body })
        expect([path, ...refusalOf(bare)]).toEqual([path, 400, 'captcha_failed'])
        expect(bare.body.msg).toContain('no captcha_token found')
        for (const token of ['bad', '   ', '']) {
          const refused = await auth.call('POST', path, { body: { ...body, ...withToken(token) } })
          expect([path, ...refusalOf(refused)]).toEqual([path, 400, 'captcha_failed'])
        }
        const wrong = await auth.call('POST', path, { body: { ...body, ...withToken(['good']) } })
        expect([path, ...refusalOf(wrong)]).toEqual([path, 400, 'bad_json'])
        const passed = await auth.call('POST', path, { body: { ...body, ...withToken('good') } })
        expect([path, passed.body.error_code]).not.toEqual([path, 'captcha_failed'])
      }
      const before = checker.asked.length
      for (const [path, body] of open) {
        const answer = await auth.call('POST', path, { body })
        expect([path, answer.body.error_code]).not.toEqual([path, 'captcha_failed'])
      }
      expect(checker.asked).toHaveLength(before)
    },
  },
  {
    row: '26',
    rule: 'the checker receives the secret, the solution and the address it came from',
    async run(_auth, db) {
      const checker = await startChecker()
      const auth = await startGuarded(db, checker)
      await auth.call('POST', '/signup', { body: { ...ann, ...withToken(' good ') } })
      expect(Object.fromEntries(checker.asked[0] ?? [])).toEqual({
        secret: 'the secret',
        response: 'good',
        remoteip: '127.0.0.1',
      })
    },
  },
  {
    row: '26',
    rule: 'administrators are not asked; users and who only says so are',
    async run(_auth, db) {
      const checker = await startChecker()
      const auth = await startGuarded(db, checker)
      const asAdmin = await auth.call('POST', '/signup', { body: ann, token: auth.apiKeys.secretKey })
      expect(asAdmin.status).toBe(200)
      const user = asAdmin.body.access_token
      for (const token of [user, auth.apiKeys.anonKey, `${auth.apiKeys.serviceRoleKey}x`])
        expect(refusalOf(await auth.call('POST', '/signup', { body: bob, token }))).toEqual([400, 'captcha_failed'])
      expect(checker.asked).toEqual([])
    },
  },
  {
    row: '26',
    rule: 'a checker that is away, slow or makes no sense is an error of ours, and nothing is done',
    async run(_auth, db) {
      const answers = [
        (_form: URLSearchParams, response: ServerResponse) => void response.end('<html>'),
        (_form: URLSearchParams, response: ServerResponse) => void response.end('null'),
        (_form: URLSearchParams, response: ServerResponse) => void response.destroy(),
        () => undefined,
        (_form: URLSearchParams, response: ServerResponse) => void response.end('x'.repeat(100_000)),
      ]
      for (const answer of answers) {
        const auth = await startGuarded(db, await startChecker(answer))
        const refused = await auth.call('POST', '/signup', { body: { ...ann, ...withToken('good') } })
        expect(refusalOf(refused)).toEqual([500, 'unexpected_failure'])
        expect(refused.body.msg).toBe('captcha verification process failed')
      }
      const { rows } = await db.admin.query({ text: 'select 1 from auth.users', values: [] })
      expect(rows).toEqual([])
    },
  },
  {
    row: '26',
    rule: 'a checker that passes by anything but `true` passes nothing',
    async run(_auth, db) {
      const checker = await startChecker((_form, response) => void response.end('{"success":"true"}'))
      const auth = await startGuarded(db, checker)
      const refused = await auth.call('POST', '/signup', { body: { ...ann, ...withToken('good') } })
      expect(refusalOf(refused)).toEqual([400, 'captcha_failed'])
    },
  },
  {
    row: '26',
    rule: 'the official client sends it as `captchaToken`',
    async run(_auth, db) {
      const auth = await startGuarded(db, await startChecker())
      const url = await auth.app.listen({ port: 0, host: '127.0.0.1' })
      onTestFinished(() => auth.app.close())
      const client = createClient(url, auth.apiKeys.publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        // Node 20 has no WebSocket of its own and the client asks for one; nothing here opens it.
        realtime: { transport: NoSocket as never },
      }).auth
      expect((await client.signUp(ann)).error?.code).toBe('captcha_failed')
      const { data } = await client.signUp({ ...ann, options: { captchaToken: 'good' } })
      expect(data.session).not.toBeNull()
      expect((await client.refreshSession()).error).toBeNull()
      const { error } = await client.signInWithPassword({ ...ann, options: { captchaToken: 'bad' } })
      expect(error?.code).toBe('captcha_failed')
    },
  },
  {
    row: '26',
    rule: 'captchas without a secret do not start',
    async run(_auth, db) {
      await expect(startAuth(db, { captchaEnabled: true })).rejects.toThrow('captcha_secret')
    },
  },
]
