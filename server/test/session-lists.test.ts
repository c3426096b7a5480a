import { expect } from 'vitest'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { analyticsTables } from '../src/services/analytics/index.ts'
import { createEventStore } from '../src/services/analytics/store.ts'
import { createReplay, replayTables } from '../src/services/replay/index.ts'
import { test as base } from './harness.ts'
import {
  beginMs,
  type Facts,
  factsOf,
  type History,
  historiesOf,
  hourMs,
  hours,
  numbersOf,
  rushMs,
  storeHistories,
} from './session-histories.ts'
import { noEvents, openWorld } from './thread-world.ts'

const rushInstant = rushMs + 45_000
const iso = (ms: number): string => new Date(ms).toISOString()

/** Each filter, and which sessions fit it. */
const filters: readonly (readonly [query: string, fits: (facts: Facts) => boolean])[] = [
  ['', () => true],
  ['errors=true', ({ hasErrors }) => hasErrors],
  ['status=404', ({ requests }) => requests.some(({ status }) => status === 404)],
  ['status=5xx', ({ requests }) => requests.some(({ status }) => status >= 500)],
  ['status=418', () => false],
  ['requestMs=500', ({ requests }) => requests.some(({ durationMs }) => durationMs >= 500)],
  ['statementMs=500', ({ requests }) => requests.some(({ statementMs }) => statementMs >= 500)],
  ['table=public.orders', ({ requests }) => requests.some(({ table }) => table === 'orders')],
  ['seconds=60', ({ durationMs }) => durationMs >= 60_000],
  ['seconds=36000', ({ durationMs }) => durationMs >= 36_000_000],
  ['country=PT', ({ country }) => country === 'PT'],
  ['flag=checkout%3Dtest', ({ flag }) => flag === 'checkout=test'],
  [
    'errors=true&country=DE&seconds=60',
    (facts) => facts.hasErrors && facts.country === 'DE' && facts.durationMs >= 60_000,
  ],
  [`from=${iso(rushInstant)}`, ({ startMs }) => startMs >= rushInstant],
  [
    `to=${iso(rushInstant)}&status=2xx`,
    ({ startMs, requests }) => startMs < rushInstant && requests.some(({ status }) => status < 300),
  ],
]

const test = base.extend('lists', async ({ db, clickhouse }, { onCleanup }) => {
  for (const { name, clickhouse: folder } of [analyticsTables, replayTables]) await clickhouse.migrate(name, folder)
  let sent = 0
  const counting: ClickHouse = {
    ...clickhouse,
    query: (...asked) => {
      sent += 1
      return clickhouse.query(...asked)
    },
  }
  const events = { ...noEvents, ...createEventStore(counting, { exceptionsPerSession: 20 }) }
  const recordings = createReplay({ clickhouse: counting, settings: { errorsPerSession: 20, outlinedMessages: 1000 } })
  const { thread, get } = await openWorld(db, counting, { events, recordings })
  onCleanup(thread.close)
  let number = 0
  return {
    /** How many statements ClickHouse was asked so far. */
    sent: () => sent,
    store: (histories: readonly History[]) => storeHistories(clickhouse, histories, () => ++number),
    page: async (query: string) =>
      ((await get(`/sessions?${query}`)).body as { readonly sessions: readonly Listed[] }).sessions,
    /** Every page of a list, one after another; `turned` is called between them. */
    async pages(query: string, turned: () => Promise<void> = async () => undefined): Promise<readonly Listed[]> {
      const found: Listed[] = []
      for (let next: string | null = ''; next !== null; await turned()) {
        const { status, body } = await get(`/sessions?${query}${next === '' ? '' : `&before=${next}`}`)
        expect(status, query).toBe(200)
        const page = body as { readonly sessions: readonly Listed[]; readonly next: string | null }
        found.push(...page.sessions)
        next = page.next
      }
      return found
    },
  }
})

interface Listed {
  readonly id: string
  readonly startedAt: string
  readonly durationMs: number
}

/** The newest first; those of one instant in any order, which is that of their ids here. */
const inOrder = (listed: readonly Listed[]): readonly string[] =>
  listed
    .map(({ startedAt, id }) => ({ startMs: Date.parse(startedAt), id }))
    .map(({ startMs, id }, index, all) => {
      // A page that is out of order is not put right here.
      expect(startMs, id).toBeLessThanOrEqual(all[index - 1]?.startMs ?? Number.POSITIVE_INFINITY)
      return { startMs, id }
    })
    .toSorted((a, b) => b.startMs - a.startMs || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)

