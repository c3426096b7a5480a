import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { startAuth } from '../../../../../test/auth-service.ts'
import { consoleApp } from '../../../../../test/console-app.ts'
import { test as base } from '../../../../../test/harness.ts'
import { type OperatorRole, recordedActions } from '../../../../../test/operator-actions.ts'
import { requestContext } from '../../../../../test/request-context.ts'
import { selectConsoleUsersStatement } from '../../store/console-users.ts'
import { userRoutes } from './routes.ts'

/** As the gateway makes it: its signal is a getter of its class. */
function gatewayContext() {
  const { signal, ...own } = requestContext()
  return Object.assign(
    Object.create({
      get signal() {
        return signal
      },
    }),
    own,
  )
}

const password = 'a long and calm password'

const test = base.extend('world', async ({ db }, { onCleanup }) => {
  const started = await startAuth(db)
  onCleanup(async () => void (await started.app.close()))
  const { auth, apiKeys, call } = started
  const admin = { headers: { apikey: apiKeys.secretKey, authorization: `Bearer ${apiKeys.secretKey}` } }
  const open = async (role: OperatorRole = 'owner') => {
    const { actions, log } = recordedActions(role)
    const part = userRoutes({
      ...{ users: auth.admin.users, reader: db.reader, actions },
      removeFactor: (context, userId, factorId) => auth.factors.deleteAsAdmin({ context }, userId, factorId),
    })
    const ask = await consoleApp(async (app) => {
      app.decorateRequest('requestContext', null)
      app.addHook('onRequest', async (request) => request.setDecorator('requestContext', gatewayContext()))
      await app.register(part)
    })
    return { ask, log }
  }
  const add = async (email: string, more: object = {}): Promise<string> =>
    (await call('POST', '/admin/users', { ...admin, body: { email, password, email_confirm: true, ...more } })).body.id
  const signIn = (email: string) =>
    call('POST', '/token?grant_type=password', { headers: { apikey: apiKeys.anonKey }, body: { email, password } })
  return { ...started, open, add, signIn }
})

const emails = ({ body }: { readonly body: { readonly users: readonly { readonly email: string }[] } }) =>
  body.users.map(({ email }) => email)

test('users are listed newest first, page by page, found by text, state, provider and last sign-in', async ({
  world,
}) => {
  const { open, add, signIn } = world
  await add('ana@example.com', { user_metadata: { full_name: 'Ana Sousa' } })
  await add('ben@example.com', { ban_duration: '24h' })
  await add('cleo@example.com', { email_confirm: false })
  const { ask } = await open()
  const first = await ask('GET', '/users?limit=2')
  expect(emails(first)).toEqual(['cleo@example.com', 'ben@example.com'])
  const second = await ask('GET', `/users?limit=2&after=${first.body.next}`)
  expect([emails(second), second.body.next]).toEqual([['ana@example.com'], null])
  expect(emails(await ask('GET', '/users?text=sousa'))).toEqual(['ana@example.com'])
  expect(emails(await ask('GET', '/users?text=%25'))).toEqual([])
  expect(emails(await ask('GET', '/users?state=banned'))).toEqual(['ben@example.com'])
  expect(emails(await ask('GET', '/users?state=unconfirmed'))).toEqual(['cleo@example.com'])
  expect(emails(await ask('GET', '/users?provider=github'))).toEqual([])
  await signIn('ana@example.com')
  expect(emails(await ask('GET', `/users?signedInSince=${new Date(Date.now() - 60_000).toISOString()}`))).toEqual([
    'ana@example.com',
  ])
  expect(emails(await ask('GET', '/users?sort=signed%20in'))[0]).toBe('ana@example.com')
  const soon = new Date(Date.now() + 60_000).toISOString()
  expect(emails(await ask('GET', `/users?createdSince=${soon}`))).toEqual([])
})

