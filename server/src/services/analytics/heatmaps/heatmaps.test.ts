import { expect } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { test as base } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import type { PageObservation } from '../../../ground/model/recording.ts'
import { analyticsTables } from '../index.ts'
import { createHeatmaps } from './heatmaps.ts'
import { heatmapRoutes } from './routes.ts'
import { selectTotalsStatement } from './store.ts'

const now = new Date('2026-03-31T12:00:00Z')
const maria = { personId: '11111111-0000-4000-8000-000000000001', userId: null, email: null, name: 'Maria' }
const shop = 'https://shop.test'

interface Point {
  readonly x: number
  readonly y: number
  readonly type?: string
  readonly target_fixed?: boolean
}

interface Sent {
  readonly event?: string
  readonly id?: string
  readonly session?: string
  readonly time?: string
  readonly width?: number | string
  readonly url?: string
  readonly chain?: string
  readonly heat?: Readonly<Record<string, unknown>>
  readonly more?: object
}

const click = (x: number, y: number, more: Partial<Point> = {}): Point => ({
  ...{ x, y, target_fixed: false, type: 'click' },
  ...more,
})

const test = base.extend('world', async ({ clickhouseOfFile: clickhouse }, { onCleanup }) => {
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  let stored = 0
  const lineOf = (sent: Sent): string => {
    const { event = '$$heatmap', id = 'm1', session = 's1', time = '2026-03-31 11:00:00.000', width = 1200 } = sent
    const { url = `${shop}/menu`, chain = '', heat, more } = sent
    stored += 1
    return JSON.stringify({
      uuid: `00000000-0000-4000-8000-${String(stored).padStart(12, '0')}`,
      ...{ event, distinct_id: id, session_id: session, window_id: 'w1', timestamp: time, client_time: time },
      ...{ received_at: time, current_url: url, elements_chain: chain },
      properties: JSON.stringify({
        ...{ $viewport_width: width, $viewport_height: 800, $event_type: 'click' },
        ...(heat && { $heatmap_data: heat }),
        ...more,
      }),
    })
  }
  const store = (...sent: readonly Sent[]): Promise<void> => clickhouse.insertLines('events', sent.map(lineOf))
  const settings = { heatmapCells: 100, heatmapPages: 10, heatmapElements: 5, heatmapSessions: 5 }
  const heatmaps = createHeatmaps({
    ...{ clickhouse, settings, now: () => now },
    facts: async (ids) => new Map(ids.filter((id) => id.startsWith('m')).map((id) => [id, maria])),
  })
  onCleanup(async () => {
    for (const table of ['events', 'visitor_days', 'page_uses', 'web_vitals'])
      await clickhouse.command({ text: `truncate table ${table}`, parameters: {} })
  })
  const seen: (readonly PageObservation[])[] = []
  const call = (role: Parameters<typeof recordedActions>[0]) =>
    consoleApp(
      heatmapRoutes({
        ...{ heatmaps, actions: recordedActions(role).actions },
        pictureOf: async (observations) => {
          seen.push(observations)
          return null
        },
      }),
    )
  const ask = await call('analyst')
  const get = async (path: string, query: Readonly<Record<string, string | number>>) => {
    const address = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    return (await ask('GET', `/${path}?${address}`)).body
  }
  return { call, clickhouse, get, heatmaps, lineOf, seen, store }
})

const menu = { page: `${shop}/menu`, device: 'desktop' }
const clicks = { ...menu, kind: 'click' }

/** The cells of a heat map as `column,row: points`. */
const cellsOf = ({ columns, rows, points }: Record<'columns' | 'rows' | 'points', readonly number[]>) =>
  Object.fromEntries(columns.map((column, index) => [`${column},${rows[index]}`, points[index]]))

