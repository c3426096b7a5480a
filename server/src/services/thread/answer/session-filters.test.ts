import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openWorld } from '../../../../test/thread-world.ts'

const hourMs = 3_600_000
const idOf = (session: number, part: number): string => `0199a1b2-2222-7000-8000-0000000000${session}${part}`
const sessionOf = (number: number): string => `0199a1b2-1111-7000-8000-00000000000${number}`

test('sessions are found by when they began, how long they took, and by what one of their requests was like', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse)
  const begin = Date.now() - 10 * hourMs
  const timeOf = (session: number, part: number) =>
    new Date(begin + session * hourMs + part * 60_000).toISOString().replace('T', ' ').replace('Z', '')
  const request = (session: number, part: number, facts: object = {}) => ({
    ...{ id: idOf(session, part), time: timeOf(session, part), session_id: sessionOf(session), window_id: 'w' },
    ...{ service: 'rest', method: 'GET', path: '/rest/v1/orders', status: 200, duration_ms: 5, channel: 'header' },
    ...{ exact: true, role: 'anon', distinct_id: `browser-${session}`, writes: false, ...facts },
  })
  await clickhouse.insert('requests', [
    request(1, 0, { status: 404 }),
    request(2, 0),
    request(2, 5, { status: 503, duration_ms: 900 }),
    request(3, 0),
    request(3, 1, { writes: true, method: 'POST', status: 201 }),
    request(4, 0),
  ])
  await clickhouse.insert('statements', [
    { request_id: idOf(2, 5), ordinal: 0, time: timeOf(2, 5), text: 'select 1', duration_ms: 800, role: 'anon' },
    { request_id: idOf(4, 0), ordinal: 0, time: timeOf(4, 0), text: 'select 1', duration_ms: 3, role: 'anon' },
  ])
  await clickhouse.insert('changes', [
    {
      ...{ commit_time: timeOf(3, 1), lsn: 1, seq: 0, xid: 1, request_id: idOf(3, 1), operation: 'insert' },
      ...{ schema_name: 'public', table_name: 'or.ders', key: '{"id":"1"}', old: '', new: '{}' },
    },
  ])
  const found = async (query: string): Promise<readonly number[]> => {
    const sessions: { id: string }[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await world.get(`/sessions?limit=1&${query}${next === '' ? '' : `&before=${next}`}`)
      const page = body as { next: string | null; sessions: { id: string }[] }
      sessions.push(...page.sessions)
      next = page.next
    }
    return sessions.map(({ id }) => Number(id.at(-1)))
  }
  const instant = (session: number) => new Date(begin + session * hourMs + 1800_000).toISOString()
  expect(await found('')).toEqual([4, 3, 2, 1])
  for (const [query, expected] of [
    [`from=${instant(1)}`, [4, 3, 2]],
    [`to=${instant(2)}`, [2, 1]],
    [`from=${instant(1)}&to=${instant(2)}`, [2]],
    ['status=404', [1]],
    ['status=5xx', [2]],
    ['status=2xx', [4, 3, 2]],
    ['status=4xx&errors=true', [1]],
    ['requestMs=500', [2]],
    ['requestMs=5', [4, 3, 2, 1]],
    ['statementMs=2', [4, 2]],
    ['statementMs=500&status=503', [2]],
    // One request is all of it.
    ['statementMs=500&status=200', []],
    ['table=public.or.ders', [3]],
    ['table=public.none', []],
    ['seconds=100', [2]],
    [`status=2xx&to=${instant(3)}`, [3, 2]],
    ['country=PT', []],
    ['q=browser-2&status=5xx', [2]],
    ['q=browser-3&status=5xx', []],
  ] as const)
    expect([query, await found(query)]).toEqual([query, expected])
  expect((await world.get('/sessions?status=6xx')).status).toBe(400)

  const ordered = async (query: string) => {
    const { body } = await world.get(`/sessions?${query}`)
    const { sessions, next, ranked } = body as {
      readonly sessions: readonly { readonly id: string; readonly slowestMs?: number | null }[]
      readonly next: string | null
      readonly ranked: { readonly sessions: number; readonly since: string | null } | null
    }
    expect(next).toBeNull()
    return {
      numbers: sessions.map(({ id }) => Number(id.at(-1))),
      slowest: sessions.map((one) => one.slowestMs),
      ranked,
    }
  }
  for (const [query, expected] of [
    ['sort=longest', [2, 3, 4, 1]],
    ['sort=longest&limit=2', [2, 3]],
    ['sort=longest&status=2xx', [2, 3, 4]],
    [`sort=longest&from=${instant(1)}&to=${instant(3)}`, [2, 3]],
    ['sort=longest&q=browser-2', [2]],
    ['sort=errors', [2, 1]],
    ['sort=statement', [2, 4, 3, 1]],
    ['sort=statement&status=404', [1]],
  ] as const)
    expect([query, (await ordered(query)).numbers]).toEqual([query, expected])
  const whole = { sessions: 4, since: new Date(begin + hourMs).toISOString() }
  expect((await ordered('sort=statement&limit=3')).slowest).toEqual([800, 3, null])
  expect((await ordered('sort=longest')).ranked).toEqual(whole)
  expect((await world.get('/sessions?sort=newest')).body).toMatchObject({ ranked: null })
  expect((await world.get('/sessions?sort=shortest')).status).toBe(400)
  const sentences = async (role?: 'analyst') => {
    const { body } = await world.get('/sessions', role)
    return (body as { sessions: { sentence: string | null }[] }).sessions.map(({ sentence }) => sentence)
  }
  const others = ['Got 503 from orders', 'Got 404 from orders']
  expect(await sentences()).toEqual([null, 'Added or.ders #1', ...others])
  expect(await sentences('analyst')).toEqual([null, 'Added a row of or.ders', ...others])
  await world.thread.close()
})
