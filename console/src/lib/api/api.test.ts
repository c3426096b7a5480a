import { afterEach, expect, test, vi } from 'vitest'
import { api } from './api.ts'
import { ApiError } from './api-error.ts'

afterEach(() => vi.unstubAllGlobals())

function answer(reply: (request: Request) => Promise<Response>) {
  const fetch = vi.fn(reply)
  vi.stubGlobal('fetch', fetch)
  return fetch
}

test('an error response carries code, message, what to do and the request’s id', async () => {
  const error = { code: 'CLEW_OPERATORS_TOKEN', message: 'The link was used.', hint: 'Sign in.', requestId: 'r1' }
  answer(async () => Response.json({ error }, { status: 409 }))
  const refused = await api.setup().catch((reason: unknown) => reason)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ status: 409, ...error })
})

test('an answer that is no JSON still names the request', async () => {
  answer(async () => new Response('Bad gateway', { status: 502, headers: { 'x-request-id': 'r2' } }))
  await expect(api.overview()).rejects.toMatchObject({ status: 502, code: 'HTTP_502', requestId: 'r2' })
})

test('a server that is not there is told from one that refuses', async () => {
  answer(async () => {
    throw new TypeError('Failed to fetch')
  })
  await expect(api.overview()).rejects.toMatchObject({ status: 0, code: 'CLEW_CONSOLE_UNREACHABLE' })
})

test('a cancelled request is no error of the server', async () => {
  const cancelled = new AbortController()
  answer(async ({ signal }) => {
    cancelled.abort()
    return signal.throwIfAborted() ?? Response.json({})
  })
  await expect(api.overview({ signal: cancelled.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('an answer without content is no error', async () => {
  answer(async () => new Response(null, { status: 204 }))
  await expect(api.signOut()).resolves.toBeUndefined()
})

test.each([
  [
    'a query repeats a list and leaves out what is absent',
    () => api.rows('public', 'orders', { limit: 5, offset: 0, filter: ['a.eq.1', 'b.is.null'] }),
    'GET /console/api/data/public/orders/rows?limit=5&offset=0&filter=a.eq.1&filter=b.is.null',
  ],
  [
    'an empty list asks for nothing',
    () => api.rows('public', 'orders', { limit: 5, offset: 0, filter: [] }),
    'GET /console/api/data/public/orders/rows?limit=5&offset=0',
  ],
  [
    'names are encoded',
    () => api.history('my schema', 'a/b', { id: '7&8' }),
    'GET /console/api/data/my%20schema/a%2Fb/history?key=%7B%22id%22%3A%227%268%22%7D&limit=100',
  ],
  ['a change says its method', () => api.removePasskey('p1'), 'DELETE /console/api/access/passkeys/p1'],
] as const)('%s', async (_rule, ask, wanted) => {
  const fetch = answer(async () => Response.json({}))
  await ask()
  const [request] = fetch.mock.calls[0] ?? []
  expect(`${request?.method} ${request?.url.replace(window.location.origin, '')}`).toBe(wanted)
  expect(request?.credentials).toBe('same-origin')
})
