import { expect } from 'vitest'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { analyticsTables } from '../src/services/analytics/index.ts'
import { createEventStore } from '../src/services/analytics/store.ts'
import { createReplay, replayTables } from '../src/services/replay/index.ts'
import { test as base } from './harness.ts'
import { noEvents, openWorld } from './thread-world.ts'

const hourMs = 3_600_000
const hours = 40
const beginMs = Math.floor(Date.now() / hourMs) * hourMs - (hours + 2) * hourMs
/** So many sessions of a minute and a half that no page has place for all that may have begun a little later. */
const sessionsOfRush = 200

/** Numbers from 0 to 1 that look random and are those of a seed. */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Event {
  readonly ms: number
  readonly isException: boolean
}

interface Message {
  readonly firstMs: number
  readonly lastMs: number
  readonly errors: number
}

interface Request {
  readonly ms: number
  readonly durationMs: number
  readonly status: number
  readonly statementMs: number
  readonly table: string | null
}

/** What one session left in each source. */
interface History {
  readonly id: string
  readonly country: string
  readonly flag: string | null
  readonly events: readonly Event[]
  readonly messages: readonly Message[]
  readonly requests: readonly Request[]
}

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i))

/** A session that its sources saw within `apartMs` of its begin, one after another, up to a day. */
function historyOf(id: string, startMs: number, apartMs: number, random: () => number): History {
  const pick = <T>(values: readonly [T, ...T[]]): T => values[Math.floor(random() * values.length)] ?? values[0]
  const longMs = pick([0, 20_000, 90_000, 40 * 60_000, 20 * hourMs])
  const seen = (share: number, most: number): readonly number[] => {
    if (random() > share) return []
    const firstMs = startMs + Math.floor(random() * apartMs)
    return times(1 + Math.floor(random() * most), (i) => (i === 0 ? firstMs : firstMs + Math.floor(random() * longMs)))
  }
  const isFailing = random() < 0.3
  const events = seen(0.8, 4).map((ms, index) => ({ ms, isException: index > 0 && isFailing && random() < 0.5 }))
  const messages = seen(0.6, 3).map((firstMs) => ({
    ...{ firstMs, lastMs: firstMs + Math.floor(random() * 1000) },
    errors: isFailing && random() < 0.4 ? 1 : 0,
  }))
  const requests = seen(events.length + messages.length === 0 ? 1 : 0.7, 4).map((ms) => ({
    ...{ ms, durationMs: pick([3, 40, 900]), statementMs: pick([0, 2, 700]) },
    status: isFailing ? pick([200, 404, 503]) : pick([200, 201]),
    table: pick([null, 'orders', 'items']),
  }))
  return {
    ...{ id, events, messages, requests },
    country: events.length === 0 ? '' : pick(['', 'PT', 'DE']),
    flag: events.length === 0 ? null : pick([null, null, 'checkout=test', 'checkout=control']),
  }
}

/** Sessions of some days, a rush among them, and some that began at one instant. */
function historiesOf(seed: number): readonly History[] {
  const random = numbersOf(seed)
  const idOf = (kind: string, number: number) => `${kind}-${seed}-${String(number).padStart(6, '0')}`
  const rushMs = beginMs + 31 * hourMs
  return [
    ...times(70, (i) => historyOf(idOf('any', i), beginMs + Math.floor(random() * hours * hourMs), 5 * 60_000, random)),
    ...times(sessionsOfRush, (i) => historyOf(idOf('rush', i), rushMs + Math.floor(random() * 90_000), 2000, random)),
    ...times(12, (i) => historyOf(idOf('once', i), beginMs + 7 * hourMs, 1, random)),
  ]
}

const at = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
const uuid = (number: number): string => `0199a1b2-0000-4000-8000-${String(number).padStart(12, '0')}`

