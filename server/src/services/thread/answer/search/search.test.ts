import { expect } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { openWorld } from '../../../../../test/thread-world.ts'

const requestId = (number: number): string => `0199a1b2-2222-7000-8000-${String(number).padStart(12, '0')}`
const sessionId = (number: number): string => `0199a1b2-1111-7000-8000-${String(number).padStart(12, '0')}`
const begin = Math.floor(Date.now() / 60_000) * 60_000 - 2 * 3_600_000

interface Page {
  readonly sessions?: readonly { readonly id: string }[]
  readonly requests?: readonly { readonly id: string }[]
  readonly next: string | null
}

test('sessions and requests are found by an id and by part of a path, page after page', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  const request = (number: number, facts: object) => ({
    ...{ id: requestId(number), time: new Date(begin + number * 60_000).toISOString(), session_id: sessionId(number) },
    ...{ service: 'rest', method: 'GET', path: '/rest/v1/orders', status: 200, duration_ms: 5, channel: 'header' },
    ...{ exact: true, role: 'anon', window_id: 'w', distinct_id: `browser-${number}`, writes: true, ...facts },
  })
  await clickhouse.insert('requests', [
    request(1, {}),
    request(2, { path: '/rest/v1/Items' }),
    request(3, {}),
    request(4, { path: '/rest/v1/items/special', session_id: '' }),
    request(5, { path: '/rest/v1/items', status: 503 }),
    request(6, { user_id: '0199a1b2-0000-4000-8000-0000000000aa' }),
    // At one instant with the one before.
    request(7, { time: new Date(begin + 6 * 60_000).toISOString() }),
  ])
  const found = async (path: string): Promise<readonly number[]> => {
    const ids: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page = (await world.get(`${path}${next === '' ? '' : `&before=${next}`}`)).body as Page
      ids.push(...(page.sessions ?? page.requests ?? []).map(({ id }) => id))
      next = page.next
    }
    return ids.map((id) => Number(id.slice(-12)))
  }
  const sessions = (query: string) => found(`/sessions?limit=1&q=${query}`)
  const requests = (query: string) => found(`/requests?limit=1&q=${query}`)

  expect({
    orders: await sessions('ORDERS'),
    items: await sessions('items'),
    failed: await sessions('items&errors=true'),
    browser: await sessions('browser-3'),
    id: await sessions(sessionId(2)),
    request: await sessions(requestId(5)),
    nowhere: await sessions('nowhere'),
    requests: await requests('orders'),
    special: await requests('special'),
    ofItems: await requests('items&status=2xx'),
    ofSession: await requests(sessionId(2)),
    ofBrowser: await requests('browser-3'),
    ofSessionWith: await found(`/requests?limit=1&session=${sessionId(2)}&q=items`),
    nothing: await requests('nowhere'),
  }).toEqual({
    ...{ orders: [6, 7, 3, 1], items: [5, 2], failed: [5], browser: [3], id: [2], request: [5], nowhere: [] },
    ...{ requests: [7, 6, 3, 1], special: [4], ofItems: [4, 2], ofSession: [2], ofBrowser: [3] },
    ...{ ofSessionWith: [2], nothing: [] },
  })

  // So many other paths with the text that they are read back from the last, and not by their names.
  for (const from of [0, 50_000, 100_000, 150_000])
    await clickhouse.command({
      text: `insert into requests (id, time, service, method, path, status, role, channel, exact, writes)
      select concat('0199a1b2-3333-7000-8000-', leftPad(toString(number), 12, '0')),
        fromUnixTimestamp64Milli(toInt64(${begin - 6 * 3_600_000} + number * 100), 'UTC'), 'rest', 'GET', '/bulk/items/orders', 200, 'anon', '', false, true
      from numbers(${from}, 50000)`,
      parameters: {},
    })
  expect(await sessions('ORDERS')).toEqual([6, 7, 3, 1])
  expect(await sessions('items')).toEqual([5, 2])
  const { body } = await world.get('/requests?limit=6&q=orders')
  expect((body as Page).requests?.map(({ id }) => id.slice(-13))).toEqual(
    [7, 6, 3, 1].map((number) => `-${String(number).padStart(12, '0')}`).concat(['-000000199999', '-000000199998']),
  )
  await world.thread.close()
})