test('positions are counted by cell: x as a part of the viewport’s width, y in pixels, fixed elements apart', async ({
  world: { get, store },
}) => {
  await store(
    {
      heat: {
        [`${shop}/menu?table=7#top`]: [
          click(600, 95),
          click(600, 99),
          click(1200, 0),
          click(20, 20, { target_fixed: true }),
        ],
      },
    },
    // The middle of a wider page is the middle.
    {
      width: 2400,
      id: 'm2',
      session: 's2',
      heat: { [`${shop}/menu`]: [click(1200, 99), click(3, 4, { type: 'mousemove' })] },
    },
    { heat: { [`${shop}/about`]: [click(7, 7)] } },
  )
  const map = await get('heatmap', clicks)
  expect(cellsOf(map.cells)).toEqual({ '80,9': 3, '159,0': 1 })
  expect(cellsOf(map.fixedCells)).toEqual({ '2,2': 1 })
  expect(map).toMatchObject({ points: 5, fixedPoints: 1, visitors: 2, sessions: 2, height: 800, isCut: false })
  expect([1200, 2400]).toContain(map.width)
  const moves = await get('heatmap', { ...clicks, kind: 'mousemove' })
  expect(cellsOf(moves.cells)).toEqual({ '0,0': 1 })
  expect([moves.visitors, moves.elements]).toEqual([1, []])
})

test('an event that is sent again is counted once', async ({ world: { clickhouse, get, lineOf } }) => {
  const line = lineOf({ heat: { [`${shop}/menu`]: [click(1, 1)] } })
  await clickhouse.insertLines('events', [line])
  await clickhouse.insertLines('events', [
    line.replace('"received_at":"2026-03-31 11:00', '"received_at":"2026-03-31 11:01'),
  ])
  expect((await get('heatmap', clicks)).points).toBe(1)
})

test.for<[string, string, number]>([
  ['the page itself', `${shop}/items/1`, 1],
  ['a star for a part of it', `${shop}/items/*`, 3],
  ['a star for the host', '*/items/1', 2],
  ['a star in the middle', 'https://*/2', 1],
  ['a star for everything', '*', 7],
  ['letters that SQL reads otherwise stand for themselves', `${shop}/50%_off`, 1],
  ['and beside a star', '*%_o*', 1],
  ['a backslash', `${shop}/a\\b*`, 1],
  ['a route in the fragment', `${shop}/#/orders`, 1],
  ['a quote', `${shop}/o'`, 0],
])('pages are chosen by a pattern: %s', async ([, page, points], { world: { get, store } }) => {
  const pages = ['/items/1?a=1', '/items/2', '/items/', '/50%_off', '/a\\b', '/#/orders?x=1']
  await store({ heat: Object.fromEntries(pages.map((path) => [`${shop}${path}`, [click(1, 1)]])) })
  await store({ heat: { 'https://other.test/items/1': [click(1, 1)] } })
  expect((await get('heatmap', { ...clicks, page })).points).toBe(points)
})

test('a pattern reads what was done of its kind on its pages, and little beside them', async ({
  world: { clickhouse, store },
}) => {
  const each = 4000
  const moves = (path: string) =>
    Array.from({ length: each }, (_, n) => [`${shop}/${path}/${n}`, [click(1, 1), click(2, 2, { type: 'mousemove' })]])
  await store({ heat: Object.fromEntries(['help', 'items', 'orders'].flatMap(moves)) })
  const rowsOf = async (page: string) => {
    const selection = { page, device: 'desktop', fromMs: 0, toMs: now.getTime() } as const
    const { text, parameters } = selectTotalsStatement(selection, 'mousemove')
    const [read] = await clickhouse.query<{ rows: string }>({ text: `explain estimate ${text}`, parameters })
    return Number(read?.rows)
  }
  const granule = 1024
  expect(await rowsOf(`${shop}/items/*`)).toBeLessThanOrEqual(each + 2 * granule)
  expect(await rowsOf('*/items/*')).toBeLessThanOrEqual(3 * each + 2 * granule)
})

test.for<[number | string, string | null]>([
  [390, 'phone'],
  [599, 'phone'],
  [600, 'tablet'],
  [1023, 'tablet'],
  [1024, 'desktop'],
  [70_000, 'desktop'],
  [0, null],
  ['wide', null],
])('a viewport of %s pixels is of the class %s', async ([width, device], { world: { get, store } }) => {
  await store({ width, heat: { [`${shop}/menu`]: [click(0, 0)] } })
  for (const each of ['phone', 'tablet', 'desktop'])
    expect((await get('heatmap', { ...clicks, device: each })).points).toBe(each === device ? 1 : 0)
})

