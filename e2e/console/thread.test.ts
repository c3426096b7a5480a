import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type {
  HistoryEntry,
  Moment,
  RequestMoment,
  SessionDetail,
  SessionSummary,
} from '../../console/src/lib/api/schemas.ts'
import { keepEvidence } from '../support/browser.ts'
import type { ConsoleApi } from '../support/console-api.ts'
import { openRow } from '../support/grid.ts'
import { until } from '../support/product.ts'
import { headingShown, pageShown } from '../support/recorded-page.ts'
import { nora, picture, type Story, tellStory } from '../support/thread-story.ts'

const closeMs = 100

describe('the thread, from a click in the café to the row and back', () => {
  let story: Story
  beforeAll(async () => {
    story = await tellStory()
  }, 240_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, story.console, story.product.output())
  })
  afterAll(async () => {
    await story?.browser.close()
    await story?.product.close()
  })

  test('welcome ticks the first request, event and recording as they come', async () => {
    const { console, signsBefore } = story
    expect(signsBefore.match(/waiting/g)).toHaveLength(3)
    await console.goto(`${story.product.consoleUrl}/welcome`)
    const signs = console.getByRole('region', { name: 'First data' })
    await signs.getByRole('link', { name: /^Watch the/ }).waitFor()
    expect(await signs.textContent()).not.toContain('waiting')
  })

  test('the sessions are listed by the names of those who signed in; without a call to identify()', async () => {
    const { console, product, api } = story
    await console.goto(product.consoleUrl)
    await console.getByRole('link', { name: /Ana Ferreira/ }).waitFor()
    await console.getByRole('link', { name: 'Sessions', exact: true }).click()
    const rows = console.getByRole('table', { name: 'Sessions' }).getByRole('row')
    for (const [name, email] of [
      [nora.name, nora.email],
      ['Mia Lindqvist', 'mia@example.test'],
      ['Ana Ferreira', 'ana@example.test'],
    ] as const) {
      const row = rows.filter({ hasText: name })
      await row.waitFor()
      expect(await row.textContent()).toContain(email)
      const { moments } = await openSession(api, email)
      expect(moments.filter(({ label }) => label === '$identify')).toEqual([])
    }
  })

  test('the click, its call, statements and rows stand within 100 ms of the frame and of when they happened', async () => {
    const { api } = story
    const { session, click, order } = await theOrder(api)
    const startMs = Date.parse(session.startedAt)
    const clicked = story.nora.clicks.find(({ text }) => text === 'Place order')?.at ?? Number.NaN
    const call = story.nora.answers.find(({ id }) => id === order.id)
    const asked = call?.askedAt ?? Number.NaN
    const answered = call?.answeredAt ?? Number.NaN
    const frames = recordedClicks(await api.getText(`/sessions/${session.id}/recording`))
    const frame = frames.find((at) => Math.abs(at - clicked) <= closeMs) ?? Number.NaN
    expect(Math.abs(startMs + click.atMs - frame)).toBeLessThanOrEqual(closeMs)
    expect(Math.abs(startMs + click.atMs - clicked)).toBeLessThanOrEqual(closeMs)
    // A busy machine may take its time from the click to the call, and from there to the server; the timeline may not
    // add to it.
    expect(startMs + order.atMs).toBeGreaterThanOrEqual(asked - closeMs)
    expect(startMs + order.atMs).toBeLessThanOrEqual(answered + closeMs)
    expect(order.atMs - click.atMs).toBeGreaterThanOrEqual(0)
    expect(order.atMs - click.atMs).toBeLessThanOrEqual(answered - clicked + closeMs)
    const { at, durationMs, statements, changes } = order
    const beganAt = Date.parse(at)
    const times = [...statements.map(({ startedAt }) => startedAt), ...changes.map((change) => change.at)]
    expect(times.length).toBeGreaterThan(1)
    for (const time of times.map((text) => Date.parse(text))) {
      expect(time).toBeGreaterThanOrEqual(beganAt)
      expect(time).toBeLessThanOrEqual(beganAt + durationMs + 1)
    }
  })

  test('every call of a session is tied to it exactly, and none of another', async () => {
    const { api } = story
    for (const [visit, email] of [
      [story.nora, nora.email],
      [story.mia, 'mia@example.test'],
      [story.ana, 'ana@example.test'],
    ] as const) {
      const { moments } = await openSession(api, email)
      const all = moments.flatMap((moment) => moment.requests)
      // What a function asked for a call is of the call's session, and its browser knows nothing of it.
      const [requests, ofFunctions] = [all.filter(({ causeId }) => !causeId), all.filter(({ causeId }) => causeId)]
      for (const { link } of ofFunctions) expect(link).toMatchObject({ channel: 'function', exact: true })
      expect(requests.map(({ id }) => id).toSorted()).toEqual(visit.answers.map(({ id }) => id).toSorted())
      for (const { method, path, status, link } of requests) {
        expect({ method, path, status, link }).toMatchObject({ link: { exact: true } })
      }
      // A page's pictures carry no header of posthog-js.
      const [atLoading, ...later] = requests.filter(({ path }) => !path.includes('/render/image/'))
      expect(['header', 'cookie']).toContain(atLoading?.link.channel)
      expect(new Set(later.map(({ link }) => link.channel))).toEqual(new Set(['header']))
      expect(visit.complaints).toEqual([])
    }
  })

  test('the click’s request, its statements and the rows stand under it, with their values', async () => {
    const { console, product, api } = story
    const { session, order } = await theOrder(api)
    const path = '/rest/v1/rpc/place_order'
    expect(order).toMatchObject({ method: 'POST', path, status: 200, link: { channel: 'header' } })
    expect(order.statements.some(({ text }) => /"public"\."place_order"/.test(text))).toBe(true)
    // One transaction, in the order of its log.
    expect(order.changes.map(({ table, operation }) => [operation, table])).toEqual([
      ['insert', 'orders'],
      ['insert', 'invoices'],
      ['insert', 'order_items'],
      ['insert', 'order_items'],
      ['update', 'products'],
      ['update', 'products'],
    ])
    expect(order.changes[0]?.new).toMatchObject({ id: '801', total_cents: '1020', status: 'new' })
    expect(order.changes[1]?.new).toMatchObject({ id: '5001', order_id: '801', total_cents: '1020' })
    const croissant = order.changes.find(({ table, old }) => table === 'products' && old?.stock === '12')
    expect(croissant).toMatchObject({ operation: 'update', columns: ['stock'], new: { stock: '10' } })

    await console.goto(`${product.consoleUrl}/sessions/${session.id}`)
    await console.getByRole('heading', { name: nora.name }).waitFor()
    await console.getByPlaceholder(/filter/i).fill('place order')
    const moment = console
      .getByRole('list', { name: 'Thread' })
      .getByRole('listitem')
      .filter({ hasText: 'Place order' })
    await moment.getByRole('button', { name: 'Click Place order' }).click()
    await moment.getByText('invoices #5001').waitFor()
    const text = (await moment.textContent()) ?? ''
    const at = (part: RegExp): number => text.search(part)
    const places = [
      at(/Click Place order/),
      at(/POST\s*\/rest\/v1\/rpc\/place_order/),
      at(/200\s*\d+(\.\d)? ms/),
      at(/place_order\(lines := /),
      at(/orders #801\s*total_cents 1020, status new/),
      at(/invoices #5001\s*total_cents 1020/),
      at(/order_items #\d+\s*quantity 2, unit_price_cents 320/),
      at(/products #\d+\s*stock 12 → 10/),
    ]
    expect(places, text).not.toContain(-1)
    expect(places, text).toEqual(places.toSorted((a, b) => a - b))
  })

  test('the order’s click called a function; what that asked, said and wrote stands under its call', async () => {
    const { console, product, api } = story
    const { session, click } = await theOrder(api)
    const call = click.requests.find(({ path }) => path === '/functions/v1/receipt')
    expect(call).toMatchObject({ method: 'POST', service: 'functions', status: 200, link: { channel: 'header' } })
    const asked = click.requests.filter(({ causeId }) => causeId === call?.id)
    expect(asked.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/rest/v1/orders', 200],
      ['POST', '/rest/v1/receipts', 201],
    ])
    expect(asked[1]?.changes).toMatchObject([
      { table: 'receipts', operation: 'insert', new: { order_id: '801', total_cents: '1020', tax_cents: '117' } },
    ])
    expect(call?.logs.filter(({ kind }) => kind === 'log')).toMatchObject([
      { level: 'info', text: 'writes the receipt { order_id: 801, total_cents: 1020, tax_cents: 117 }' },
    ])

    await console.goto(`${product.consoleUrl}/sessions/${session.id}`)
    await console.getByPlaceholder(/filter/i).fill('place order')
    const moment = console.getByRole('list', { name: 'Thread' }).getByRole('listitem')
    await moment.getByRole('button', { name: 'Click Place order' }).click()
    await moment.getByText('receipts #801').waitFor()
    const text = (await moment.filter({ hasText: 'Place order' }).textContent()) ?? ''
    const places = [/POST\s*\/functions\/v1\/receipt/, /writes the receipt/, /receipts #801\s*total_cents 1020/]
    const found = places.map((part) => text.search(part))
    expect(found, text).not.toContain(-1)
    expect(found, text).toEqual(found.toSorted((a, b) => a - b))
    await story.nora.page.getByText('Receipt R-801, € 1.17 of it tax').waitFor()
  })

  test('seeking to the click shows the page as it was before the order', async () => {
    const { console, product, api } = story
    const { session, click, moments } = await theOrder(api)
    const address = `${product.consoleUrl}/sessions/${session.id}`
    await console.goto(address)
    await console.getByPlaceholder(/filter/i).fill('place order')
    await console.getByRole('button', { name: 'Click Place order' }).click()
    await until(async () => (await headingShown(console)) === 'Your basket')
    expect(await pageShown(console)).toContain('Place order')
    await until(() => new URL(console.url()).searchParams.get('t') === String(click.atMs / 1000))

    const after = moments.find(({ kind, label, atMs }) => kind === 'page' && label === '/orders' && atMs > click.atMs)
    await console.goto(`${address}?t=${((after?.atMs ?? Number.NaN) + 900) / 1000}`)
    await until(async () => (await headingShown(console)) === 'My orders')

    await console.goto(`${address}?t=${click.atMs / 1000}`)
    await until(async () => (await headingShown(console)) === 'Your basket')
    expect(await pageShown(console)).toContain('Place order')
    await console.getByRole('button', { name: 'Click Place order' }).and(console.locator('[aria-current]')).waitFor()
  })

  test('a row’s history names the session that changed it, and opens it at that moment', async () => {
    const { console, product, api } = story
    const { session, moments } = await openSession(api, 'mia@example.test')
    const change = moments.flatMap((moment) => moment.requests).find(({ method }) => method === 'PATCH')
    await console.goto(product.consoleUrl)
    await console.getByRole('link', { name: 'Data', exact: true }).click()
    await console.getByRole('link', { name: 'public.products' }).click()
    await openRow(console, 'Almond croissant')
    const row = console.getByRole('dialog', { name: /products #\d+$/ })
    await row.getByRole('tab', { name: 'History' }).click()
    const newest = row.getByRole('listitem').first()
    await newest.getByText('Mia Lindqvist').waitFor()
    expect(await newest.textContent()).toMatch(/price_cents\s*320 → 345/)
    await newest.getByRole('link', { name: /^Watch the session at/ }).click()
    await console.getByRole('heading', { name: 'Mia Lindqvist' }).waitFor()
    const there = new URL(console.url())
    expect(there.pathname).toBe(`/console/sessions/${session.id}`)
    const seconds = Number(there.searchParams.get('t') ?? Number.NaN)
    expect(Math.abs(seconds * 1000 - (change?.atMs ?? Number.NaN))).toBeLessThanOrEqual(closeMs)
    await until(async () => (await headingShown(console)) === 'Prices and photographs')
    // Which click it is told with depends on how fast a busy machine answered; that the change is in it does not.
    await console.locator('div:has(> div > [aria-current])').getByText('PATCH').first().waitFor()
  })

  test('an upload stands in the session with its object, size, duration and row; the file names who uploaded it, and when', async () => {
    const { console, product, api } = story
    const { session, moments } = await openSession(api, 'mia@example.test')
    const upload = moments.flatMap((moment) => moment.requests).find(({ path }) => path.includes('/object/photos/'))
    const key = upload?.path.replace('/storage/v1/object/photos/', '') ?? ''
    expect(key).toMatch(/^\d+\/\d+-espresso\.png$/)
    expect(upload).toMatchObject({ method: 'POST', service: 'storage', status: 200 })
    expect(upload?.requestBytes).toBeGreaterThan(picture.length)
    expect(upload?.changes).toMatchObject([
      { schema: 'storage', table: 'objects', operation: 'insert', new: { bucket_id: 'photos', name: key } },
    ])
    await console.goto(`${product.consoleUrl}/sessions/${session.id}`)
    await console.getByPlaceholder(/filter/i).fill('espresso.png')
    const line = console.getByRole('list', { name: 'Thread' }).getByRole('button', { name: `POST photos/${key}` })
    expect(await line.first().textContent()).toMatch(/espresso\.png[\d.]+ k?B200[\d.]+ m?s$/)

    await console.goto(`${product.consoleUrl}/storage/photos?object=${encodeURIComponent(key)}`)
    const file = console.getByRole('dialog', { name: /espresso\.png$/ })
    await file.getByText('Mia Lindqvist').waitFor()
    await file.getByRole('link', { name: /^Watch the session at/ }).click()
    await console.getByRole('heading', { name: 'Mia Lindqvist' }).waitFor()
    const seconds = Number(new URL(console.url()).searchParams.get('t') ?? Number.NaN)
    expect(Math.abs(seconds * 1000 - (upload?.atMs ?? Number.NaN))).toBeLessThanOrEqual(closeMs)
  })

  test('a row changed by plain SQL says so and names no session', async () => {
    const { console, product, api } = story
    const client = new pg.Client({ connectionString: product.dbUrl })
    await client.connect()
    const { rows } = await client.query<{ id: string }>(
      `update public.products set stock = stock - 1 where name = 'Earl Grey' returning id::text`,
    )
    await client.end()
    const key = encodeURIComponent(JSON.stringify({ id: rows[0]?.id }))
    let entries: readonly HistoryEntry[] = []
    await until(async () => {
      entries = (await api.get<{ entries: HistoryEntry[] }>(`/data/public/products/history?key=${key}`)).entries
      return entries.length > 0
    })
    expect(entries[0]).toMatchObject({ cause: { kind: 'sql' }, change: { old: { stock: '35' }, new: { stock: '34' } } })

    await console.goto(`${product.consoleUrl}/data/public/products`)
    await openRow(console, 'Earl Grey')
    const row = console.getByRole('dialog', { name: /products #\d+$/ })
    await row.getByRole('tab', { name: 'History' }).click()
    const newest = row.getByRole('listitem').first()
    await newest.getByText('Direct SQL: no session').waitFor()
    expect(await newest.textContent()).toMatch(/stock\s*35 → 34/)
    expect(await newest.getByRole('link').count()).toBe(0)
  })

  test('nothing of it failed inside the product', () => {
    expect(story.product.output()).not.toContain('request failed')
  })
})

/** The session of a person, opened; whole once what it did is stored. */
async function openSession(api: ConsoleApi, email: string): Promise<SessionDetail> {
  const { sessions } = await api.get<{ sessions: SessionSummary[] }>(`/sessions?q=${encodeURIComponent(email)}`)
  expect(sessions.map(({ person }) => person.email)).toEqual([email])
  return api.get<SessionDetail>(`/sessions/${sessions[0]?.id}`)
}

interface OrderMoment extends SessionDetail {
  readonly click: Moment
  readonly order: RequestMoment
}

/** Nora's order: its click, and the call that placed it. */
async function theOrder(api: ConsoleApi): Promise<OrderMoment> {
  const detail = await openSession(api, nora.email)
  const click = detail.moments.find(({ kind, label }) => kind === 'click' && label === 'Place order')
  const [order] = click?.requests ?? []
  if (click === undefined || order === undefined) {
    throw new Error(`No order in ${JSON.stringify(detail.moments, null, 2)}`)
  }
  return { ...detail, click, order }
}

/** The times of the recorded clicks, on the server's clock. */
function recordedClicks(ndjson: string): readonly number[] {
  return ndjson
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      // rrweb: an incremental event (3) of source mouse interaction (2), type click (2).
      const { offsetMs, events } = JSON.parse(line) as {
        offsetMs: number
        events: { type: number; timestamp: number; data: { source?: number; type?: number } }[]
      }
      return events
        .filter(({ type, data }) => type === 3 && data.source === 2 && data.type === 2)
        .map(({ timestamp }) => timestamp + offsetMs)
    })
}
