import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { test } from '../../../../test/harness.ts'
import { localApiKeys } from '../../../ground/jwt/api-keys.ts'

const email = 'ann@example.com'
const password = 'a good password'

const signUp = async (auth: TestAuth, address = email) => {
  const answer = await auth.call('POST', '/signup', { body: { email: address, password, data: { full_name: 'Ann' } } })
  expect(answer.status).toBe(200)
  return answer.body
}
const signIn = (auth: TestAuth, secret = password, address = email) =>
  auth.call('POST', '/token?grant_type=password', { body: { email: address, password: secret } })

test('signing up gives a session, signing in another, and both know the user', async ({ db }) => {
  const auth = await startAuth(db)
  const session = await signUp(auth, 'Ann@Example.com')
  expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { email, aud: 'authenticated' } })
  expect(session.user.user_metadata).toMatchObject({ full_name: 'Ann', email_verified: true, sub: session.user.id })
  expect(session.user.identities).toMatchObject([{ provider: 'email', identity_data: { email_verified: false } }])

  const again = await signIn(auth)
  expect(again.body.user.id).toBe(session.user.id)
  const claims = JSON.parse(Buffer.from(again.body.access_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({
    aud: 'authenticated',
    role: 'authenticated',
    aal: 'aal1',
    is_anonymous: false,
    phone: '',
  })
  expect(claims.amr).toEqual([{ method: 'password', timestamp: expect.any(Number) }])
  // The seconds of the sign-in and of its token, which may differ by one.
  expect(claims.iat - claims.amr[0].timestamp).toBeLessThanOrEqual(1)
  expect(claims.iss).toBe('http://127.0.0.1:54321/auth/v1')

  const user = await auth.call('GET', '/user', { token: again.body.access_token })
  expect(user.body).toMatchObject({ id: session.user.id, email, phone: '' })
  expect(JSON.stringify(user.body)).not.toContain('$2a$')
  expect(await auth.auth.users([session.user.id, crypto.randomUUID()])).toEqual(
    new Map([[session.user.id, { email, name: 'Ann' }]]),
  )
  for (const text of ['ANN@exam', 'nn']) expect(await auth.auth.userIdsMatching(text, 5)).toEqual([session.user.id])
  for (const text of ['an_', 'bob']) expect(await auth.auth.userIdsMatching(text, 5)).toEqual([])
  const statements =
    auth.contexts
      .at(-2)
      ?.statements.map((statement) => statement.text)
      .join() ?? ''
  expect(statements).toContain('auth.sessions')
  expect(statements).not.toContain(password)
})

test.for([
  ['a password that is too short', 422, 'weak_password', { email, password: 'short' }],
  ['a password beyond 72 bytes', 400, 'validation_failed', { email, password: 'ü'.repeat(37) }],
  ['no password', 400, 'validation_failed', { email }],
  ['no address', 422, 'anonymous_provider_disabled', {}],
  ['an address that is none', 400, 'validation_failed', { email: 'ann', password }],
  ['an address with a line break', 400, 'validation_failed', { email: 'ann@example.com\r\nBcc: x@y.z', password }],
  ['both addresses', 400, 'validation_failed', { email, phone: '4912345', password }],
  ['a phone', 400, 'phone_provider_disabled', { phone: '4912345', password }],
  ['a challenge without its method', 400, 'validation_failed', { email, password, code_challenge: 'x'.repeat(43) }],
  ['a number for a text', 400, 'bad_json', { email: 1, password }],
  ['a list for a text', 400, 'bad_json', { email: [email], password }],
  ['U+0000', 400, 'bad_json', { email, password: 'a\0bcdefg' }],
  ['half a character', 400, 'bad_json', { email, password, data: { name: '\ud83d' } }],
  ['half a character in a name', 400, 'bad_json', { email, password, data: { '\ude00': 1 } }],
  ['a body that is no object', 400, 'bad_json', '[]'],
  ['no JSON', 400, 'bad_json', '{'],
  ['no body', 400, 'bad_json', ''],
  ['a body of many values', 400, 'bad_json', `{"data":[${'{"a":1},'.repeat(10_000)}1]}`],
  ['a deep body', 400, 'bad_json', `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`],
] as const)('signing up is refused for %s', async ([, status, code, body], { db }) => {
  const auth = await startAuth(db)
  const old = await auth.call('POST', '/signup', { body })
  expect([old.status, old.body.code, old.body.error_code]).toEqual([status, status, code])
  expect(old.headers['x-supabase-api-version']).toBeUndefined()
  const headers = { 'x-supabase-api-version': '2024-01-01' }
  const current = await auth.call('POST', '/signup', { body, headers })
  expect(current.body.code).toBe(code)
  expect(current.headers['x-supabase-api-version']).toBe('2024-01-01')
  expect(current.headers['x-sb-error-code']).toBe(code === 'weak_password' ? undefined : code)
})

