import { FunctionsFetchError, FunctionsHttpError } from '@supabase/functions-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'
import { createKeySet } from '../../ground/jwt/keys.ts'
import { signToken } from '../../ground/jwt/sign.ts'

const otherProject = { signingKeys: [], secret: 'another secret of thirty-two chars' }

const files = {
  'hello/index.ts': `
    import { greet } from '../_shared/greet.ts'
    Deno.serve(async (request) => {
      const { name = 'world' } = request.method === 'POST' ? await request.json() : {}
      console.log('greets', { name })
      return Response.json({ message: greet(name) })
    })`,
  '_shared/greet.ts': `export const greet = (name: string): string => 'Hello ' + name`,
  'echo/index.ts': `
    Deno.serve(async (request) => {
      const url = new URL(request.url)
      const headers = new Headers({ 'x-method': request.method, 'x-url': request.url, 'content-type': request.headers.get('content-type') ?? 'none' })
      headers.append('set-cookie', 'a=1')
      headers.append('set-cookie', 'b=2')
      if (url.searchParams.has('headers')) return Response.json(Object.fromEntries(request.headers))
      if (url.searchParams.has('status')) return new Response(null, { status: Number(url.searchParams.get('status')) })
      return new Response(request.body, { headers })
    })`,
  'environment/index.ts': `Deno.serve(() => Response.json(Deno.env.toObject()))`,
  '.env': 'GREETING=hi\nSUPABASE_URL=http://elsewhere\n',
  'default-export/index.ts': `export default { fetch: () => new Response('exported') }`,
  'old-serve/index.ts': `
    import { serve } from 'https://deno.land/std@0.168.0/http/server.ts'
    serve(() => new Response('served'))`,
  'throws/index.ts': `Deno.serve(() => { throw new Error('no luck') })`,
  'dies/index.ts': `Deno.serve(() => new Promise(() => setTimeout(() => { throw new Error('too late') })))`,
  'rejects/index.ts': `Deno.serve(() => { Promise.reject(new Error('forgotten')); return new Response('fine') })`,
  'broken/index.ts': `Deno.serve(() => new Response('a' +)`,
  'silent/index.ts': `export const nothing = 1`,
  'loop/index.ts': `Deno.serve(() => { for (;;) {} })`,
  'hog/index.ts': `
    const kept: Uint8Array[] = []
    Deno.serve(async () => { for (;;) { kept.push(new Uint8Array(16 * 1024 * 1024).fill(1)); await new Promise((done) => setTimeout(done, 5)) } })`,
  'heap/index.ts': `const kept: unknown[] = []; Deno.serve(() => { for (;;) kept.push(new Array(1000).fill({ a: Math.random() })) })`,
  'background/index.ts': `
    Deno.serve(() => {
      EdgeRuntime.waitUntil(new Promise((done) => setTimeout(done, 100)).then(() => console.log('afterwards')))
      return new Response('now')
    })`,
  'stream/index.ts': `
    Deno.serve(() => new Response(new ReadableStream({
      async start(controller) {
        for (const part of ['a', 'b', 'c']) { controller.enqueue(new TextEncoder().encode('data: ' + part + '\\n\\n')); await new Promise((done) => setTimeout(done, 20)) }
        controller.close()
      },
    }), { headers: { 'content-type': 'text/event-stream' } }))`,
  'own-origin/index.ts': `
    Deno.serve(() => new Response('', { headers: { 'access-control-allow-origin': 'https://cafe.test' } }))`,
  'socket/index.ts': `
    Deno.serve((request) => {
      const { socket, response } = Deno.upgradeWebSocket(request)
      socket.onmessage = ({ data }) => socket.send('echo ' + data)
      return response
    })`,
  'late/index.ts': `
    Deno.serve((request, info) => {
      EdgeRuntime.waitUntil(new Promise((done) => setTimeout(done, 50)).then(() => console.log(request.url, info.remoteAddr.hostname)))
      return new Response('now')
    })`,
  'temporary/index.ts': `
    Deno.serve(async () => {
      await Deno.writeTextFile('/tmp/note.txt', 'kept')
      return new Response(await Deno.readTextFile('/tmp/note.txt'))
    })`,
}

let app: FunctionsApp
beforeAll(async () => {
  app = await openFunctions(files, { settings: { cpuMs: 800, memoryMib: 200, headSeconds: 20 } })
})
afterAll(() => app.close())

const lines = (name: string) => app.logs.filter((line) => line.name === name)

test('functions §1 the official client calls a function, which imports a shared file', async () => {
  const { data, error } = await app.client.invoke('hello', { body: { name: 'Ana' } })
  expect(error).toBeNull()
  expect(data).toEqual({ message: 'Hello Ana' })
  expect(lines('hello')).toContainEqual(
    expect.objectContaining({
      kind: 'log',
      level: 'info',
      text: 'greets { name: "Ana" }',
      requestId: app.ended.at(-1)?.context.id,
    }),
  )
})

