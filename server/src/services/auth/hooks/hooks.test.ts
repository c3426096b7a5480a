import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished } from 'vitest'
import { type Answer, startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { ann, claimsOf, refresh, refusalOf, signIn, signUp } from '../../../../test/cases/auth/people.ts'
import { challenge, enrol, verify } from '../../../../test/cases/auth/second-factor.ts'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { areHookSecrets, isHookUri } from './target.ts'

const secret = `whsec_${Buffer.from('a secret that is long enough to sign with').toString('base64')}`

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: {
    readonly metadata: { readonly name: string; readonly uuid: string }
    readonly user: { readonly id: string }
    /** Where a text message is to be sent. */
    readonly sms?: { readonly otp: string }
  }
}

/** A web address that answers as the test says, and keeps what it was sent. */
async function startHook(answer: (response: ServerResponse, count: number) => void) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    received.push({ headers: request.headers, text, body: JSON.parse(text) })
    answer(response, received.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { uri: `http://127.0.0.1:${port}/hook`, received }
}

const json = (value: unknown) => (response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value))

/** Makes a function of schema `hooks` that the service may call. */
const loadHook = (db: TestDatabase, name: string, body: string) =>
  db.load(`
    create schema if not exists hooks;
    create or replace function hooks.${name}(event jsonb) returns jsonb language plpgsql as $$ ${body} $$;
    grant usage on schema hooks to supabase_auth_admin;
    grant execute on function hooks.${name} to supabase_auth_admin;`)

const shown = ({ status, body }: Answer) => [status, body.error_code, body.msg]

test('a function of the database makes the claims of every access token', async ({ db }) => {
  const auth = await startAuth(db, { hookCustomAccessTokenUri: 'pg-functions://postgres/hooks/claims' })
  await loadHook(
    db,
    'claims',
    `begin
      if event ->> 'user_id' <> event -> 'claims' ->> 'sub' then raise exception 'not the same user'; end if;
      return jsonb_build_object('claims', (event -> 'claims') || jsonb_build_object(
        'level', 7, 'by', current_user, 'for', event ->> 'authentication_method'));
    end`,
  )
  const session = await signUp(auth)
  expect(claimsOf(session.access_token)).toMatchObject({ level: 7, by: 'supabase_auth_admin', for: 'password' })
  const next = await refresh(auth, session.refresh_token)
  expect(claimsOf(next.body.access_token)).toMatchObject({ level: 7, for: 'token_refresh', sub: session.user.id })
})

test.for([
  ['claims that lack what others rely on', `'{"claims":{"sub":"x"}}'`, 500, /exp is required[\s\S]*email is required/],
  ['claims of another shape', `jsonb_set(event, '{claims,exp}', '"soon"')`, 500, /exp: must be a whole number/],
  ['no claims', `'{}'`, 500, /claims field is missing/],
  ['a refusal', `'{"error":{"http_code":403,"message":"Not today"}}'`, 403, /^Not today$/],
  ['a refusal without a status', `'{"error":{"message":"Not today"}}'`, 500, /^Not today$/],
  ['a refusal with a status that is none', `'{"error":{"http_code":200,"message":"Odd"}}'`, 500, /^Odd$/],
] as const)('a token hook that answers %s', async ([, answer, status, message], { db }) => {
  const auth = await startAuth(db, { hookCustomAccessTokenUri: 'pg-functions://postgres/hooks/claims' })
  await loadHook(db, 'claims', `begin return ${answer}; end`)
  const refused = await auth.call('POST', '/signup', { body: ann })
  expect(refused.status).toBe(status)
  expect(refused.body.msg).toMatch(message)
  expect(refused.body.error_code).toBe(status === 500 ? 'unexpected_failure' : 'unknown')
  // All of it or nothing.
  expect((await db.admin.query({ text: 'select id from auth.users', values: [] })).rows).toEqual([])
})

test('a function that runs too long is ended, and so is the change it was part of', async ({ db }) => {
  const auth = await startAuth(db, {
    hookBeforeUserCreatedUri: 'pg-functions://postgres/hooks/slow',
    hookFunctionTimeoutSeconds: 1,
  })
  await loadHook(db, 'slow', `begin perform pg_sleep(20); return '{}'; end`)
  expect(refusalOf(await auth.call('POST', '/signup', { body: ann }))).toEqual([422, 'hook_timeout'])
})

test('before-user-created may reject, and is asked for anonymous users, too', async ({ db }) => {
  const auth = await startAuth(db, {
    enableAnonymousSignIns: true,
    hookBeforeUserCreatedUri: 'pg-functions://postgres/hooks/before',
  })
  await loadHook(
    db,
    'before',
    `begin
      if event -> 'metadata' ->> 'name' <> 'before-user-created' then raise exception 'wrong name'; end if;
      if event -> 'user' ->> 'email' like '%@example.com' then return '{}'; end if;
      return '{"error":{"http_code":422,"message":"Use your work address."}}';
    end`,
  )
  await signUp(auth)
  const stranger = await auth.call('POST', '/signup', { body: { ...ann, email: 'ann@elsewhere.test' } })
  expect(shown(stranger)).toEqual([422, 'unknown', 'Use your work address.'])
  expect(refusalOf(await auth.call('POST', '/signup', { body: {} }))).toEqual([422, 'unknown'])
})