test('whole characters beyond the first plane are kept', async ({ db }) => {
  const auth = await startAuth(db)
  const { body } = await auth.call('POST', '/signup', { body: { email, password, data: { name: 'Ann 😀' } } })
  expect(body.user.user_metadata.name).toBe('Ann 😀')
})

test('a user cannot set fields that only an administrator may set', async ({ db }) => {
  const auth = await startAuth(db)
  const forged = { role: 'service_role', app_metadata: { admin: true }, is_super_admin: true, id: crypto.randomUUID() }
  const data = {
    provider: 'x',
    role: 'service_role',
    sub: 'x',
    email_verified: true,
    ['__proto__']: { polluted: true },
  }
  const { body } = await auth.call('POST', '/signup', { body: { email, password, ...forged, data } })
  expect(body.user).toMatchObject({ role: 'authenticated', app_metadata: { provider: 'email', providers: ['email'] } })
  expect(body.user.user_metadata.sub).toBe(body.user.id)
  expect(body.user.identities[0].identity_data.email_verified).toBe(false)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  const { body: changed } = await auth.call('PUT', '/user', {
    token: body.access_token,
    body: { ...forged, app_metadata: undefined, data: { full_name: 'B', provider: null } },
  })
  expect(changed).toMatchObject({ role: 'authenticated', user_metadata: { full_name: 'B' } })
  expect(changed.user_metadata).not.toHaveProperty('provider')
  const refused = await auth.call('PUT', '/user', { token: body.access_token, body: { app_metadata: { a: 1 } } })
  expect([refused.status, refused.body.error_code]).toEqual([403, 'not_admin'])
})

test('a wrong password and an unknown user are answered alike', async ({ db }) => {
  const auth = await startAuth(db)
  await signUp(auth)
  const wrong = await signIn(auth, 'another password')
  const unknown = await signIn(auth, password, 'nobody@example.com')
  expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
  expect(wrong.body).toMatchObject({ error_code: 'invalid_credentials', msg: 'Invalid login credentials' })
  const twice = await auth.call('POST', '/signup', { body: { email, password } })
  expect([twice.status, twice.body.error_code]).toEqual([422, 'user_already_exists'])
})

test('users that a seed wrote with crypt() sign in', async ({ db }) => {
  const auth = await startAuth(db)
  await db.load(`
    insert into auth.users (id, instance_id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token)
    values (gen_random_uuid(), '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
      'Seed@Example.com', crypt('seeded password', gen_salt('bf')), now(), null);
    insert into auth.identities (provider_id, user_id, identity_data, provider)
    select id::text, id, jsonb_build_object('sub', id, 'email', email), 'email' from auth.users;`)
  const answer = await signIn(auth, 'seeded password', 'seed@example.com')
  expect(answer.status).toBe(200)
  expect(answer.body.user.identities).toMatchObject([{ email: 'seed@example.com' }])
})

test('triggers and foreign keys of the application see new users', async ({ db }) => {
  const auth = await startAuth(db)
  await db.load(`
    create table public.profiles (id uuid primary key references auth.users (id) on delete cascade, name text, by text);
    create function public.welcome() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      if new.raw_user_meta_data ->> 'full_name' = 'Nobody' then raise exception 'no such name'; end if;
      insert into public.profiles values (new.id, new.raw_user_meta_data ->> 'full_name', session_user);
      return new;
    end $$;
    create trigger welcome after insert on auth.users for each row execute function public.welcome();
    create function public.whoami() returns trigger language plpgsql as $$
    begin
      if (select rolsuper from pg_roles where rolname = current_user) then raise exception 'a superuser'; end if;
      return new;
    end $$;
    create trigger whoami before insert on auth.users for each row execute function public.whoami();`)
  const { user } = await signUp(auth)
  const { rows } = await db.admin.query({ text: 'select id, name from public.profiles', values: [] })
  expect(rows).toEqual([{ id: user.id, name: 'Ann' }])
  const refused = await auth.call('POST', '/signup', {
    body: { email: 'n@example.com', password, data: { full_name: 'Nobody' } },
  })
  expect([refused.status, refused.body]).toMatchObject([500, { code: 'P0001', message: 'no such name' }])
})