test.for<[string, unknown]>([
  ['no list', { [`${shop}/menu`]: 'many' }],
  ['positions without numbers', { [`${shop}/menu`]: [{ x: 'left', y: null, type: 'click' }, 7, null] }],
  ['negative ones', { [`${shop}/menu`]: [click(-1, -5), click(1e9, 1)] }],
  ['numbers past all numbers', { [`${shop}/menu`]: [click(5, 1e300)] }],
  ['no object', [click(1, 1)]],
])('what a client makes up is no position: %s', async ([, heat], { world: { get, store } }) => {
  await store({ heat: heat as Record<string, unknown> }, { heat: { [`${shop}/menu`]: [click(600, 50)] } })
  const map = await get('heatmap', clicks)
  expect(cellsOf(map.cells)['80,5']).toBe(1)
  expect(map.cells.rows.every((row: number) => row < 200_000)).toBe(true)
})

test('the range of time, and only as many cells as the settings say, those with the most', async ({
  world: { get, store },
}) => {
  const heat = { [`${shop}/menu`]: [click(5, 5)] }
  await store({ heat }, { time: '2026-03-20 11:00:00.000', heat }, { time: '2025-12-01 11:00:00.000', heat })
  const pointsIn = async (range: string) => (await get('heatmap', { ...clicks, range })).points
  expect([await pointsIn('24h'), await pointsIn('30d'), await pointsIn('90d')]).toEqual([1, 2, 2])

  await store({ heat: { [`${shop}/menu`]: Array.from({ length: 150 }, (_, row) => click(1199, row * 10)) } })
  const map = await get('heatmap', clicks)
  expect([map.points, map.cells.rows.length, map.isCut]).toEqual([152, 100, true])
  expect([map.cells.columns[0], map.cells.points[0]]).toEqual([0, 2])
})