const expectedOf = (histories: readonly History[], fits: (facts: Facts) => boolean): readonly string[] =>
  histories
    .map(factsOf)
    .filter(fits)
    .toSorted((a, b) => b.startMs - a.startMs || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)

test('every session stands once in a list that it fits, page after page', { timeout: 240_000 }, async ({ lists }) => {
  const histories = historiesOf(1)
  // In several parts, and not in the order of their time.
  for (const part of [0, 1, 2]) await lists.store(histories.filter((_, index) => index % 3 === part))
  for (const [query, fits] of filters) {
    // Small pages end within the rush.
    const limit = query.startsWith('to=') ? 10 : query.startsWith('seconds') ? 30 : 100
    const listed = inOrder(await lists.pages(`limit=${limit}&${query}`))
    expect([query, listed]).toEqual([query, expectedOf(histories, fits)])
  }
})

test('a page that was looked for before is found at once, and read once', async ({ lists }) => {
  await lists.store(historiesOf(5))
  for (const query of [
    '',
    'errors=true',
    'status=2xx',
    'table=public.orders',
    'flag=checkout%3Dtest',
    `to=${iso(rushInstant)}`,
  ]) {
    await lists.page(`limit=10&${query}`)
    const before = lists.sent()
    expect(await lists.page(`limit=10&${query}`)).toHaveLength(10)
    // Where it is in three sources, what it comes to in four statements, who was deleted, and three of what was done.
    expect(lists.sent() - before, query).toBeLessThanOrEqual(11)
  }
})

test('sessions that stand close to one another take no more statements than others', async ({ lists }) => {
  // Six a minute and at last one a second; their sources see them seconds apart, and all of them fail.
  const close = Array.from({ length: 400 }, (_, number): History => {
    const startMs = beginMs + (number < 300 ? number * 10 : 2700 + number) * 1000
    const request = { ms: startMs + ((number * 7) % 9) * 1000, durationMs: 3, statementMs: 0, status: 404, table: null }
    const firstMs = startMs + (number % 10) * 1000
    return {
      ...{ id: `close-${number}`, country: '', flag: null },
      events: [{ ms: startMs, isException: true }],
      messages: [{ firstMs, lastMs: firstMs, errors: 0 }],
      requests: [request],
    }
  })
  await lists.store(close)
  const middle = beginMs + 2_000_000
  for (const [query, first] of [
    ['limit=8', 399],
    [`limit=50&errors=true&before=${iso(middle)}`, 199],
  ] as const) {
    await lists.page(query)
    const before = lists.sent()
    const page = await lists.page(query)
    expect(lists.sent() - before, query).toBeLessThanOrEqual(11)
    expect(page.map(({ id }) => id)).toEqual(
      Array.from({ length: query.startsWith('limit=8') ? 8 : 50 }, (_, index) => `close-${first - index}`),
    )
  }
})

test('sessions that go on, begin or arrive late while pages are turned keep no other from its place', async ({
  lists,
}) => {
  const histories = historiesOf(3)
  await lists.store(histories)
  const random = numbersOf(4)
  let turned = 0
  const listed = await lists.pages('limit=30', async () => {
    turned += 1
    // Each page one goes on, one begins now, and one comes late that began between those which are listed or not yet.
    const one = histories[Math.floor(random() * histories.length)]
    const event = (ms: number) => [{ ms, isException: false }]
    const none = { country: '', flag: null, messages: [], requests: [] }
    await lists.store([
      ...(one === undefined ? [] : [{ ...one, messages: [], requests: [], events: event(Date.now()) }]),
      { ...none, id: `new-${turned}`, events: event(Date.now()) },
      { ...none, id: `late-${turned}`, events: event(beginMs + Math.floor(random() * hours * hourMs)) },
    ])
  })
  const ids = inOrder(listed)
  expect(new Set(ids).size).toBe(ids.length)
  const known = new Set(histories.map(({ id }) => id))
  expect(ids.filter((id) => known.has(id))).toEqual(expectedOf(histories, () => true))
})