test('after-user-created is called after the commit, and cannot reject', async ({ db }) => {
  const hook = await startHook(json({ error: { http_code: 400, message: 'too late' } }))
  const auth = await startAuth(db, { hookAfterUserCreatedUri: hook.uri, hookAfterUserCreatedSecrets: `v1,${secret}` })
  const { user } = await signUp(auth)
  expect(hook.received.map(({ body }) => [body.metadata.name, body.user.id])).toEqual([['after-user-created', user.id]])
})

test('a call is signed so that the standard’s own library accepts it, with every secret', async ({ db }) => {
  const older = `whsec_${Buffer.from('an older secret of some length too').toString('base64')}`
  const hook = await startHook(json({}))
  const auth = await startAuth(db, {
    hookBeforeUserCreatedUri: hook.uri,
    hookBeforeUserCreatedSecrets: `v1,${secret}|v1,${older}`,
  })
  await signUp(auth)
  const [call] = hook.received
  const headers = call?.headers as Record<string, string>
  for (const one of [secret, older])
    expect(new Webhook(one).verify(call?.text ?? '', headers)).toMatchObject({ user: { email: ann.email } })
  const stranger = new Webhook(Buffer.from('somebody else’s secret, long enough').toString('base64'))
  expect(() => stranger.verify(call?.text ?? '', headers)).toThrow()
  expect(headers['webhook-id']).toBe(call?.body.metadata.uuid)
})

test.for([
  [
    'another type of content',
    (r: ServerResponse) => r.setHeader('content-type', 'text/html').end('{}'),
    400,
    'hook_payload_invalid_content_type',
  ],
  ['no type of content', (r: ServerResponse) => r.end('{}'), 400, 'hook_payload_invalid_content_type'],
  ['more than is read', (r: ServerResponse) => json('x'.repeat(3000))(r), 422, 'hook_payload_over_size_limit'],
  ['another status', (r: ServerResponse) => r.writeHead(418).end(), 500, 'unexpected_failure'],
  [
    'a redirect',
    (r: ServerResponse) => r.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    500,
    'unexpected_failure',
  ],
  ['busy, without saying until when', (r: ServerResponse) => r.writeHead(503).end(), 500, 'unexpected_failure'],
  [
    'no JSON',
    (r: ServerResponse) => r.setHeader('content-type', 'application/json').end('{'),
    500,
    'unexpected_failure',
  ],
  ['nothing in time', () => undefined, 422, 'hook_timeout'],
] as const)('a web hook that answers %s', async ([, answer, status, code], { db }) => {
  const hook = await startHook(answer)
  const auth = await startAuth(db, {
    hookBeforeUserCreatedUri: hook.uri,
    hookBeforeUserCreatedSecrets: `v1,${secret}`,
    maxHookAnswerBytes: 2000,
    hookTimeoutSeconds: 1,
  })
  expect(refusalOf(await auth.call('POST', '/signup', { body: ann }))).toEqual([status, code])
  expect(hook.received).toHaveLength(1)
})

test('a busy web hook that says when to come back is asked again', async ({ db }) => {
  const hook = await startHook((response, count) =>
    count === 1 ? response.writeHead(429, { 'retry-after': '1' }).end() : response.writeHead(204).end(),
  )
  const auth = await startAuth(db, { hookBeforeUserCreatedUri: hook.uri, hookBeforeUserCreatedSecrets: `v1,${secret}` })
  await signUp(auth)
  expect(hook.received).toHaveLength(2)
  expect(hook.received[0]?.headers['webhook-id']).toBe(hook.received[1]?.headers['webhook-id'])
})

test('a web hook that does not answer is given up', async ({ db }) => {
  const auth = await startAuth(db, {
    hookBeforeUserCreatedUri: 'http://127.0.0.1:1/',
    hookBeforeUserCreatedSecrets: `v1,${secret}`,
  })
  expect(refusalOf(await auth.call('POST', '/signup', { body: ann }))).toEqual([422, 'hook_timeout_after_retry'])
})

test('the password hook sees every try and may end it', async ({ db }) => {
  const auth = await startAuth(db, { hookPasswordVerificationAttemptUri: 'pg-functions://postgres/hooks/password' })
  await loadHook(
    db,
    'password',
    `begin
      if (event ->> 'valid')::boolean then return '{"decision":"continue"}'; end if;
      return '{"decision":"reject","message":"Enough.","should_logout_user":true}';
    end`,
  )
  const session = await signUp(auth)
  const me = async () => (await auth.call('GET', '/user', { token: session.access_token })).status
  expect((await signIn(auth)).status).toBe(200)
  expect(await me()).toBe(200)
  expect(shown(await signIn(auth, { ...ann, password: 'not this one' }))).toEqual([
    400,
    'invalid_credentials',
    'Enough.',
  ])
  expect(await me()).toBe(403)
  const nobody = await signIn(auth, { ...ann, email: 'nobody@example.com' })
  expect(shown(nobody)).toEqual([400, 'invalid_credentials', 'Invalid login credentials'])
})