test('an area tells how many, by whom, and the newest sessions with their moments', async ({
  world: { get, store },
}) => {
  const heat = { [`${shop}/menu`]: [click(120, 100), click(130, 105), click(900, 100)] }
  await store(
    { heat },
    { id: 'tom', session: 's2', time: '2026-03-31 11:30:00.000', heat: { [`${shop}/menu`]: [click(126, 100)] } },
    { id: 'tom', session: '', heat: { [`${shop}/menu`]: [click(126, 100, { type: 'rageclick' })] } },
    { id: 'ann', session: 's3', heat: { [`${shop}/menu`]: [click(126, 100, { target_fixed: true })] } },
  )
  const around = { fromX: 0.1, toX: 0.11, fromY: 100, toY: 110 }
  expect(await get('heatmap-area', { ...clicks, ...around })).toEqual({
    ...{ points: 3, visitors: 2, sessions: 2 },
    newest: [
      { sessionId: 's2', distinctId: 'tom', person: null, points: 1, at: '2026-03-31T11:29:55.000Z' },
      {
        ...{ sessionId: 's1', distinctId: 'm1', points: 2, at: '2026-03-31T10:59:55.000Z' },
        person: { id: maria.personId, email: null, name: 'Maria' },
      },
    ],
  })
  const onFixed = await get('heatmap-area', { ...clicks, ...around, fixed: 'true' })
  expect(onFixed.newest.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(['s3'])
  expect((await get('heatmap-area', { ...clicks, ...around, fromX: 2 })).statusCode).toBe(400)
})

test('the list has each page once, with its counts, and the class of viewports that it is seen in most', async ({
  world: { get, store },
}) => {
  const path = { $prev_pageview_pathname: '/about', $prev_pageview_max_content_percentage: 0.5 }
  await store(
    {
      width: 390,
      heat: {
        [`${shop}/menu?a`]: [click(1, 1), click(1, 1, { type: 'deadclick' })],
        [`${shop}/menu?b`]: [click(2, 2)],
      },
    },
    { heat: { [`${shop}/menu`]: [click(1, 1, { type: 'rageclick' }), click(1, 1, { type: 'mousemove' })] } },
    { event: '$pageview', more: path },
    { event: '$pageleave', url: `${shop}/about?x`, width: 800, more: path },
    { event: '$pageleave', url: `${shop}/about`, width: 700, more: path },
  )
  const { pages } = await get('heatmap-pages', {})
  expect(pages).toEqual([
    { page: `${shop}/menu`, clicks: 2, rageClicks: 1, deadClicks: 1, moves: 1, views: 0, device: 'phone' },
    { page: `${shop}/about`, clicks: 0, rageClicks: 0, deadClicks: 0, moves: 0, views: 3, device: 'tablet' },
  ])
  expect((await get('heatmap-pages', { pattern: '*/about' })).pages).toHaveLength(1)
})

test('a scroll map says how many views reached each band, how high the page is, and where its fold lies', async ({
  world: { get, store },
}) => {
  const left = (percentage: number): Sent => ({
    event: '$pageleave',
    more: {
      $prev_pageview_pathname: '/menu',
      $prev_pageview_max_content: percentage * 2000,
      $prev_pageview_max_content_percentage: percentage,
    },
  })
  await store(left(0.4), left(0.41), left(1), left(0), {
    event: '$pageleave',
    more: { $prev_pageview_pathname: '/menu' },
  })
  const map = await get('scroll-map', menu)
  expect(map).toMatchObject({ views: 4, height: 2000, fold: 800 })
  expect(map.reached).toHaveLength(20)
  expect([map.reached[0], map.reached[1], map.reached[7], map.reached[8], map.reached[9], map.reached[19]]).toEqual([
    ...[4, 3, 3, 2, 1, 1],
  ])
  expect(await get('scroll-map', { ...menu, device: 'phone' })).toMatchObject({ views: 0, height: 0, fold: 0 })
})

test('elements are listed by their clicks; rage and dead clicks by their own events', async ({
  world: { get, store },
}) => {
  const order = 'button.primary:text="Place order"nth-child="1";form:attr_id="checkout"attr__id="checkout";main;body'
  const link = 'a:text="Help"nth-child="2";nav;body'
  const clicked = (chain: string, more: Sent = {}): Sent => ({ event: '$autocapture', chain, ...more })
  await store(
    ...[clicked(order), clicked(order, { id: 'tom' }), clicked(link), clicked(link, { url: `${shop}/about` })],
    ...[clicked(link, { width: 390 }), clicked(link, { more: { $event_type: 'change' } })],
    clicked(order, { event: '$rageclick' }),
  )
  expect((await get('heatmap', clicks)).elements).toEqual([
    { label: 'Place order', path: 'main > form#checkout > button', clicks: 2, visitors: 2 },
    { label: 'Help', path: 'body > nav > a', clicks: 1, visitors: 1 },
  ])
  const raged = (await get('heatmap', { ...clicks, kind: 'rageclick' })).elements
  expect(raged).toEqual([{ label: 'Place order', path: 'main > form#checkout > button', clicks: 1, visitors: 1 }])
  expect((await get('heatmap', { ...clicks, kind: 'deadclick' })).elements).toEqual([])
})

test('the page is drawn as it was at the newest moments at which a visitor used it', async ({
  world: { get, seen, store },
}) => {
  const heat = { [`${shop}/menu`]: [click(1, 1)] }
  await store(
    { heat },
    { session: 's2', time: '2026-03-31 11:10:00.000', width: 1300, heat },
    // Sent once the visitor was on another page, and without a session.
    { session: 's3', url: `${shop}/about`, heat },
    { session: '', heat },
  )
  expect(await get('heatmap-picture', menu)).toEqual({ picture: null })
  const of = (sessionId: string, at: string, width: number) => ({
    ...{ sessionId, windowId: 'w1', clientMs: Date.parse(at), width, height: 800 },
  })
  expect(seen).toEqual([[of('s2', '2026-03-31T11:10:00Z', 1300), of('s1', '2026-03-31T11:00:00Z', 1200)]])
})

test('who may not look is refused', async ({ world: { call } }) => {
  const viewer = await call('viewer')
  const views = `page=*&device=desktop`
  for (const path of [
    ...['heatmap-pages', `heatmap?${views}&kind=click`, `scroll-map?${views}`, `heatmap-picture?${views}`],
    `heatmap-area?${views}&kind=click&fromX=0&toX=1&fromY=0&toY=1`,
  ])
    expect((await viewer('GET', `/${path}`)).status).toBe(403)
})
