import { expect } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { openWorld } from '../../../../../test/thread-world.ts'
import { uuidv7 } from '../../../../ground/ids/uuidv7.ts'
import type { SlowStatement } from '../../schemas/slow-statement.ts'

const minuteMs = 60_000

test('statements are told with their calls and with who waited for them', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  const begin = Math.floor(Date.now() / minuteMs) * minuteMs - 60 * minuteMs
  const timeOf = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
  const requests: object[] = []
  const statements: object[] = []
  const call = (
    minute: number,
    calls: readonly (readonly [text: string, ms: number, code?: string])[],
    who: object,
  ) => {
    const atMs = begin + minute * minuteMs
    const id = uuidv7(atMs)
    requests.push({
      ...{ id, time: timeOf(atMs), session_id: '', window_id: '', channel: '', exact: false, service: 'rest' },
      ...{ method: 'GET', path: '/rest/v1/orders', query: '', status: 200, duration_ms: 10, role: 'anon' },
      ...{ distinct_id: '', user_id: '', writes: false, ...who },
    })
    for (const [ordinal, [text, ms, error_code = '']] of calls.entries())
      statements.push({
        ...{ request_id: id, ordinal, time: timeOf(atMs + ordinal), text, duration_ms: ms, role: 'anon', rows: 2 },
        error_code,
      })
  }
  call(
    1,
    [
      ['select slow', 900],
      ['select quick', 1],
    ],
    { session_id: 's1', user_id: 'ana', distinct_id: 'b1' },
  )
  call(2, [['select slow', 100, '57014']], { session_id: 's1', distinct_id: 'b1' })
  call(3, [['select slow', 500]], { session_id: 's2', user_id: 'ana', service: 'storage' })
  for (let minute = 4; minute < 10; minute += 1) call(minute, [['select often', 200]], { distinct_id: `b${minute}` })
  call(50, [['select late', 5000]], {})
  await clickhouse.insert('requests', requests)
  await clickhouse.insert('statements', statements)

  const slow = async (query: string, role?: 'viewer') => {
    const { status, body } = await world.get(`/slow-statements?${query}`, role)
    return { status, statements: (body as { statements?: SlowStatement[] }).statements ?? [] }
  }
  const instant = (minute: number) => new Date(begin + minute * minuteMs).toISOString()
  const texts = async (query: string) => (await slow(query)).statements.map(({ text }) => text)
  const stretch = `from=${instant(0)}&to=${instant(20)}`
  expect(await texts(stretch)).toEqual(['select slow', 'select often', 'select quick'])
  expect(await texts(`${stretch}&order=calls`)).toEqual(['select often', 'select slow', 'select quick'])
  expect(await texts(`${stretch}&order=p95`)).toEqual(['select slow', 'select often', 'select quick'])
  expect(await texts(`from=${instant(0)}&limit=1`)).toEqual(['select late'])
  expect(await texts(`from=${instant(3)}&to=${instant(5)}`)).toEqual(['select slow', 'select often'])

  const [first] = (await slow(stretch)).statements
  expect(first).toMatchObject({
    ...{ calls: 3, errors: 1, totalMs: 1500, p50Ms: 500, maxMs: 900, rows: 6, sessions: 2, people: 2 },
    ...{ role: 'anon', services: ['rest', 'storage'], latestAt: instant(3) },
  })
  const { body } = await world.get(`/requests?statement=${first?.fingerprint}`)
  expect((body as { requests: unknown[] }).requests).toHaveLength(3)
  expect((await slow(stretch, 'viewer')).status).toBe(403)
  expect((await slow('from=yesterday')).status).toBe(400)
  await world.thread.close()
})
