import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, api, renderQuery } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

const answer = (reply: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(reply))

test('a refusal carries code, message, hint and request id', async () => {
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

test('a question that was left is no error of the server', async () => {
  answer(async () => {
    throw new DOMException('left', 'AbortError')
  })
  await expect(api.overview()).rejects.toMatchObject({ name: 'AbortError' })
})

test('a query leaves out what is empty and repeats a list', () => {
  expect(renderQuery({ q: '', before: undefined, limit: 5, filter: ['a.eq.1', 'b.is.null'] })).toBe(
    '?limit=5&filter=a.eq.1&filter=b.is.null',
  )
})