test('anonymous users may be allowed', async ({ db }) => {
  const auth = await startAuth(db, { enableAnonymousSignIns: true })
  const { body } = await auth.call('POST', '/signup', { body: { data: { theme: 'dark' } } })
  expect(body.user).toMatchObject({ is_anonymous: true, email: '', identities: [], app_metadata: {} })
  const put = (fields: object) => auth.call('PUT', '/user', { token: body.access_token, body: fields })
  expect((await put({ password })).status).toBe(422)
  const lasting = await put({ email, password, data: { size: 2 } })
  expect(lasting.body).toMatchObject({
    id: body.user.id,
    is_anonymous: false,
    email,
    identities: [{ provider: 'email' }],
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { theme: 'dark', size: 2 },
  })
  expect((await signIn(auth)).status).toBe(200)
})

test('calls are limited by address where that is switched on', async ({ db }) => {
  const auth = await startAuth(db, { rateLimitByAddress: true })
  const codes: number[] = []
  for (let attempt = 0; attempt < 31; attempt++)
    codes.push((await auth.call('POST', '/verify', { body: { type: 'email', token: String(attempt), email } })).status)
  expect(codes.slice(0, 30)).toEqual(Array(30).fill(403))
  expect(codes[30]).toBe(429)
  auth.pass(300)
  expect((await auth.call('POST', '/verify', { body: { type: 'email', token: '1', email } })).status).toBe(403)
})

test('what is not served says so, and the open documents are open', async ({ db }) => {
  const auth = await startAuth(db)
  expect(await auth.call('GET', '/nothing')).toMatchObject({ status: 404, body: '404 page not found\n' })
  expect(await auth.call('GET', '/signup')).toMatchObject({ status: 405, body: '' })
  expect((await auth.call('GET', '/health')).body.name).toBe('GoTrue')
  expect((await auth.call('GET', '/settings')).body).toMatchObject({ disable_signup: false, external: { email: true } })
  const jwks = await auth.call('GET', '/.well-known/jwks.json')
  expect(jwks.body.keys).toMatchObject([{ alg: 'ES256', use: 'sig', key_ops: ['verify'] }])
  expect(JSON.stringify(jwks.body)).not.toContain('"d"')
  const preflight = await auth.app.inject({
    method: 'OPTIONS',
    url: '/auth/v1/token',
    headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
  })
  expect(preflight.statusCode).toBe(204)
  expect(preflight.headers['access-control-allow-headers']).toContain('X-POSTHOG-SESSION-ID')
  expect(preflight.headers['access-control-allow-origin']).toBe('http://localhost:5173')
  const big = await auth.call('POST', '/signup', { body: { email, password: 'x'.repeat(1_100_000) } })
  expect([big.status, big.body.error_code]).toEqual([413, 'request_entity_too_large'])
})

test('the API roles reach the functions and none of the tables', async ({ db }) => {
  await startAuth(db)
  const ask = (role: string, text: string) =>
    db.session.run({
      role,
      settings: [
        ['request.jwt.claims', JSON.stringify({ sub: '0d6bd4c6-9d4f-4d0f-a7e8-5a7a3f5f2a11', role, aal: 'aal1' })],
      ],
      statement: { text, values: [] },
      readOnly: true,
      attribute: false,
      end: 'commit',
      context: null,
    })
  const { rows } = await ask('authenticated', `select auth.uid(), auth.role(), auth.jwt() ->> 'aal' as aal`)
  expect(rows).toEqual([{ uid: '0d6bd4c6-9d4f-4d0f-a7e8-5a7a3f5f2a11', role: 'authenticated', aal: 'aal1' }])
  for (const role of ['anon', 'authenticated', 'service_role'])
    await expect(ask(role, 'select encrypted_password from auth.users')).rejects.toThrow('permission denied')
})

