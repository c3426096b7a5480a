import { expect } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { ana, openWorld } from '../../../../../test/thread-world.ts'
import { readSettings } from '../../../../ground/settings/read.ts'
import { threadSettings } from '../../settings.ts'

const minuteMs = 60_000
const order = '0199a1b2-7777-4000-8000-000000000001'

test('requests are found, and counted over time, by all that a filter names', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse, {
    people: {
      byDistinctId: async () => new Map(),
      byUserId: async () => new Map(),
      idsOf: async (id) => (id === order ? { distinctIds: ['browser-3'], userId: ana, email: null } : null),
      distinctIdsMatching: async () => [],
      linkUser: async () => undefined,
    },
  })
  const begin = Math.floor(Date.now() / minuteMs) * minuteMs - 60 * minuteMs
  const timeOf = (number: number): string =>
    new Date(begin + number * minuteMs).toISOString().replace('T', ' ').replace('Z', '')
  const idOf = (number: number): string => `0199a1b2-2222-7000-8000-00000000000${number}`
  const request = (number: number, facts: object = {}) => ({
    ...{ id: idOf(number), time: timeOf(number), session_id: '', window_id: '', channel: '', exact: false },
    ...{ service: 'rest', method: 'GET', path: '/rest/v1/orders', query: '', status: 200, duration_ms: 10 },
    ...{ role: 'anon', distinct_id: '', user_id: '', writes: false, ...facts },
  })
  await clickhouse.insert('requests', [
    request(1, { query: 'select=id&id=eq.1', session_id: 's1', rows: 0 }),
    request(2, { query: 'id=eq.7&select=id&id=lt.9', status: 404, duration_ms: 20 }),
    request(3, { distinct_id: 'browser-3', path: `/storage/v1/object/${order}/7`, service: 'storage' }),
    request(4, {
      user_id: ana,
      path: '/storage/v1/object/0199a1b2-7777-4000-8000-0000000000ff/12',
      service: 'storage',
    }),
    request(5, { method: 'POST', status: 503, writes: true, duration_ms: 900 }),
    request(6, { status: 499, path: '/storage/v1/object/7up', rows: 0 }),
  ])
  await clickhouse.insert('statements', [
    { request_id: idOf(5), ordinal: 0, time: timeOf(5), text: 'select 5', duration_ms: 800, role: 'anon' },
    { request_id: idOf(1), ordinal: 0, time: timeOf(1), text: 'select 1', duration_ms: 3, role: 'anon' },
  ])
  await clickhouse.insert('changes', [
    {
      ...{ commit_time: timeOf(5), lsn: 1, seq: 0, xid: 1, request_id: idOf(5), operation: 'insert' },
      ...{ schema_name: 'public', table_name: 'orders', key: '{"id":"1"}', old: '', new: '{}' },
    },
  ])
  const [{ fingerprint } = { fingerprint: '' }] = await clickhouse.query<{ fingerprint: string }>({
    text: `select toString(fingerprint) as fingerprint from statements where text = 'select 5'`,
    parameters: {},
  })

  const list = async (query: string) => {
    const { body } = await world.get(`/requests?${query}`)
    return body as { requests: { id: string }[]; next: string | null }
  }
  const found = async (query: string): Promise<readonly number[]> => {
    const numbers: number[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page = await list(`limit=2&${query}${next === '' ? '' : `&before=${next}`}`)
      numbers.push(...page.requests.map(({ id }) => Number(id.at(-1))))
      next = page.next
    }
    return numbers
  }
  interface Series {
    readonly requests: number
    readonly parts: { answered: number; redirected: number; refused: number; failed: number }[]
  }
  const series = async (query: string): Promise<Series> => (await world.get(`/request-series?${query}`)).body as Series
  const instant = (number: number) => new Date(begin + number * minuteMs).toISOString()
  for (const [query, expected] of [
    ['', [6, 5, 4, 3, 2, 1]],
    [`from=${instant(3)}`, [6, 5, 4, 3]],
    [`to=${instant(3)}`, [2, 1]],
    [`from=${instant(2)}&to=${instant(5)}`, [4, 3, 2]],
    ['status=error', [5, 2]],
    ['status=4xx', [6, 2]],
    ['method=post', [5]],
    ['service=storage', [4, 3]],
    ['session=s1', [1]],
    ['requestMs=20', [5, 2]],
    ['statementMs=2', [5, 1]],
    [`statementMs=2&to=${instant(3)}`, [1]],
    ['table=public.orders', [5]],
    ['table=public.none', []],
    [`statement=${fingerprint}`, [5]],
    [`person=${order}`, [4, 3]],
    [`person=${ana}`, [4]],
    ['route=/rest/v1/orders&shape=id,select', [2, 1]],
    ['route=/rest/v1/orders&shape=', [5]],
    ['route=/storage/v1/object/:id/:id', [4, 3]],
    ['q=7up', [6]],
    ['empty=true', [1]],
  ] as const) {
    expect([query, await found(query)]).toEqual([query, expected])
    const { requests, parts } = await series(query)
    const inParts = parts.reduce((sum, each) => sum + each.answered + each.redirected + each.refused + each.failed, 0)
    expect([query, requests, inParts]).toEqual([query, expected.length, expected.length])
  }
  // What a request says of itself finds it, and those like it.
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const { body } = await world.get(`/requests/${idOf(number)}`)
    const { route, shape } = (body as { likeness: { route: string; shape: string } }).likeness
    expect(await found(`route=${encodeURIComponent(route)}&shape=${shape}`)).toContain(number)
  }
  for (const query of ['status=6xx', 'from=yesterday', 'person=1', 'table=orders', 'statement=x', 'requestMs=0'])
    expect([query, (await world.get(`/request-series?${query}`)).status]).toEqual([query, 400])
  expect(await series(`from=${instant(0)}&to=${instant(60)}`)).toMatchObject({
    ...{ from: instant(0), to: instant(60), isCut: false, partMs: 30_000, requests: 6, errors: 2 },
    ...{ p50Ms: 10, parts: { length: 120, 2: { answered: 1 }, 4: { refused: 1 }, 10: { failed: 1, p95Ms: 900 } } },
  })
  expect(await series(`to=${instant(1)}`)).toMatchObject({ requests: 0, p50Ms: null, p95Ms: null })
  await world.thread.close()
})

test('of more requests than the setting allows the newest are counted, and the answer says so', async ({
  db,
  clickhouse,
}) => {
  const settings = { ...readSettings(threadSettings, []).values, chartedRequests: 3 }
  const world = await openWorld(db, clickhouse, { settings })
  const begin = Math.floor(Date.now() / 1000) * 1000 - 60 * minuteMs
  const at = (second: number): Date => new Date(begin + second * 1000)
  for (let second = 0; second < 10; second += 1)
    await world.call('select 1', { at: at(second), method: 'GET', status: 200 })
  const path = `/request-series?from=${at(0).toISOString()}&to=${at(10).toISOString()}`
  await expect
    .poll(async () => (await world.get(path)).body)
    .toMatchObject({ requests: 4, isCut: true, from: at(6).toISOString() })
  await world.thread.close()
})