test.each([
  ['GET', '/echo', undefined],
  ['POST', '/echo/deeper/path?a=1&a=2', 'a body'],
  ['PUT', '/echo', new Uint8Array([0, 255, 128])],
  ['PATCH', '/echo', '{}'],
  ['DELETE', '/echo', undefined],
  ['OPTIONS', '/echo', undefined],
] as const)('functions §1 %s %s reaches the function as it was sent', async (method, path, body) => {
  const response = await app.call(path, { method, ...(body === undefined ? {} : { body }) })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-method')).toBe(method)
  expect(response.headers.get('x-url')).toBe(`${app.url}${path}`)
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(body ?? ''))
})

// The gateway of the Supabase CLI answers them (supabase-js's cors-validation.test.ts); its client may send any header.
test.each([
  ['/echo', 'authorization, x-supabase-new-feature'],
  ['/broken', undefined],
  ['/nobody', 'a\tb, content-type'],
])('functions §2 in local mode a page may send %s the headers that it asks for: %s', async (path, asked) => {
  const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'PUT' }
  const response = await app.call(path, {
    method: 'OPTIONS',
    as: null,
    headers: { ...headers, ...(asked !== undefined && { 'access-control-request-headers': asked }) },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-methods')).toContain('PUT')
  expect(response.headers.get('access-control-allow-headers')).toBe(asked?.replace('a\tb, ', '') ?? null)
  expect(response.headers.has('x-method')).toBe(false)
})

test.each([
  ['/hello', 'http://localhost:5173', '*'],
  ['/hello', null, null],
  ['/own-origin', 'http://localhost:5173', 'https://cafe.test'],
])('functions §2 in local mode the answer of %s to a page of %s may be read by %s', async (path, origin, readers) => {
  const response = await app.call(path, { headers: origin === null ? {} : { origin } })
  expect(response.headers.get('access-control-allow-origin')).toBe(readers)
})

test.each([204, 205, 304, 404, 418, 500])('functions §1 status %i passes back', async (status) => {
  expect((await app.call(`/echo?status=${status}`)).status).toBe(status)
})

test('functions §1 the function is told who calls it, by headers', async () => {
  const headers = (await (
    await app.call('/echo?headers=1', { headers: { 'x-region': 'eu-west-1' } })
  ).json()) as Record<string, string>
  expect(headers).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-port': new URL(app.url).port,
    'x-region': 'eu-west-1',
    host: new URL(app.url).host,
    authorization: expect.stringContaining('Bearer '),
  })
  expect(headers).not.toHaveProperty('keep-alive')
})

test('functions §5 the environment is the function’s own', async () => {
  const environment = (await (await app.call('/environment')).json()) as Record<string, string>
  expect(Object.keys(environment).sort()).toEqual([
    'DENO_DEPLOYMENT_ID',
    'GREETING',
    'SB_EXECUTION_ID',
    'SB_REGION',
    'SUPABASE_ANON_KEY',
    'SUPABASE_JWKS',
    'SUPABASE_PUBLISHABLE_KEYS',
    'SUPABASE_SECRET_KEYS',
    'SUPABASE_SERVICE_ROLE_KEY',
    'SUPABASE_URL',
  ])
  expect(environment).toMatchObject({ GREETING: 'hi', SUPABASE_URL: app.url })
})

test.each([
  ['default-export', 'exported'],
  ['old-serve', 'served'],
  ['temporary', 'kept'],
])('functions §4 %s runs', async (name, text) => {
  expect(await (await app.call(`/${name}`)).text()).toBe(text)
})