test('a path is unknown, or known under another method', async ({ db }) => {
  const auth = await startAuth(db)
  for (const path of ['/nothing', '/admin/users/x/y/z', '/userx'])
    expect((await auth.call('GET', path)).body).toBe('404 page not found\n')
  for (const [method, path] of [
    ['DELETE', '/signup'],
    ['POST', `/admin/users/${crypto.randomUUID()}`],
    ['PUT', '/.well-known/jwks.json'],
  ] as const)
    expect(await auth.call(method, path)).toMatchObject({ status: 405, body: '' })
})

test('a call that takes too long is answered so', async ({ db }) => {
  let send = () => {}
  const sent = new Promise<{ readonly messageId: string }>((resolve) => {
    send = () => resolve({ messageId: '' })
  })
  const auth = await startAuth(
    db,
    { smsEnableSignup: true, smsEnableConfirmations: true, requestTimeoutSeconds: 0.05 },
    { sendSms: () => sent },
  )
  const { status, body } = await auth.call('POST', '/otp', { body: { phone: '4915112345678' } })
  expect([status, body.error_code]).toEqual([504, 'request_timeout'])
  send()
  // The transaction ends before the test's database does.
  const open = `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  await expect.poll(async () => (await db.admin.query({ text: open, values: [] })).rows).toEqual([])
})

test('an audience is asked for by a header, and belongs to users and tokens', async ({ db }) => {
  const auth = await startAuth(db)
  const headers = { 'x-jwt-aud': 'tenant-a' }
  const { body } = await auth.call('POST', '/signup', { body: { email, password }, headers })
  expect(body.user.aud).toBe('tenant-a')
  expect((await auth.call('GET', '/user', { token: body.access_token })).status).toBe(200)
  const other = { token: body.access_token, headers: { 'x-jwt-aud': 'tenant-b' } }
  expect((await auth.call('GET', '/user', other)).body.error_code).toBe('validation_failed')
  expect((await signIn(auth)).body.error_code).toBe('invalid_credentials')
  const inside = await auth.call('POST', '/token?grant_type=password', { body: { email, password }, headers })
  expect(inside.status).toBe(200)
  const token = localApiKeys().serviceRoleKey
  const listed = await auth.call('GET', '/admin/users', { token, headers })
  expect([listed.body.aud, listed.body.users.length]).toEqual(['tenant-a', 1])
  expect((await auth.call('GET', '/admin/users', { token })).body.users).toEqual([])
})

test('only authorised addresses get mails, whatever user they belong to', async ({ db }) => {
  const auth = await startAuth(db, {
    emailEnableConfirmations: true,
    emailAuthorizedAddresses: ['Ann@example.com'],
    emailExtendedValidation: false,
  })
  const ask = async (path: string, body: object) => (await auth.call('POST', path, { body })).body.error_code
  for (const path of ['/signup', '/otp', '/recover', '/resend'])
    expect(await ask(path, { email: 'bob@example.com', password, type: 'signup' })).toBe('email_address_not_authorized')
  expect(await ask('/signup', { email: 'ann+test@example.com', password })).toBeUndefined()
  const strict = await startAuth(db, { emailEnableConfirmations: true, emailExtendedValidation: true })
  const refused = await strict.call('POST', '/otp', { body: { email: 'x@mail.test' } })
  expect([refused.status, refused.body.error_code]).toEqual([400, 'email_address_invalid'])
})

test('a project’s quota of mails is spent by all, and shows no difference between users', async ({ db }) => {
  const auth = await startAuth(db, { emailEnableConfirmations: true, rateLimitEmailSent: '2/1h' })
  const ask = async (address: string) => (await auth.call('POST', '/otp', { body: { email: address } })).status
  expect([await ask('a@example.com'), await ask('b@example.com'), await ask('c@example.com')]).toEqual([200, 200, 429])
  const recover = async (address: string) => {
    const answer = await auth.call('POST', '/recover', { body: { email: address } })
    return [answer.status, answer.body.error_code]
  }
  const over = [429, 'over_email_send_rate_limit']
  expect([await recover('a@example.com'), await recover('nobody@example.com')]).toEqual([over, over])
  auth.pass(3601)
  expect(await ask('c@example.com')).toBe(200)
})
