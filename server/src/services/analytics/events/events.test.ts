import { expect } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { test as base } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { analyticsTables } from '../index.ts'
import { rawProperty } from '../properties/render.ts'
import { createEventPages } from './events.ts'
import { eventRoutes } from './routes.ts'
import type { EventSummary } from './schemas.ts'

const now = new Date('2026-03-31T12:00:00Z')
const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const maria = '11111111-0000-4000-8000-000000000001'
const chain = 'button.primary:text="Place order"attr__type="submit"nth-child="1";form:attr__name="a;b"'

const stored = [
  { event: '$pageview', id: 'm1', session: 's1', time: '2026-03-31 11:00:00.000', properties: { plan: 'pro' } },
  { event: '$autocapture', id: 'm1', session: 's1', time: '2026-03-31 11:00:01.000', chain, properties: { n: 7 } },
  { event: 'ordered', id: 'm2', session: 's2', time: '2026-03-30 09:00:00.000', properties: { n: '7', paid: true } },
  { event: 'ordered', id: 'tom', session: '', time: '2026-03-20 09:00:00.000', properties: { plan: "it's" } },
  { event: 'old', id: 'tom', session: '', time: '2025-11-01 09:00:00.000', properties: {} },
]

const anyEvent = {
  ...{ event: null, distinctIds: null, session: null, group: null, filters: [], without: [] },
  ...({ range: '1h', before: null } as const),
}

const test = base.extend('world', async ({ clickhouseOfFile: clickhouse }, { onCleanup }) => {
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const rows = stored.map(({ event, id, session, time, properties, chain: elements_chain = '' }, number) =>
    JSON.stringify({
      ...{ uuid: uuidOf(number), event, distinct_id: id, session_id: session, timestamp: time, client_time: time },
      ...{
        received_at: time,
        pathname: '/menu',
        browser: 'Chrome',
        elements_chain,
        properties: JSON.stringify(properties),
      },
    }),
  )
  await clickhouse.insertLines('events', rows)
  await clickhouse.insertLines('events', rows.slice(0, 2))
  const person = { personId: maria, userId: null, email: null, name: 'Maria' }
  const pages = createEventPages({
    clickhouse,
    facts: async (ids) => new Map(ids.filter((id) => id.startsWith('m')).map((id) => [id, person])),
    properties: {
      read: async (property) => rawProperty(property),
      list: async () => [{ property: 'n', since: new Date('2026-03-01T00:00:00Z'), isFilled: true, bytes: 12 }],
    },
    now: () => now,
  })
  onCleanup(async () => {
    for (const table of ['events', 'visitor_days', 'page_uses', 'web_vitals'])
      await clickhouse.command({ text: `truncate table ${table}`, parameters: {} })
  })
  const idsOf = async (id: string) => (id === maria ? ['m1', 'm2'] : null)
  const call = (role: Parameters<typeof recordedActions>[0]) =>
    consoleApp(async (app) => eventRoutes(app, { pages, idsOf, actions: recordedActions(role).actions }))
  const get = await call('analyst')
  /** Events of now, a second apart. */
  const put = (events: readonly { readonly event: string; readonly properties: object }[]) =>
    clickhouse.insertLines(
      'events',
      events.map(({ event, properties }, number) => {
        const time = `2026-03-31 12:00:0${number}.000`
        const times = { timestamp: time, client_time: time, received_at: time }
        const text = JSON.stringify(properties)
        return JSON.stringify({ uuid: uuidOf(100 + number), event, distinct_id: 'tom', ...times, properties: text })
      }),
    )
  return { call, pages, put, get: async (path: string) => (await get('GET', path)).body }
})

const numberOf = ({ id }: EventSummary): number => Number(id.slice(-4))

test('events of a range are listed newest first, each once, page by page', async ({ world: { get } }) => {
  const first = await get('/events?range=30d&limit=3')
  expect(first.events.map(numberOf)).toEqual([1, 0, 2])
  const second = await get(`/events?range=30d&limit=3&before=${first.next}`)
  expect([second.events.map(numberOf), second.next]).toEqual([[3], null])
  expect(first.events[0]).toMatchObject({
    ...{ event: '$autocapture', label: 'Place order', at: '2026-03-31T11:00:01.000Z', sessionId: 's1', path: '/menu' },
    person: { id: maria, name: 'Maria' },
  })
  expect(second.events[0]).toMatchObject({ person: null, sessionId: null, label: null })
})

