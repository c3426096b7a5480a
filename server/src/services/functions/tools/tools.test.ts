import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { type FunctionsApp, openFunctions } from '../../../../test/functions-app.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { createKeySet } from '../../../ground/jwt/keys.ts'
import { functionTools, type ToolsDeps } from './routes.ts'

const ann = '0199a1b2-0000-4000-8000-0000000000aa'
const files = {
  'echo/index.ts': `
    Deno.serve(async (request) => {
      const url = new URL(request.url)
      if (url.pathname.endsWith('/bytes')) return new Response(new Uint8Array([0, 255]))
      if (url.pathname.endsWith('/endless')) return new Response(new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(65536).fill(97)) }))
      const token = request.headers.get('authorization')?.split('.')[1]
      const claims = token === undefined ? null : JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/')))
      return Response.json({
        method: request.method, search: url.search, body: await request.text(), sub: claims?.sub, role: claims?.role,
        color: request.headers.get('x-color'),
      })
    })`,
  'echo/.env': 'SECRET=1',
  '_shared/text.ts': `export const text = 'shared'`,
}

let app: FunctionsApp
let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
  await db.migrate('auth', new URL('../../auth/migrations/', import.meta.url))
  await db.load(`insert into auth.users (id, aud, role, email, raw_user_meta_data)
    values ('${ann}', 'authenticated', 'authenticated', 'ann@example.test', '{"name":"Ann"}')`)
  app = await openFunctions(files, { settings: { each: { echo: { verify_jwt: false } } } })
  await symlink('/etc/hostname', join(app.project, 'supabase', 'functions', 'echo', 'outside.txt'))
})
afterAll(async () => {
  await app.close()
  await db.close()
})

async function open(role: 'owner' | 'developer' | 'analyst' = 'owner', more: Partial<ToolsDeps> = {}) {
  const { actions, log } = recordedActions(role)
  const tokens = createKeySet({ signingKeys: [], secret: 'a secret of thirty-two characters' })
  const { port } = new URL(app.url)
  const deps: ToolsDeps = {
    own: { url: app.url, port: Number(port) },
    timeoutMs: 30_000,
    maxBodyBytes: 100_000,
    elapsedMs: () => performance.now(),
    sql: db.owner,
    keys: () => ({ anonKey: app.token('anon'), serviceRoleKey: app.token('service_role'), tokens }),
    now: () => new Date(),
    project: app.project,
    each: {},
    saves: true,
    triggersOf: () => ({ queue: null, hooks: ['send_email'] }),
    ...more,
  }
  const call = await consoleApp(functionTools(deps, actions))
  const invoke = (body: object) =>
    call('POST', '/functions/echo/invocations', {
      ...{ method: 'POST', path: '', headers: [], body: 'hello', caller: { kind: 'anon' } },
      ...body,
    })
  return { call, invoke, log }
}

test.each([
  [{ kind: 'none' }, {}],
  [{ kind: 'anon' }, { role: 'anon' }],
  [{ kind: 'service_role' }, { role: 'service_role' }],
  [
    { kind: 'user', user: 'Ann@example.test' },
    { role: 'authenticated', sub: ann },
  ],
  [
    { kind: 'user', user: ann },
    { role: 'authenticated', sub: ann },
  ],
])('a function is called as %o', async (caller, expected) => {
  const { invoke, log } = await open('developer')
  const headers = [{ name: 'X-Color', value: 'red' }]
  const { status, body } = await invoke({ path: '/deeper?a=1', headers, caller })
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 200, isCut: false, requestId: app.ended.at(-1)?.context.id })
  expect(body.headers).toContainEqual({ name: 'content-type', value: 'application/json' })
  expect(JSON.parse(body.body)).toEqual({ method: 'POST', search: '?a=1', body: 'hello', color: 'red', ...expected })
  expect(log).toHaveLength(1)
  expect(log[0]?.name).toBe('function.invoke')
})

test('an answer that is no text says its size, one that does not end is read up to a size, and no function is a 404', async () => {
  const { call, invoke } = await open()
  expect((await invoke({ path: '/bytes' })).body).toMatchObject({ body: null, sizeBytes: 2, isCut: false })
  expect((await invoke({ path: '/endless' })).body).toMatchObject({ sizeBytes: 100_000, isCut: true })
  const nobody = { method: 'GET', path: '', headers: [], body: null, caller: { kind: 'none' } }
  expect((await call('POST', '/functions/nobody/invocations', nobody)).body).toMatchObject({ status: 404 })
})

test('what is no call is refused; so are a user that is not there, and an analyst', async () => {
  const { invoke } = await open()
  for (const wrong of [{ path: 'x' }, { path: '/a b' }, { method: 'TRACE' }, { headers: [{ name: 'a b', value: '' }] }])
    expect((await invoke(wrong)).status).toBe(400)
  expect((await invoke({ caller: { kind: 'user', user: 'bob@example.test' } })).body.code).toBe(
    'CLEW_FUNCTIONS_USER_NOT_FOUND',
  )
  const analyst = await open('analyst')
  for (const kind of ['anon', 'service_role']) expect((await analyst.invoke({ caller: { kind } })).status).toBe(403)
})

test('a file of a function is saved and served at once; other files are not, nor any in production', async () => {
  const { call, invoke, log } = await open()
  const entry = 'supabase/functions/echo/index.ts'
  await invoke({})
  const before = await readFile(join(app.project, entry), 'utf8')
  const text = `Deno.serve(() => new Response('saved'))`
  expect((await call('PUT', '/functions/echo/file', { path: entry, text })).status).toBe(204)
  expect(log.at(-1)).toEqual({ name: 'function.save', target: `function echo, ${entry}` })
  await expect.poll(async () => (await invoke({})).body.body).toBe('saved')
  for (const path of [
    'supabase/functions/echo/.env',
    'supabase/functions/echo/new.ts',
    'supabase/functions/echo/outside.txt',
    'supabase/functions/echo/../../../../etc/passwd',
    '/etc/passwd',
    'supabase/config.toml',
  ])
    expect((await call('PUT', '/functions/echo/file', { path, text })).body.code).toBe('CLEW_FUNCTIONS_NO_SOURCE')
  const production = await open('owner', { saves: false })
  expect((await production.call('PUT', '/functions/echo/file', { path: entry, text })).body.code).toBe(
    'CLEW_FUNCTIONS_NOT_SAVED_HERE',
  )
  const analyst = await open('analyst')
  expect((await analyst.call('PUT', '/functions/echo/file', { path: entry, text })).status).toBe(403)
  expect((await analyst.call('GET', '/functions/echo/triggers')).body).toEqual({
    saves: true,
    queue: null,
    hooks: ['send_email'],
  })
  await writeFile(join(app.project, entry), before)
})
