import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  HistoryEntry,
  IssueSummary,
  Overview,
  SessionDetail,
  SessionSummary,
} from '../../console/src/lib/api/schemas.ts'
import { type ConsoleApi, claimOwner, signInOwner } from '../support/console-api.ts'
import { cafeFolder, type Product, startProduct, until } from '../support/product.ts'

let product: Product
let api: ConsoleApi
let sessions: readonly SessionSummary[]
beforeAll(async () => {
  product = await startProduct({ project: cafeFolder, sample: true })
  api = await claimOwner(product)
  await until(() => product.output().includes('sessions of yesterday loaded'))
  sessions = (await api.get<{ sessions: SessionSummary[] }>('/sessions?limit=100')).sessions
})
afterAll(() => product?.close())

const historyOf = async (table: string, id: string | number): Promise<readonly HistoryEntry[]> => {
  const key = encodeURIComponent(JSON.stringify({ id: String(id) }))
  return (await api.get<{ entries: HistoryEntry[] }>(`/data/public/${table}/history?key=${key}`)).entries
}

test('a new café begins with forty visits of yesterday', () => {
  expect(product.output()).toMatch(/40 sessions of yesterday loaded from the sample \d+\.\d s/)
  const [midnight, yesterday] = [new Date(), new Date()]
  midnight.setHours(0, 0, 0, 0)
  yesterday.setHours(-24, 0, 0, 0)
  expect(sessions).toHaveLength(40)
  for (const { startedAt, live } of sessions) {
    expect(Date.parse(startedAt)).toBeGreaterThan(yesterday.getTime())
    expect(Date.parse(startedAt)).toBeLessThan(midnight.getTime())
    expect(live).toBe(false)
  }
})

test('signed-in visitors are named, anonymous ones are not', () => {
  const emails = new Set(sessions.map(({ person }) => person.email))
  for (const name of ['lea', 'ana', 'ben', 'mia', 'sofia']) expect(emails).toContain(`${name}@example.test`)
  expect(emails).toContain(null)
  expect(sessions.filter(({ person }) => person.email === 'lea@example.test').length).toBeGreaterThan(2)
})

test('an order’s click leads to its request, its SQL and its rows, and the row’s history back to it', async () => {
  const { rows } = await query<{ id: string }>(
    `select o.id::text from public.orders o join auth.users u on u.id = o.user_id
     where u.email = 'lea@example.test' order by o.id limit 1`,
  )
  const [created, ...others] = (await historyOf('orders', rows[0]?.id ?? '')).toReversed()
  expect(others).toEqual([])
  if (created?.cause.kind !== 'session') throw new Error(`Not of a session: ${JSON.stringify(created)}`)
  const { sessionId, requestId, atMs } = created.cause
  const detail = await api.get<SessionDetail>(`/sessions/${sessionId}`)
  const click = detail.moments.find(({ kind, label }) => kind === 'click' && label === 'Place order')
  const request = click?.requests.find(({ id }) => id === requestId)
  const path = '/rest/v1/rpc/place_order'
  expect(request).toMatchObject({ method: 'POST', path, status: 200, atMs, link: { exact: true } })
  expect(request?.statements.some(({ text }) => /"public"\."place_order"/.test(text))).toBe(true)
  const lines = ['order_items', 'order_items', 'products', 'products']
  expect(request?.changes.map(({ table }) => table)).toEqual(['orders', 'invoices', ...lines])
  expect(atMs - (click?.atMs ?? Number.NaN)).toBeLessThan(1000)
  // The row tells the time that its history tells, which is when it was made.
  const order = await query<{ created_at: Date }>('select created_at from public.orders where id = $1', [rows[0]?.id])
  const madeAt = order.rows[0]?.created_at.getTime() ?? Number.NaN
  expect(Date.parse(created.change.new?.created_at ?? '')).toBe(madeAt)
  expect(Math.abs(madeAt - Date.parse(request?.at ?? ''))).toBeLessThan(1000)
  expect(await api.getText(`/sessions/${sessionId}/recording`)).toContain('"type":2')
})

test('prices that the page shows were typed by nobody; the one that was changed was', async () => {
  const typed: (readonly string[])[] = []
  for (const { id } of sessions.filter(({ person }) => person.email === 'mia@example.test')) {
    const { moments } = await api.get<SessionDetail>(`/sessions/${id}`)
    typed.push(moments.flatMap(({ kind, label }) => (kind === 'input' && /^Price of/.test(label) ? [label] : [])))
  }
  expect(typed.flat()).toEqual(expect.arrayContaining(['Price of Almond croissant', 'Price of Filter of the day']))
  // The page has eleven prices.
  for (const prices of typed) expect(prices.length).toBeLessThan(4)
})

