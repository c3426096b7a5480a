import { createClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { startAuth, type TestAuth } from '../../../../test/auth-service.ts'
import { ann, bob, refusalOf, signIn, signUp } from '../../../../test/cases/auth/people.ts'
import { test } from '../../../../test/harness.ts'

const asAdmin = (auth: TestAuth, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  auth.call(method, path, { token: auth.apiKeys.serviceRoleKey, ...(body === undefined ? {} : { body }) })
const create = (auth: TestAuth, body: object) => asAdmin(auth, 'POST', '/admin/users', body)

test('the official client lists, makes, reads, changes and deletes users', async ({ db, onTestFinished }) => {
  const auth = await startAuth(db)
  onTestFinished(() => auth.app.close())
  const url = await auth.app.listen({ host: '127.0.0.1', port: 0 })
  const { admin } = createClient(url, auth.apiKeys.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: class {} as never },
  }).auth
  for (const name of ['a', 'b', 'c'])
    expect((await admin.createUser({ email: `${name}@example.com`, email_confirm: true })).error).toBeNull()
  const listed = await admin.listUsers({ page: 1, perPage: 2 })
  expect(listed.error).toBeNull()
  expect(listed.data).toMatchObject({ aud: 'authenticated', total: 3, lastPage: 2, nextPage: 2 })
  expect(listed.data.users.map((user) => user.email)).toEqual(['c@example.com', 'b@example.com'])
  const [{ id } = { id: '' }] = listed.data.users
  const changed = await admin.updateUserById(id, {
    email: 'C2@Example.com',
    password: ann.password,
    user_metadata: { plan: 'x' },
    app_metadata: { admin: true },
    ban_duration: '24h',
  })
  expect(changed.data.user).toMatchObject({
    email: 'c2@example.com',
    user_metadata: { plan: 'x', email_verified: true },
    app_metadata: { provider: 'email', admin: true },
  })
  expect(changed.data.user?.banned_until).toBeDefined()
  expect(refusalOf(await signIn(auth, { email: 'c2@example.com', password: ann.password }))).toEqual([
    400,
    'user_banned',
  ])
  await admin.updateUserById(id, { ban_duration: 'none', user_metadata: { plan: null } })
  expect((await admin.getUserById(id)).data.user?.user_metadata).toEqual({ email_verified: true })
  expect((await signIn(auth, { email: 'c2@example.com', password: ann.password })).status).toBe(200)
  expect((await admin.deleteUser(id)).error).toBeNull()
  expect((await admin.getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' })

  const invited = await admin.inviteUserByEmail(ann.email, { data: { name: 'Ann' }, redirectTo: 'http://evil.example' })
  expect(invited.data.user?.invited_at).toBeDefined()
  expect(await auth.linkFor(ann.email)).toContain('type=invite')
  const link = await admin.generateLink({ type: 'magiclink', email: 'new@example.com' })
  expect(link.data.properties).toMatchObject({ verification_type: 'signup' })
  expect((await admin.signOut((await signUp(auth, bob)).access_token)).error).toBeNull()
})

test('an invitation is accepted by its link, and can be sent again until then', async ({ db }) => {
  const auth = await startAuth(db, { emailEnableConfirmations: true })
  for (const _round of [1, 2]) {
    const { status, body } = await asAdmin(auth, 'POST', '/invite', { email: ann.email, data: { team: 'red' } })
    expect([status, body.user_metadata]).toEqual([200, { team: 'red' }])
  }
  auth.pass(2)
  const again = await auth.call('POST', '/signup', { body: ann })
  expect(again.body).toMatchObject({ user_metadata: {}, identities: [] })
  const token = await auth.codeFor(ann.email)
  const { body } = await auth.call('POST', '/verify', { body: { type: 'invite', email: ann.email, token } })
  expect(body.user).toMatchObject({ email: ann.email, user_metadata: { team: 'red', email_verified: true } })
  expect(refusalOf(await asAdmin(auth, 'POST', '/invite', { email: ann.email }))).toEqual([422, 'email_exists'])
})

test('only an administrator passes', async ({ db }) => {
  const auth = await startAuth(db)
  const { access_token } = await signUp(auth)
  const list = (token?: string) => auth.call('GET', '/admin/users', token === undefined ? {} : { token })
  expect(refusalOf(await list())).toEqual([401, 'no_authorization'])
  expect(refusalOf(await list('x.y.z'))).toEqual([403, 'bad_jwt'])
  expect(refusalOf(await list(access_token))).toEqual([403, 'not_admin'])
  expect(refusalOf(await list(auth.apiKeys.anonKey))).toEqual([403, 'not_admin'])
  expect(refusalOf(await list(auth.apiKeys.publishableKey))).toEqual([403, 'not_admin'])
  for (const key of [auth.apiKeys.serviceRoleKey, auth.apiKeys.secretKey]) expect((await list(key)).status).toBe(200)
})

test('an administrator who signed in must still be signed in, and not for too long', async ({ db }) => {
  const auth = await startAuth(db, { sessionTimeboxSeconds: 600 })
  await create(auth, { ...ann, email_confirm: true, role: 'service_role' })
  const { body } = await signIn(auth)
  const list = () => auth.call('GET', '/admin/users', { token: body.access_token })
  expect((await list()).status).toBe(200)
  auth.pass(601)
  expect(refusalOf(await list())).toEqual([403, 'session_expired'])
  await db.load('delete from auth.sessions')
  expect(refusalOf(await list())).toEqual([403, 'session_not_found'])
})

test.for([
  ['neither address', 'POST', '/admin/users', {}, 400, 'validation_failed'],
  ['a taken address', 'POST', '/admin/users', { email: ann.email }, 422, 'email_exists'],
  ['a taken number', 'POST', '/admin/users', { phone: '+4915112345678' }, 422, 'phone_exists'],
  ['no number', 'POST', '/admin/users', { phone: '12a' }, 400, 'validation_failed'],
  ['password and hash', 'POST', '/admin/users', { ...bob, password_hash: 'x' }, 400, 'validation_failed'],
  [
    'a hash of nothing known',
    'POST',
    '/admin/users',
    { email: bob.email, password_hash: 'x' },
    500,
    'unexpected_failure',
  ],
  ['no id', 'POST', '/admin/users', { ...bob, id: 'x' }, 400, 'validation_failed'],
  [
    'the nil id',
    'POST',
    '/admin/users',
    { ...bob, id: '00000000-0000-0000-0000-000000000000' },
    400,
    'validation_failed',
  ],
  ['73 bytes', 'POST', '/admin/users', { ...bob, password: 'x'.repeat(73) }, 400, 'validation_failed'],
  ['no duration', 'POST', '/admin/users', { ...bob, ban_duration: '1 day' }, 400, 'validation_failed'],
  ['a role without end', 'POST', '/admin/users', { ...bob, role: 'x'.repeat(256) }, 400, 'validation_failed'],
  ['an audience without end', 'POST', '/admin/users', { ...bob, aud: 'x'.repeat(256) }, 400, 'validation_failed'],
  ['a list for metadata', 'POST', '/admin/users', { ...bob, user_metadata: [] }, 400, 'bad_json'],
  ['an id that is none', 'GET', '/admin/users/x', undefined, 404, 'validation_failed'],
  ['an unknown id', 'DELETE', `/admin/users/${crypto.randomUUID()}`, undefined, 404, 'user_not_found'],
  ['a page that is none', 'GET', '/admin/users?page=x', undefined, 400, 'validation_failed'],
  ['another order', 'GET', '/admin/users?sort=email', undefined, 400, 'validation_failed'],
  ['another direction', 'GET', '/admin/users?sort=created_at%20up', undefined, 400, 'validation_failed'],
  ['U+0000 to look for', 'GET', '/admin/users?filter=%00', undefined, 400, 'validation_failed'],
  ['another scope', 'GET', '/admin/audit?query=id:1', undefined, 400, 'validation_failed'],
  ['another link', 'POST', '/admin/generate_link', { type: 'x', email: ann.email }, 400, 'validation_failed'],
  ['a link for nobody', 'POST', '/admin/generate_link', { type: 'recovery', email: bob.email }, 404, 'user_not_found'],
  ['a link for who is there', 'POST', '/admin/generate_link', { type: 'signup', ...ann }, 422, 'email_exists'],
  [
    'a link without password',
    'POST',
    '/admin/generate_link',
    { type: 'signup', email: bob.email },
    400,
    'validation_failed',
  ],
  ['a weak one', 'POST', '/admin/generate_link', { type: 'signup', ...bob, password: 'x' }, 422, 'weak_password'],
] as const)('refused: %s', async ([, method, path, body, status, code], { db }) => {
  const auth = await startAuth(db)
  await create(auth, { ...ann, phone: '4915112345678', email_confirm: true })
  expect(refusalOf(await asAdmin(auth, method, path, body))).toEqual([status, code])
})

test('a user is made as given, without the policy, without a mail', async ({ db }) => {
  const auth = await startAuth(db, { minimumPasswordLength: 20 })
  const id = crypto.randomUUID()
  const { body } = await create(auth, {
    id,
    email: 'Both@Example.com',
    phone: '+49 1511 2345678',
    password: 'short',
    role: 'editor',
    aud: 'elsewhere',
    phone_confirm: true,
    user_metadata: { a: 1 },
    app_metadata: { b: 2 },
  })
  expect(body).toMatchObject({
    id,
    aud: 'elsewhere',
    role: 'editor',
    email: 'both@example.com',
    phone: '4915112345678',
    user_metadata: { a: 1 },
    app_metadata: { provider: 'email', providers: ['email', 'phone'], b: 2 },
  })
  expect(body.identities.map((identity: { provider: string }) => identity.provider).sort()).toEqual(['email', 'phone'])
  expect(body).not.toHaveProperty('email_confirmed_at')
  expect((await auth.inbox.list({ start: 0, limit: 1 })).total).toBe(0)
  const listed = await asAdmin(auth, 'GET', '/admin/users?page=&per_page=')
  expect(listed.body.users).toEqual([])
  const weak = await asAdmin(auth, 'PUT', `/admin/users/${id}`, { password: 'short' })
  expect(refusalOf(weak)).toEqual([422, 'weak_password'])
})

test('a list shows what is looked for, as it is written', async ({ db }) => {
  const auth = await startAuth(db)
  await create(auth, { email: 'a_b@example.com' })
  await create(auth, { email: 'axb@example.com', user_metadata: { full_name: '100% Ann' } })
  const find = async (filter: string) => {
    const { body } = await asAdmin(auth, 'GET', `/admin/users?filter=${encodeURIComponent(filter)}`)
    return body.users.map((user: { email: string }) => user.email)
  }
  expect(await find('a_b')).toEqual(['a_b@example.com'])
  expect(await find('%')).toEqual(['axb@example.com'])
  expect(await find('')).toHaveLength(2)
  const { body, headers } = await asAdmin(auth, 'GET', '/admin/users?page=1&per_page=1&sort=created_at%20asc')
  expect(body.users).toMatchObject([{ email: 'a_b@example.com', identities: null }])
  expect(headers['x-total-count']).toBe('2')
  expect(String(headers.link)).toMatch(/^<\/admin\/users\?page=2&per_page=1&.*>; rel="next", <.*page=2.*>; rel="last"$/)
})

test('a new password of an administrator’s choice ends every session', async ({ db }) => {
  const auth = await startAuth(db)
  const session = await signUp(auth)
  await asAdmin(auth, 'PUT', `/admin/users/${session.user.id}`, { password: 'quite another one' })
  expect((await auth.call('GET', '/user', { token: session.access_token })).body.error_code).toBe('session_not_found')
  await signUp(auth, bob)
  expect((await asAdmin(auth, 'PUT', `/admin/users/${session.user.id}`, { email: bob.email })).status).toBe(500)
})

test('who is deleted softly leaves an id and nothing else', async ({ db }) => {
  const auth = await startAuth(db)
  const session = await signUp(auth, { ...ann, data: { full_name: 'Ann' } })
  const path = `/admin/users/${session.user.id}`
  expect((await asAdmin(auth, 'DELETE', path, { should_soft_delete: true })).body).toEqual({})
  expect((await asAdmin(auth, 'DELETE', path, { should_soft_delete: true })).body).toEqual({})
  const { body } = await asAdmin(auth, 'GET', path)
  expect(body).toMatchObject({ id: session.user.id, user_metadata: {}, app_metadata: {} })
  expect(body.deleted_at).toBeDefined()
  expect(JSON.stringify(body)).not.toContain('ann')
  expect(refusalOf(await signIn(auth))).toEqual([400, 'invalid_credentials'])
  expect((await auth.call('GET', '/user', { token: session.access_token })).status).toBe(403)
  expect((await signUp(auth)).user.id).not.toBe(session.user.id)
})

test.for(['signup', 'invite', 'magiclink', 'recovery'] as const)(
  'a link of type %s signs in, once, and is not sent',
  async (type, { db }) => {
    const auth = await startAuth(db, { emailEnableConfirmations: true })
    if (type === 'magiclink' || type === 'recovery') await create(auth, { ...ann, email_confirm: true })
    const { body } = await asAdmin(auth, 'POST', '/admin/generate_link', {
      type,
      ...ann,
      redirect_to: 'http://evil.example',
    })
    expect(body).toMatchObject({ email: ann.email, verification_type: type, redirect_to: 'http://127.0.0.1:3000' })
    const link = new URL(body.action_link)
    expect(link.searchParams.get('token')).toBe(body.hashed_token)
    const follow = () => auth.call('GET', `/verify${link.search}`)
    const [first, second] = [await follow(), await follow()]
    expect(String(first.headers.location)).toContain('#access_token=')
    expect(String(second.headers.location)).toContain('error_code=otp_expired')
    expect((await auth.inbox.list({ start: 0, limit: 1 })).total).toBe(0)
  },
)

test('two links change an address when both sides must agree', async ({ db }) => {
  const auth = await startAuth(db)
  await create(auth, { ...ann, email_confirm: true })
  const make = async (type: string) =>
    (await asAdmin(auth, 'POST', '/admin/generate_link', { type, email: ann.email, new_email: bob.email })).body
  const [current, next] = [await make('email_change_current'), await make('email_change_new')]
  const follow = (link: string) => auth.call('GET', `/verify${new URL(link).search}`)
  expect(String((await follow(next.action_link)).headers.location)).toContain('message=')
  expect(String((await follow(current.action_link)).headers.location)).toContain('access_token=')
  expect((await signIn(auth, { ...ann, email: bob.email })).status).toBe(200)
})

test('the audit log tells what administrators did, and can be searched', async ({ db }) => {
  const auth = await startAuth(db)
  await signUp(auth, { ...ann, data: { full_name: 'Ann' } })
  await create(auth, bob)
  const entries = async (query: string) => (await asAdmin(auth, 'GET', `/admin/audit?query=${query}`)).body
  const [made] = await entries('author:service_role')
  expect(made.payload).toMatchObject({
    action: 'user_signedup',
    actor_id: '00000000-0000-0000-0000-000000000000',
    actor_username: 'service_role',
    log_type: 'team',
    traits: { user_email: bob.email },
  })
  expect((await entries('author:Ann')).length).toBe(2)
  expect((await entries('action:login'))[0].payload).toMatchObject({ actor_name: 'Ann', actor_username: ann.email })
  expect((await entries('type:nothing')).length).toBe(0)
  expect(JSON.stringify(await entries(''))).not.toContain(ann.password)
})

test('users are walked by a cursor where that is switched on', async ({ db }) => {
  const auth = await startAuth(db, { adminCursorPagination: true })
  for (const name of ['a', 'b', 'c']) await create(auth, { email: `${name}@example.com` })
  await db.load(`update auth.users set created_at = created_at + interval '7 microseconds'`)
  const seen: string[] = []
  let path = '/admin/users?limit=2&sort=created_at%20asc'
  for (;;) {
    const { body, headers } = await asAdmin(auth, 'GET', path)
    seen.push(...body.users.map((user: { email: string }) => user.email))
    expect(body.pagination.has_more).toBe(headers.link !== undefined)
    if (!body.pagination.has_more) break
    path = /<(.*)>/.exec(String(headers.link))?.[1] ?? ''
  }
  expect(seen).toEqual(['a@example.com', 'b@example.com', 'c@example.com'])
  for (const query of ['limit=0', 'limit=x', 'cursor=x', 'cursor=e30'])
    expect((await asAdmin(auth, 'GET', `/admin/users?${query}`)).status).toBe(400)
  expect((await asAdmin(auth, 'GET', '/admin/users?page=1')).headers['x-total-count']).toBe('3')
})