test.each([
  ['/', 'anon', 400, { msg: 'missing function name in request' }],
  ['/nobody', 'anon', 404, { code: 'NOT_FOUND', message: 'Requested function was not found' }],
  ['/_shared', 'anon', 404, { code: 'NOT_FOUND', message: 'Requested function was not found' }],
  ['/..%2f..%2fetc', 'anon', 404, { code: 'NOT_FOUND', message: 'Requested function was not found' }],
  ['/hello', null, 401, { msg: 'Error: Missing authorization header' }],
  ['/broken', 'anon', 503, { code: 'BOOT_ERROR', message: expect.any(String), details: expect.any(String) }],
  ['/silent', 'anon', 503, { code: 'BOOT_ERROR', message: expect.any(String), details: expect.any(String) }],
  ['/dies', 'anon', 500, { code: 'WORKER_ERROR', message: 'Function exited due to an error (please check logs)' }],
  ['/loop', 'anon', 546, { code: 'WORKER_LIMIT', message: expect.stringContaining('resource limit') }],
  ['/hog', 'anon', 546, { code: 'WORKER_LIMIT', message: expect.stringContaining('resource limit') }],
  ['/heap', 'anon', 546, { code: 'WORKER_LIMIT', message: expect.stringContaining('resource limit') }],
] as const)('functions §3 %s as %s answers %i, readable by any page', async (path, as, status, body) => {
  const response = await app.call(path, { as })
  expect({ status: response.status, body: await response.json() }).toEqual({ status, body })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

test.each([
  ['Basic abc', "Error: Auth header is not 'Bearer {token}'"],
  ['Bearer abc', 'Invalid JWT'],
])('functions §2 the header %s is refused', async (authorization, msg) => {
  const response = await app.call('/hello', { as: null, headers: { authorization } })
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({ msg })
})

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const nowSeconds = Math.floor(Date.now() / 1000)
test.each([
  ['has expired', () => app.token('authenticated', { exp: nowSeconds - 1 })],
  ['is not good yet', () => app.token('authenticated', { nbf: nowSeconds + 600 })],
  ['has no signature', () => `${part({ alg: 'none', typ: 'JWT' })}.${part({ role: 'service_role' })}.`],
  ['was signed for another role', () => app.token('anon').replace(/\.[^.]*\./, `.${part({ role: 'service_role' })}.`)],
  ['was signed by another project', () => signToken({ role: 'anon' }, createKeySet(otherProject).signing)],
  ['has NUL in it', () => `${app.token('anon').slice(0, -1)}%00`],
] as const)('functions §2 a token that %s is refused', async (_what, token) => {
  const response = await app.call('/hello', { as: null, headers: { authorization: `Bearer ${token()}` } })
  expect([response.status, await response.json()]).toEqual([401, { msg: 'Invalid JWT' }])
})

test.each([
  ['alone', { apikey: 'sb_publishable_x' }],
  ['as a bearer token', { authorization: 'Bearer sb_publishable_x' }],
])('functions §2 an opaque key %s stands for its role’s token', async (_how, headers) => {
  const response = await app.call('/echo?headers', { as: null, headers })
  expect(await response.json()).toMatchObject({ authorization: `Bearer ${app.token('anon')}` })
})

test('functions §2 a key that is not the project’s stands for nothing', async () => {
  const response = await app.call('/echo', { as: null, headers: { apikey: 'sb_publishable_y' } })
  expect(await response.json()).toEqual({ msg: 'Invalid JWT' })
})

test('functions §3 a handler that throws is answered by 500, and its process stays', async () => {
  const first = await app.call('/throws')
  expect([first.status, await first.text()]).toEqual([500, 'Internal Server Error'])
  const second = await app.call('/throws')
  expect(second.headers.get('x-deno-execution-id')).toBe(first.headers.get('x-deno-execution-id'))
  expect(second.headers.get('sb-request-id')).toBe(second.headers.get('x-request-id'))
  await expect
    .poll(() => lines('throws').find(({ kind }) => kind === 'exception')?.text)
    .toMatch(/^Error: no luck\n {4}at .*supabase\/functions\/throws\/index\.ts:1:\d+\)?$/)
})

test('functions §6 a forgotten rejection ends nothing', async () => {
  expect(await (await app.call('/rejects')).text()).toBe('fine')
  expect(await (await app.call('/rejects')).text()).toBe('fine')
  await expect.poll(() => lines('rejects').some(({ text }) => text.includes('forgotten'))).toBe(true)
})

test('functions §6 work given to waitUntil goes on after the answer', async () => {
  expect(await (await app.call('/background')).text()).toBe('now')
  await expect.poll(() => lines('background').some(({ text }) => text === 'afterwards')).toBe(true)
})

test('functions §1 a request’s address can be read after its answer', async () => {
  expect(await (await app.call('/late?a=1')).text()).toBe('now')
  await expect.poll(() => lines('late').find(({ kind }) => kind === 'log')?.text).toContain(`${app.url}/late?a=1 `)
})

test('functions §1 an answer streams', async () => {
  const { data } = await app.client.invoke('stream')
  const reader = (data as Response).body?.getReader()
  const first = await reader?.read()
  expect(Buffer.from(first?.value ?? []).toString()).toBe('data: a\n\n')
  let rest = ''
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    rest += Buffer.from(part.value).toString()
  expect(rest).toBe('data: b\n\ndata: c\n\n')
})

test('functions §1 each failure is the client’s error of its kind', async () => {
  const failed = await app.client.invoke('broken')
  expect(failed.error).toBeInstanceOf(FunctionsHttpError)
  const gone = await app.client.invoke('hello', { signal: AbortSignal.abort() })
  expect(gone.error).toBeInstanceOf(FunctionsFetchError)
})