/** What is found in a session; the obvious way. */
function factsOf({ events, messages, requests, ...rest }: History) {
  const starts = [...events, ...requests].map(({ ms }) => ms).concat(messages.map(({ firstMs }) => firstMs))
  const ends = [
    ...events.map(({ ms }) => ms),
    ...messages.map(({ lastMs }) => lastMs),
    ...requests.map(({ ms, durationMs }) => ms + durationMs),
  ]
  const startMs = Math.min(...starts)
  return {
    ...{ ...rest, events, messages, requests, startMs, durationMs: Math.max(...ends) - startMs },
    hasErrors:
      events.some(({ isException }) => isException) ||
      messages.some(({ errors }) => errors > 0) ||
      requests.some(({ status }) => status >= 400),
  }
}

type Facts = ReturnType<typeof factsOf>

const rushInstant = beginMs + 31 * hourMs + 45_000
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

async function store(clickhouse: ClickHouse, histories: readonly History[], newNumber: () => number): Promise<void> {
  const rows = histories.flatMap((history) => {
    const browser = { session_id: history.id, window_id: 'w', distinct_id: `browser-of-${history.id}` }
    return {
      events: history.events.map(({ ms, isException }, index) => ({
        ...{ ...browser, uuid: uuid(newNumber()), timestamp: at(ms), client_time: at(ms), received_at: at(ms) },
        event: isException ? '$exception' : index === 0 && history.flag !== null ? '$feature_flag_called' : '$pageview',
        properties: {
          ...(history.country !== '' && { $geoip_country_code: history.country }),
          ...(isException && { $exception_message: 'x is not a function' }),
          ...(history.flag !== null && { $feature_flag: 'checkout', $feature_flag_response: history.flag.slice(9) }),
        },
      })),
      snapshots: history.messages.map(({ firstMs, lastMs, errors }) => ({
        ...{
          ...browser,
          uuid: uuid(newNumber()),
          first_ts: firstMs,
          last_ts: lastMs,
          sent_at: lastMs,
          received_at: lastMs,
        },
        ...{ console_errors: errors, data: '[]' },
      })),
      requests: history.requests.map((request) => ({ ...request, browser, id: uuid(newNumber()), lsn: newNumber() })),
    }
  })
  await clickhouse.insert(
    'events',
    rows.flatMap(({ events }) => events),
  )
  await clickhouse.insert(
    'snapshots',
    rows.flatMap(({ snapshots }) => snapshots),
  )
  const requests = rows.flatMap((row) => row.requests)
  await clickhouse.insert(
    'requests',
    requests.map(({ id, browser, ms, durationMs, status, table }) => ({
      ...{ ...browser, id, time: at(ms), duration_ms: durationMs, status, writes: table !== null },
      ...{ service: 'rest', method: 'GET', path: '/rest/v1/orders', channel: 'header', exact: true, role: 'anon' },
    })),
  )
  await clickhouse.insert(
    'statements',
    requests.map(({ id, ms, statementMs }) => ({
      ...{ request_id: id, ordinal: 0, time: at(ms), text: 'select 1', duration_ms: statementMs, role: 'anon' },
    })),
  )
  await clickhouse.insert(
    'changes',
    requests.flatMap(({ id, ms, table, lsn }) =>
      table === null
        ? []
        : [
            {
              ...{ commit_time: at(ms), lsn, seq: 0, xid: 1, request_id: id, operation: 'insert' },
              ...{ schema_name: 'public', table_name: table, key: `{"id":"${lsn}"}`, old: '', new: '{}' },
            },
          ],
    ),
  )
}

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
  const recordings = createReplay({ clickhouse: counting, settings: { errorsPerSession: 20 } })
  const { thread, get } = await openWorld(db, counting, { events, recordings })
  onCleanup(thread.close)
  let number = 0
  return {
    /** How many statements ClickHouse was asked so far. */
    sent: () => sent,
    store: (histories: readonly History[]) => store(clickhouse, histories, () => ++number),
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