test('pages of the sample ask this instance for their pictures and fonts', async () => {
  const { id } = sessions.find(({ person }) => person.email === 'lea@example.test') ?? {}
  const lines = (await api.getText(`/sessions/${id}/recording`)).split('\n').filter((line) => line !== '')
  const texts = lines.flatMap((line) => packedTexts(JSON.parse(line)))
  expect(texts.length).toBeGreaterThan(0)
  expect(`${lines.join()} ${texts.join()}`).not.toContain('127.0.0.1:54321')
  expect(texts.join()).toContain(`${product.apiUrl}/assets/fraunces`)
  expect(texts.join()).toContain(`${product.apiUrl}/storage/v1/`)
})

test('visits take minutes, and some baskets are left', async () => {
  const minutes = sessions
    .map(({ startedAt, endedAt }) => (Date.parse(endedAt) - Date.parse(startedAt)) / 60_000)
    .toSorted((a, b) => a - b)
  expect(minutes[20]).toBeGreaterThan(1)
  expect(minutes.at(-1)).toBeGreaterThan(3)
  const count = async (filter: string) =>
    (await api.get<{ sessions: SessionSummary[] }>(`/sessions?limit=100&${filter}`)).sessions.length
  const [baskets, orders] = [await count('q=/basket'), await count('table=public.orders')]
  expect(orders).toBeGreaterThan(15)
  expect(baskets - orders).toBeGreaterThan(5)
})

test('what failed yesterday stands in Errors, with the people who met it', async () => {
  // Late in the day a part of yesterday is more than twenty-four hours ago.
  const { issues } = await api.get<{ issues: IssueSummary[] }>('/errors?range=7d')
  const found = new Map(
    issues.map(({ title, source, people, lastSeenAt }) => [`${source}: ${title}`, { people, lastSeenAt }]),
  )
  const of = (text: string) => [...found].find(([title]) => title.includes(text))?.[1]
  for (const text of ['navigator.share', 'place_order 23514', 'exceeded the maximum', 'rest: 23514'])
    expect([text, of(text)?.people]).toEqual([text, expect.any(Number)])
  expect(of('navigator.share')?.people).toBe(2)
  for (const { lastSeenAt } of found.values())
    expect(Date.parse(lastSeenAt)).toBeLessThan(new Date().setHours(0, 0, 0, 0))
})

test('every sale stands in the products’ histories once, and they end at what the tables say', async () => {
  const { rows } = await query<{ id: string; stock: number; price_cents: number }>(
    'select id::text, stock, price_cents from public.products order by id',
  )
  for (const { id, stock, price_cents } of rows) {
    const entries = await historyOf('products', id)
    for (const { cause } of entries) expect(cause.kind).toBe('session')
    const [newest] = entries
    if (newest !== undefined)
      expect(newest.change.new).toMatchObject({ stock: String(stock), price_cents: String(price_cents) })
    for (const [index, { change }] of entries.entries()) {
      const before = entries[index + 1]?.change.new
      if (before !== undefined)
        expect(change.old).toMatchObject({ stock: before?.stock, price_cents: before?.price_cents })
    }
  }
})

test('today’s counts are zero before the first visit', async () => {
  const overview = await api.get<Overview>('/overview')
  expect(overview).toMatchObject({
    sessionsToday: 0,
    peopleNow: 0,
    requestsLastHour: 0,
    // The bucket of the photographs, and they: the start uploaded them.
    changesLastHour: 12,
    firsts: { requestAt: null, eventAt: null, recordingAt: null },
  })
  expect(overview.latestSessions.length).toBeGreaterThan(0)
})

test('the next start goes on from there, and loads nothing over it', async () => {
  await query(`update public.products set stock = 1000 where name = 'Espresso'`)
  await product.stop()
  product = await startProduct({ project: cafeFolder, sample: true, dataDir: product.dataDir })
  api = await signInOwner(product)
  expect((await api.get<{ sessions: SessionSummary[] }>('/sessions?limit=100')).sessions).toHaveLength(40)
  const { rows } = await query<{ stock: number }>(`select stock from public.products where name = 'Espresso'`)
  expect(rows).toEqual([{ stock: 1000 }])
  expect(product.output()).not.toContain('sessions of yesterday loaded')
})

async function query<Row extends object>(text: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: product.dbUrl })
  await client.connect()
  try {
    return await client.query<Row>(text, [...values])
  } finally {
    await client.end()
  }
}

/** What posthog-js has packed in a recording, unpacked. */
function packedTexts(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return value.startsWith('\u001f\u008b') ? [gunzipSync(Buffer.from(value, 'latin1')).toString()] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(packedTexts) : []
}