test.for<[string, number[]]>([
  ['range=24h', [1, 0]],
  ['range=1h', [1, 0]],
  ['', [1, 0, 2]],
  ['event=ordered&range=90d', [2, 3]],
  [`person=${maria}&range=90d`, [1, 0, 2]],
  [`person=${uuidOf(9)}`, []],
  ['session=s2', [2]],
  ['filter=n.is_set', [1, 2]],
  ['filter=n.exact.7', [1, 2]],
  ['filter=paid.exact.true', [2]],
  ['filter=plan.exact.pro', [0]],
  ["filter=plan.exact.it's&range=90d", [3]],
  ['filter=n.gte.7&filter=paid.is_not_set', [1]],
  ['filter=plan.is_not.pro&filter=n.is_not_set&range=90d', [3]],
  ["filter=') or 1=1 --.is_set", []],
  ["filter=plan.icontains.') or 1=1 --", []],
])('%s finds %j', async ([query, numbers], { world: { get } }) => {
  expect((await get(`/events?${query}`)).events.map(numberOf)).toEqual(numbers)
})

test.for(['plan', 'plan.exact', 'plan.is_set.', 'plan.like.x', '.exact.x', 'plan.toString.x', 'plan.Exact.x'])(
  'the filter %j cannot be read',
  async (filter, { world: { get } }) => {
    expect((await get(`/events?filter=${filter}`)).code).toBe('CLEW_EVENTS_FILTER')
  },
)

test('ten filters of the longest names and values are asked at once, and no more', async ({ world: { get } }) => {
  const long = `${encodeURIComponent('ü'.repeat(200))}.gt.${encodeURIComponent('é'.repeat(1000))}`
  const filters = (count: number) => Array.from({ length: count }, () => `filter=${long}`).join('&')
  expect((await get(`/events?${filters(10)}`)).events).toEqual([])
  expect((await get(`/events?${filters(11)}`)).events).toBeUndefined()
})

test('one event has all its properties and what was clicked', async ({ world: { get } }) => {
  const [{ id }] = (await get('/events')).events
  const detail = await get(`/events/${id}`)
  expect(detail.properties).toEqual({ n: 7 })
  expect(detail.elements).toEqual([
    { tag: 'button', text: 'Place order', attributes: { attr__type: 'submit', 'nth-child': '1' } },
    { tag: 'form', text: null, attributes: { attr__name: 'a;b' } },
  ])
  expect((await get(`/events/1.${uuidOf(1)}`)).code).toBe('CLEW_EVENTS_NOT_FOUND')
  expect((await get('/events/there')).code).toBe('CLEW_EVENTS_PLACE')
})

test('the names of events are told by how often they came', async ({ world: { get } }) => {
  expect((await get('/event-names?range=30d')).names.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['ordered', '$pageview', '$autocapture']),
  )
})

test('the properties of the newest events are named with how many have them, and their column', async ({
  world: { get },
}) => {
  const column = { since: '2026-03-01T00:00:00.000Z', isFilled: true, bytes: 12 }
  expect(await get('/event-properties?range=30d')).toEqual({
    looked: 4,
    properties: [
      { name: 'n', events: 2, column },
      { name: 'plan', events: 2, column: null },
      { name: 'paid', events: 1, column: null },
    ],
  })
  expect(await get('/event-properties?range=30d&event=$pageview')).toEqual({
    looked: 1,
    properties: [{ name: 'plan', events: 1, column: null }],
  })
  expect(await get("/event-properties?event=') or 1=1 --")).toEqual({ looked: 0, properties: [] })
})

test('what some ids did goes back to their first event, without exceptions', async ({ world: { pages } }) => {
  expect((await pages.ofIds(['tom'], now, 10)).map(({ event }) => event)).toEqual(['ordered', 'old'])
  expect((await pages.ofIds(['tom'], new Date('2026-01-01T00:00:00Z'), 10)).map(({ event }) => event)).toEqual(['old'])
  expect(await pages.ofIds([], now, 10)).toEqual([])
})

test('an exception says what it was, and a call of a flag which and what it answered', async ({
  world: { pages, put },
}) => {
  const list = [{ type: 'RangeError', value: `Too many croissants${' and more'.repeat(40)}` }]
  await put([
    { event: '$exception', properties: { $exception_list: list } },
    { event: '$exception', properties: { $exception_message: 'From an earlier client' } },
    { event: '$feature_flag_called', properties: { $feature_flag: 'cups', $feature_flag_response: 'blue' } },
    { event: '$feature_flag_called', properties: { $feature_flag: 'tips', $feature_flag_response: false } },
    { event: '$feature_flag_called', properties: { $feature_flag: 'gone' } },
    { event: 'ordered', properties: { $feature_flag: 'cups' } },
  ])
  const { events } = await pages.list({ ...anyEvent, limit: 6 })
  const labels = events.map(({ label }) => label).reverse()
  expect(labels[0]).toMatch(/^RangeError: Too many croissants and more.{1,200}$/)
  expect(labels.slice(1)).toEqual(['From an earlier client', 'cups: blue', 'tips: false', 'gone', null])
})

test('viewers see no events', async ({ world: { call } }) => {
  const get = await call('viewer')
  for (const path of ['/events', '/event-names', '/event-properties', `/events/1.${uuidOf(1)}`])
    expect((await get('GET', path)).status).toBe(403)
})
