import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  FunctionRegion,
  FunctionsClient,
  FunctionsFetchError,
  FunctionsHttpError,
  FunctionsRelayError,
} from '@supabase/functions-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'

// What functions-js sends, reads and throws (functions §1), against functions that run.
let app: FunctionsApp
beforeAll(async () => {
  app = await openFunctions({
    'told/index.ts': `
      Deno.serve(async (request) => {
        const { searchParams } = new URL(request.url)
        return Response.json({
          method: request.method,
          type: request.headers.get('content-type'),
          region: request.headers.get('x-region'),
          forced: searchParams.get('forceFunctionRegion'),
          own: request.headers.get('x-own'),
          text: await request.text(),
        })
      })`,
    'form/index.ts': `
      Deno.serve(async (request) => {
        const form = await request.formData()
        const file = form.get('file') as File
        const answer = new FormData()
        answer.set('name', String(form.get('name')).toUpperCase())
        answer.set('file', new File([await file.text() + '!'], file.name, { type: file.type }))
        return new Response(answer)
      })`,
    'typed/index.ts': `
      Deno.serve(async (request) => {
        const { type, status = 200, headers = {} } = await request.json()
        const body = new TextEncoder().encode('{"a":1}')
        return new Response(status === 204 ? null : body, { status, headers: { ...(type === null ? {} : { 'content-type': type }), ...headers } })
      })`,
    'slow/index.ts': `
      Deno.serve(async (request) => {
        request.signal.addEventListener('abort', () => console.log('the caller left'))
        console.log('the caller waits')
        await new Promise((done) => setTimeout(done, 20_000))
        return new Response('late')
      })`,
    'cut/index.ts': `
      Deno.serve(() => new Response(new ReadableStream({
        start(controller) { controller.enqueue(new TextEncoder().encode('[1,')) },
        pull() { return new Promise((_, fail) => setTimeout(() => fail(new Error('no more')), 30)) },
      }), { headers: { 'content-type': 'application/json' } }))`,
  })
})
afterAll(() => app.close())

const bytes = new Uint8Array([104, 105])

test.each([
  ['an object', { a: 1 }, 'application/json', '{"a":1}'],
  ['text', 'plain words', 'text/plain', 'plain words'],
  ['an ArrayBuffer', bytes.buffer, 'application/octet-stream', 'hi'],
  ['a Blob with its type', new Blob(['x,y'], { type: 'text/csv' }), 'text/csv', 'x,y'],
  ['a Blob without one', new Blob(['raw']), 'application/octet-stream', 'raw'],
  ['a File', new File(['<p>'], 'page.html', { type: 'text/html' }), 'text/html', '<p>'],
] as const)('functions §1 %s is sent as what it is', async (_what, body, type, text) => {
  const { data, error } = await app.client.invoke('told', { body })
  expect(error).toBeNull()
  expect(data).toMatchObject({ method: 'POST', type, text })
})

test('functions §1 a type that the caller names is kept, as are other headers', async () => {
  const headers = { 'content-type': 'application/vnd.own+json', 'x-own': 'yes' }
  const { data } = await app.client.invoke('told', { body: '{}', headers })
  expect(data).toMatchObject({ type: 'application/vnd.own+json', own: 'yes', text: '{}' })
})

test('functions §1 forms pass both ways, with their files', async () => {
  const body = new FormData()
  body.set('name', 'ana')
  body.set('file', new File(['content'], 'a.txt', { type: 'text/plain' }))
  const { data } = await app.client.invoke<FormData>('form', { body })
  expect(data?.get('name')).toBe('ANA')
  const file = data?.get('file') as File
  expect([file.name, file.type, await file.text()]).toEqual(['a.txt', 'text/plain', 'content!'])
})

test.each(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const)('functions §1 the method %s arrives', async (method) => {
  const { data } = await app.client.invoke('told', { method, ...(method === 'GET' ? {} : { body: { a: 1 } }) })
  expect(data).toMatchObject({ method, text: method === 'GET' ? '' : '{"a":1}' })
})

