import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { createConnection } from './connection.ts'

const refusal = (status: number) => new ApiError({ status, code: 'X', message: 'x', hint: null, requestId: null })

/** A console that asks one thing, again and again. */
function start() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const restored = vi.fn()
  const connection = createConnection(client.getQueryCache(), restored)
  const answer = (queryFn: () => Promise<string>) =>
    client.fetchQuery({ queryKey: ['thing'], queryFn, staleTime: 0 }).catch(() => undefined)
  const fail = (error: unknown) => answer(() => Promise.reject(error))
  return { connection, restored, succeed: () => answer(async () => 'here'), fail }
}

test('the connection is lost when nothing answers, since the last answer, and back with the next one', async () => {
  const { connection, restored, succeed, fail } = start()
  const before = Date.now()
  await succeed()
  const after = Date.now()
  expect(connection.lostSince()).toBeNull()
  const changed = vi.fn()
  connection.subscribe(changed)
  await fail(refusal(0))
  const since = connection.lostSince()
  expect(since).toBeGreaterThanOrEqual(before)
  expect(since).toBeLessThanOrEqual(after)
  await fail(refusal(0))
  expect(connection.lostSince()).toBe(since)
  expect(restored).not.toHaveBeenCalled()
  await succeed()
  expect(connection.lostSince()).toBeNull()
  expect([changed.mock.calls.length, restored.mock.calls.length]).toEqual([2, 1])
})

test.each([
  [502, true],
  [504, true],
  [401, false],
  [403, false],
  [404, false],
  [500, false],
  [503, false],
])('an answer of %s means that it is lost: %s', async (status, lost) => {
  const { connection, fail } = start()
  await fail(refusal(status))
  expect(connection.lostSince() !== null).toBe(lost)
})

test('a mistake of the console’s own is no loss', async () => {
  const { connection, fail } = start()
  await fail(new TypeError('undefined is not a function'))
  expect(connection.lostSince()).toBeNull()
})