test.for([
  ['created', 'clew_users_created_at_idx'],
  ['signed in', 'clew_users_last_sign_in_at_idx'],
] as const)(
  'a page of a million users by “%s” is read from an index, and nothing is sorted for it',
  async ([sort, index], { world, db }) => {
    const after = await world.add('ana@example.com')
    const filters = { text: '', state: null, provider: null, signedInSince: null, createdSince: null }
    const { text, values } = selectConsoleUsersStatement({ ...filters, after, sort, limit: 100 })
    const plan = await db.auth.transaction(async (sql) => {
      await sql.query({ text: 'set local enable_seqscan = off; set local enable_bitmapscan = off', values: [] })
      const { rows } = await sql.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values })
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain(`Index Scan using ${index}`)
    expect(plan.split('\n').find((line) => /Sort Key: \(?COALESCE/.test(line))).toBeUndefined()
  },
)

test('a user is shown with sessions and identities; banned they do not sign in, until the ban is lifted', async ({
  world,
}) => {
  const { open, add, signIn } = world
  const id = await add('ana@example.com')
  await signIn('ana@example.com')
  const { ask, log } = await open('developer')
  const { body } = await ask('GET', `/users/${id}`)
  expect(body).toMatchObject({ email: 'ana@example.com', isBanned: false, identities: [{ provider: 'email' }] })
  expect(body.sessions).toHaveLength(1)
  expect(JSON.stringify(body)).not.toContain('password')
  expect((await ask('POST', `/users/${id}/ban`, { hours: 24 })).status).toBe(204)
  expect((await ask('GET', `/users/${id}`)).body.isBanned).toBe(true)
  expect((await signIn('ana@example.com')).status).toBe(400)
  await ask('POST', `/users/${id}/unban`)
  expect((await signIn('ana@example.com')).status).toBe(200)
  expect(log).toEqual([
    { name: 'user.ban', target: 'user ana@example.com' },
    { name: 'user.unban', target: 'user ana@example.com' },
  ])
})

test('signed out everywhere, a user’s tokens are no longer refreshed', async ({ world }) => {
  const { open, add, signIn, call, apiKeys } = world
  const id = await add('ana@example.com')
  const { refresh_token } = (await signIn('ana@example.com')).body
  const { ask } = await open()
  expect((await ask('POST', `/users/${id}/sign-out`)).status).toBe(204)
  const refreshed = await call('POST', '/token?grant_type=refresh_token', {
    headers: { apikey: apiKeys.anonKey },
    body: { refresh_token },
  })
  expect(refreshed.status).toBe(400)
  expect((await ask('GET', `/users/${id}`)).body.sessions).toEqual([])
})

test('users are created and invited; a mail lets one choose another password', async ({ world }) => {
  const { open, linkFor, signIn } = world
  const { ask } = await open()
  const created = await ask('POST', '/users', { email: 'ana@example.com', password })
  expect(created.status).toBe(201)
  expect((await signIn('ana@example.com')).status).toBe(200)
  expect((await ask('POST', '/users', { email: 'ana@example.com', password })).body.code).toBe('email_exists')
  await ask('POST', `/users/${created.body.id}/reset`)
  expect(await linkFor('ana@example.com')).toContain('type=recovery')
  expect((await ask('POST', '/users/invitations', { email: 'ben@example.com' })).status).toBe(201)
  expect(await linkFor('ben@example.com')).toContain('type=invite')
})

test('a link signs in as the user, for owners alone, and stands in the audit log', async ({ world }) => {
  const { open, add, app } = world
  const id = await add('ana@example.com')
  const developer = await open('developer')
  expect((await developer.ask('POST', `/users/${id}/link`)).status).toBe(403)
  const { ask, log } = await open('owner')
  const { link } = (await ask('POST', `/users/${id}/link`)).body
  const { pathname, search } = new URL(link)
  const followed = await app.inject({ method: 'GET', url: `${pathname}${search}` })
  expect(String(followed.headers.location)).toContain('access_token=')
  expect(log).toEqual([{ name: 'user.sign_in_link', target: 'user ana@example.com' }])
  expect(JSON.stringify([log, developer.log])).not.toContain(link)
})

test('what a user owns is counted, with what a deletion does to it', async ({ world, db }) => {
  const id = await world.add('ana@example.com')
  await db.load(`
    create table public.notes (id int primary key, owner uuid references auth.users on delete cascade);
    create table public.reviews (id int primary key, author uuid references auth.users on delete set null);
    create table public.bills (id int primary key, payer uuid references auth.users);
    insert into public.notes values (1, '${id}'), (2, '${id}');
    insert into public.bills values (1, '${id}')`)
  const { ask } = await world.open()
  expect((await ask('GET', `/users/${id}/owned`)).body.tables).toEqual([
    {
      schema: 'public',
      table: 'bills',
      column: 'payer',
      rows: 1,
      onDelete: 'kept from being deleted',
      canBeEmptied: true,
    },
    { schema: 'public', table: 'notes', column: 'owner', rows: 2, onDelete: 'deleted', canBeEmptied: true },
    { schema: 'public', table: 'reviews', column: 'author', rows: 0, onDelete: 'emptied', canBeEmptied: true },
  ])
  expect((await ask('DELETE', `/users/${id}`)).status).toBeGreaterThanOrEqual(400)
  await db.load('delete from public.bills')
  expect((await ask('DELETE', `/users/${id}`)).status).toBe(204)
  expect((await ask('GET', `/users/${id}`)).status).toBe(404)
})

test('a second factor is taken away', async ({ world, db }) => {
  const { open, add } = world
  const id = await add('ana@example.com')
  const factorId = randomUUID()
  await db.admin.query({
    text: `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
      values ($1, $2, 'Phone', 'totp', 'verified', now(), now(), 'x')`,
    values: [factorId, id],
  })
  const { ask } = await open('developer')
  expect((await ask('GET', `/users/${id}`)).body.factors).toMatchObject([{ id: factorId, name: 'Phone' }])
  expect((await ask('DELETE', `/users/${id}/factors/${factorId}`)).status).toBe(204)
  expect((await ask('GET', `/users/${id}`)).body.factors).toEqual([])
})

test('analysts see no users', async ({ world }) => {
  const id = await world.add('ana@example.com')
  const { ask, log } = await world.open('analyst')
  for (const path of ['/users', `/users/${id}`, `/users/${id}/owned`]) expect((await ask('GET', path)).status).toBe(403)
  for (const path of ['ban', 'unban', 'sign-out', 'reset', 'link'])
    expect((await ask('POST', `/users/${id}/${path}`, { hours: 1 })).status, path).toBe(403)
  expect((await ask('DELETE', `/users/${id}`)).status).toBe(403)
  expect(log).toEqual([])
})