test('the text message hook sends in place of the provider, for sign-ups and second factors', async ({ db }) => {
  const hook = await startHook(json({}))
  const auth = await startAuth(db, {
    smsEnableSignup: true,
    smsEnableConfirmations: true,
    mfaPhoneEnrollEnabled: true,
    mfaPhoneVerifyEnabled: true,
    hookSendSmsUri: hook.uri,
    hookSendSmsSecrets: `v1,${secret}`,
  })
  const phone = '4915112345678'
  await auth.call('POST', '/signup', { body: { phone, password: ann.password } })
  const first = hook.received[0]?.body
  expect(first).toMatchObject({ metadata: { name: 'send-sms' }, user: { phone }, sms: { phone, sms_type: 'sms' } })
  const verified = await auth.call('POST', '/verify', { body: { type: 'sms', phone, token: first?.sms?.otp } })
  const token = verified.body.access_token
  const factor = await enrol(auth, token, { factor_type: 'phone', phone: '4915187654321' })
  const { body: asked } = await challenge(auth, token, factor.body.id)
  const second = hook.received[1]?.body
  expect(second).toMatchObject({ sms: { phone: '4915187654321', sms_type: 'mfa' } })
  const answer = { challenge_id: asked.id, code: second?.sms?.otp }
  expect((await verify(auth, token, factor.body.id, answer)).status).toBe(200)
  expect(auth.messages).toEqual([])
})

test('the text message hook of a second factor runs in the transaction of its challenge', async ({ db }) => {
  await db.load(`
    create table public.sent (transaction xid8, phone text);
    create function hook(event jsonb) returns jsonb language plpgsql as $$
    begin
      insert into public.sent values (pg_current_xact_id(), event #>> '{sms,phone}');
      if event #>> '{sms,phone}' = '4915100000000' then raise exception 'no such number'; end if;
      return '{}';
    end $$;
    grant usage on schema public to supabase_auth_admin;
    grant execute on function hook to supabase_auth_admin;
    grant insert on public.sent to supabase_auth_admin`)
  const auth = await startAuth(db, {
    mfaPhoneEnrollEnabled: true,
    mfaPhoneVerifyEnabled: true,
    hookSendSmsUri: 'pg-functions://postgres/public/hook',
  })
  const { access_token: token } = await signUp(auth)
  const ask = async (phone: string) => {
    const { body } = await enrol(auth, token, { factor_type: 'phone', friendly_name: phone, phone })
    return challenge(auth, token, body.id)
  }
  expect((await ask('4915187654321')).status).toBe(200)
  expect((await ask('4915100000000')).status).toBe(500)
  const { rows } = await db.admin.query({
    text: 'select phone from public.sent join auth.mfa_challenges c on c.xmin = public.sent.transaction::xid',
    values: [],
  })
  expect(rows).toEqual([{ phone: '4915187654321' }])
  const all = { text: 'select 1 from auth.mfa_challenges', values: [] }
  expect((await db.admin.query(all)).rowCount).toBe(1)
})

test.for([
  ['pg-functions://postgres/public/hook', true],
  ['pg-functions://postgres/public/hook-1', false],
  ['pg-functions://postgres/public', false],
  ['pg-functions://elsewhere/public/hook', false],
  ['pg-functions://postgres/public/a/b', false],
  [`pg-functions://postgres/public/${'x'.repeat(64)}`, false],
  ['https://hooks.example.com/x', true],
  ['http://hooks.example.com/x', false],
  ['http://localhost:3000/x', true],
  ['http://127.0.0.1:3000/x', true],
  ['http://[::1]:3000/x', true],
  ['http://host.docker.internal/x', true],
  ['http://169.254.169.254/latest', false],
  ['https://user:pass@hooks.example.com/x', false],
  ['file:///etc/passwd', false],
  ['hook', false],
] as const)('the address of a hook %s: %s', ([uri, fits]) => {
  expect(isHookUri(uri)).toBe(fits)
})

test.for([
  [`v1,${secret}`, true],
  [`v1,${secret}|v1,${secret}`, true],
  [secret, false],
  ['v1,whsec_', false],
  ['v1,whsec_c2hvcnQ=', false],
  [`v1,${secret}|`, false],
] as const)('the secrets of a hook %s: %s', ([text, fits]) => {
  expect(areHookSecrets(text)).toBe(fits)
})

test('a hook at a web address without a secret is rejected at the start', async ({ db }) => {
  const start = (): Promise<TestAuth> => startAuth(db, { hookSendSmsUri: 'https://hooks.example.com/sms' })
  await expect(start()).rejects.toThrow('needs a secret')
})
