import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openWorld } from '../../../../test/thread-world.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import type { FunctionLog } from '../../../ground/model/function-log.ts'

test('calls of functions are counted by parts of a time, with their errors and durations', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse)
  const path = '/functions/v1/receipt/deeper'
  for (const status of [200, 201, 500, 499]) await world.call('select 1', { path, status })
  await world.call('select 1', { path: '/functions/v1/hello', status: 200, at: new Date(Date.now() - 7_200_000) })
  await world.call('select 1', { path: '/rest/v1/orders' })
  const calls = async (query: string) =>
    (await world.get(`/function-calls?${query}`)).body as { functions: { name: string; parts: { calls: number }[] }[] }
  await expect
    .poll(async () => (await calls('hours=24&parts=48')).functions)
    .toMatchObject([
      { name: 'receipt', calls: 4, errors: 1, p50Ms: 12.5, p95Ms: 12.5 },
      { name: 'hello', calls: 1, errors: 0 },
    ])
  const [receipt, hello] = (await calls('hours=24&parts=48')).functions
  expect(receipt?.parts).toHaveLength(48)
  expect(receipt?.parts.reduce((sum, part) => sum + part.calls, 0)).toBe(4)
  expect(hello?.parts.slice(-3).every((part) => part.calls === 0)).toBe(true)
  expect((await calls('hours=1&parts=60')).functions.map(({ name }) => name)).toEqual(['receipt'])
  expect((await calls('hours=24&parts=48&name=hello')).functions).toMatchObject([{ name: 'hello', calls: 1 }])
  await world.thread.close()
})

test('a function’s log is read by level and text, page by page, newest first', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  const requestId = uuidv7()
  const line = (text: string, level: FunctionLog['level'], name = 'receipt', at = new Date()): FunctionLog => ({
    ...{ at, name, version: 'v1', executionId: 'e1', requestId, kind: 'log' },
    ...{ level, text },
  })
  world.thread.functionLogged(line('one', 'info'))
  world.thread.functionLogged(line('Total is undefined', 'error'))
  world.thread.functionLogged(line('three', 'info'))
  world.thread.functionLogged(line('elsewhere', 'info', 'hello'))
  const logs = async (query: string) =>
    (await world.get(`/function-logs?name=receipt&${query}`)).body as {
      logs: { id: string; text: string }[]
      next: string | null
    }
  const texts = async (query: string) => (await logs(query)).logs.map(({ text }) => text)
  await expect.poll(async () => new Set(await texts(''))).toEqual(new Set(['one', 'Total is undefined', 'three']))
  expect((await logs('level=error')).logs).toMatchObject([{ text: 'Total is undefined', requestId, version: 'v1' }])
  expect(await texts('q=total')).toEqual(['Total is undefined'])
  expect(await texts(`q=${requestId}`)).toHaveLength(3)
  const first = await logs('limit=2')
  const second = await logs(`limit=2&before=${first.next}`)
  expect([...first.logs, ...second.logs].map(({ text }) => text)).toEqual(await texts(''))
  expect(second.next).toBeNull()
  world.thread.functionLogged(line('long ago', 'info', 'receipt', new Date(Date.now() - 3_600_000)))
  await expect.poll(() => texts('q=long')).toEqual(['long ago'])
  expect(await texts(`since=${new Date(Date.now() - 1_800_000).toISOString()}`)).toHaveLength(3)
  expect(await texts(`since=${new Date(Date.now() - 7_200_000).toISOString()}`)).toHaveLength(4)
  expect(await logs('before=gone')).toEqual({ logs: [], next: null })
  await world.thread.close()
})