test.each([
  ['application/json', { a: 1 }],
  ['Application/JSON; charset=utf-8', { a: 1 }],
  ['application/octet-stream', expect.any(Blob)],
  ['application/pdf', expect.any(Blob)],
  ['text/event-stream', expect.any(Response)],
  ['text/html', '{"a":1}'],
  [null, '{"a":1}'],
])('functions §1 an answer of type %s is read as that', async (type, expected) => {
  const { data, error } = await app.client.invoke('typed', { body: { type } })
  expect(error).toBeNull()
  expect(data).toEqual(expected)
  if (data instanceof Blob) expect(await data.text()).toBe('{"a":1}')
})

test('functions §1 a region is accepted: the header and the query reach the function', async () => {
  const inRegion = new FunctionsClient(`${app.url}/functions/v1`, {
    headers: { authorization: `Bearer ${app.token('anon')}` },
    region: FunctionRegion.EuWest1,
  })
  const { data } = await inRegion.invoke('told')
  expect(data).toMatchObject({ region: 'eu-west-1', forced: 'eu-west-1' })
  const any = await inRegion.invoke('told', { region: FunctionRegion.Any })
  expect(any.data).toMatchObject({ region: null, forced: null })
})

test.each([400, 404, 500, 503])(
  'functions §1 a function’s own %i is a FunctionsHttpError with its body unread',
  async (status) => {
    const { data, error, response } = await app.client.invoke('typed', { body: { type: 'application/json', status } })
    expect(data).toBeNull()
    expect(error).toBeInstanceOf(FunctionsHttpError)
    expect(await (error as FunctionsHttpError).context.json()).toEqual({ a: 1 })
    expect(response?.status).toBe(status)
  },
)

test('functions §1 an answer without content is no error', async () => {
  expect(await app.client.invoke('typed', { body: { type: null, status: 204 } })).toMatchObject({
    data: '',
    error: null,
  })
})

test('functions §1 only a failure of the platform is a FunctionsRelayError', async () => {
  const own = await app.client.invoke('typed', { body: { type: null, headers: { 'x-relay-error': 'true' } } })
  expect(own.error).toBeInstanceOf(FunctionsRelayError)
  // Where versions are made, there is a file: no version can be.
  const broken = await openFunctions({ 'any/index.ts': `Deno.serve(() => new Response('ok'))` })
  try {
    const versions = join(broken.project, '..', 'run', 'versions')
    await rm(versions, { recursive: true })
    await writeFile(versions, '')
    const { error } = await broken.client.invoke('any')
    expect(error).toBeInstanceOf(FunctionsRelayError)
    expect(await (error as FunctionsRelayError).context.json()).toMatchObject({ code: 'Internal Server Error' })
    // As when a full disk has room again.
    await rm(versions)
    expect((await broken.client.invoke('any')).data).toBe('ok')
  } finally {
    await broken.close()
  }
})

test('functions §1 a call that is given up is a FunctionsFetchError, and its function hears of it', async () => {
  const logged = (wanted: string): boolean => app.logs.some(({ text }) => text === wanted)
  const giveUp = new AbortController()
  const call = app.client.invoke('slow', { signal: giveUp.signal })
  await expect.poll(() => logged('the caller waits')).toBe(true)
  giveUp.abort()
  const { error } = await call
  expect(error).toBeInstanceOf(FunctionsFetchError)
  await expect.poll(() => app.ended.at(-1)).toMatchObject({ status: 499, context: { path: '/functions/v1/slow' } })
  expect(app.ended.at(-1)?.context.errorCode).toBeNull()
  await expect.poll(() => logged('the caller left')).toBe(true)
})

test('functions §3 an answer that breaks off is an error of the client, not half an answer', async () => {
  const { data, error } = await app.client.invoke('cut')
  expect(data).toBeNull()
  expect(error).toBeInstanceOf(Error)
})

test('functions §1 a server that is gone is a FunctionsFetchError', async () => {
  const nowhere = new FunctionsClient('http://127.0.0.1:1/functions/v1')
  expect((await nowhere.invoke('told')).error).toBeInstanceOf(FunctionsFetchError)
})
