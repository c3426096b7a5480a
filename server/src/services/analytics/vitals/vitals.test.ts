import { expect } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { test as base } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { analyticsTables } from '../index.ts'
import { maskWebVitals } from '../masking/made-tables.ts'
import { vitalRoutes } from './routes.ts'
import type { Vital } from './selection.ts'
import { createVitals } from './vitals.ts'

const now = new Date('2026-03-31T12:00:00Z')
const maria = { personId: '11111111-0000-4000-8000-000000000001', userId: null, email: null, name: 'Maria' }

interface Sent {
  readonly event?: string
  /** A number, or what else a browser says. */
  readonly values: Partial<Record<Vital, unknown>>
  readonly attribution?: unknown
  readonly of?: Vital
  readonly url?: string
  readonly time?: string
  readonly id?: string
  readonly uuid?: string
  readonly device?: string
  readonly browser?: string
  readonly country?: string
}

const test = base.extend('world', async ({ clickhouseOfFile: clickhouse }, { onCleanup }) => {
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  let stored = 0
  const lineOf = (sent: Sent): string => {
    const { event = '$web_vitals', values, attribution, of = 'LCP', time = '2026-03-31 11:00:00.000', id = 'm1' } = sent
    const { url = 'https://shop.test/menu', device = 'Desktop', browser = 'Chrome', country = 'PT' } = sent
    stored += 1
    const { uuid = `00000000-0000-4000-8000-${String(stored).padStart(12, '0')}` } = sent
    return JSON.stringify({
      ...{ uuid, event, distinct_id: id, session_id: 's1', window_id: 'w1', timestamp: time, client_time: time },
      // The visitor may be elsewhere by then.
      ...{ received_at: time, current_url: url, pathname: '/elsewhere', device_type: device, browser },
      properties: JSON.stringify({
        $geoip_country_code: country,
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`$web_vitals_${name}_value`, value])),
        ...(attribution !== undefined && { [`$web_vitals_${of}_event`]: { attribution } }),
      }),
    })
  }
  const storeLines = (lines: readonly string[]): Promise<void> => clickhouse.insertLines('events', lines)
  const store = (...sent: readonly Sent[]): Promise<void> => storeLines(sent.map(lineOf))
  const settings = { vitalsMaxMs: 900_000, vitalsMaxShift: 100, vitalsPaths: 10, vitalsVisits: 5 }
  const vitals = createVitals({
    ...{ clickhouse, settings, now: () => now },
    facts: async (ids) => new Map(ids.filter((id) => id.startsWith('m')).map((id) => [id, maria])),
  })
  onCleanup(async () => {
    for (const table of ['events', 'visitor_days', 'page_uses', 'web_vitals'])
      await clickhouse.command({ text: `truncate table ${table}`, parameters: {} })
  })
  const call = (role: Parameters<typeof recordedActions>[0]) =>
    consoleApp(vitalRoutes(vitals, recordedActions(role).actions))
  const ask = await call('analyst')
  const get = async (path: string, query: Readonly<Record<string, string>> = {}) =>
    (await ask('GET', `/web-vitals${path}?${new URLSearchParams(query)}`)).body
  /** The numbers of a vital. */
  const summary = async (vital: Vital, query?: Readonly<Record<string, string>>) =>
    (await get('', query)).vitals.find((each: { readonly vital: Vital }) => each.vital === vital)
  return { call, clickhouse, get, lineOf, store, storeLines, summary }
})

const paths = (body: { readonly paths: readonly { readonly path: string }[] }) => body.paths.map(({ path }) => path)

test('a percentile is the value that so many of the views are below, and is rated', async ({
  world: { store, summary },
}) => {
  await store(...Array.from({ length: 100 }, (_, index) => ({ values: { LCP: (index + 1) * 50 } })))
  expect(await summary('LCP')).toEqual({
    ...{ vital: 'LCP', views: 100, good: 50, needsImprovement: 30, poor: 20, leftOut: 0 },
    percentiles: {
      p50: { value: 2550, rating: 'needs improvement' },
      p75: { value: 3800, rating: 'needs improvement' },
      p90: { value: 4550, rating: 'poor' },
    },
  })
})

test.for([
  ['LCP', 2500, 'good'],
  ['LCP', 2500.1, 'needs improvement'],
  ['LCP', 4000, 'needs improvement'],
  ['LCP', 4000.1, 'poor'],
  ['INP', 200, 'good'],
  ['INP', 500, 'needs improvement'],
  ['INP', 501, 'poor'],
  ['CLS', 0.1, 'good'],
  ['CLS', 0.1001, 'needs improvement'],
  ['CLS', 0.25, 'needs improvement'],
  ['CLS', 0.2501, 'poor'],
  ['FCP', 1800, 'good'],
  ['FCP', 3000, 'needs improvement'],
  ['FCP', 3001, 'poor'],
  ['CLS', 0, 'good'],
] as const)('%s of %d is %s, in the bar as in words', async ([vital, value, rating], { world: { store, summary } }) => {
  await store({ values: { [vital]: value } })
  const counted = { good: 'good', 'needs improvement': 'needsImprovement', poor: 'poor' }[rating]
  expect(await summary(vital)).toMatchObject({ views: 1, [counted]: 1, percentiles: { p75: { value, rating } } })
})

test.for([
  ['a negative number', -1],
  ['a text', '1200'],
  ['a text that is no number', 'NaN'],
  ['nothing', null],
  ['a truth value', true],
  ['an object', { value: 1 }],
  ['an hour', 3_600_001],
  ['more than a number holds', 1.7e308],
] as const)('%s is left out, and told', async ([, value], { world: { store, summary } }) => {
  await store({ values: { LCP: value } }, { values: { LCP: 1000, FCP: 500 } })
  expect(await summary('LCP')).toMatchObject({ views: 1, leftOut: 1, percentiles: { p90: { value: 1000 } } })
  expect(await summary('FCP')).toMatchObject({ views: 1, leftOut: 0 })
})

test('what JSON itself cannot hold is left out: numbers without end', async ({
  world: { lineOf, storeLines, summary },
}) => {
  await storeLines([
    lineOf({ values: { INP: 7 } }).replace('7', '1e400'),
    lineOf({ values: { INP: 40 } }),
    lineOf({ values: { CLS: 101 } }),
  ])
  expect(await summary('INP')).toMatchObject({ views: 1, leftOut: 1 })
  expect(await summary('CLS')).toMatchObject({ views: 0, leftOut: 1, percentiles: { p75: null } })
})

test('an event that was stored twice, and those of other names and times, count once or not', async ({
  world: { get, store, summary },
}) => {
  const uuid = '00000000-0000-4000-8000-00000000aaaa'
  await store({ uuid, values: { LCP: 1000 } })
  await store({ uuid, values: { LCP: 1000 } })
  await store({ event: 'ordered', values: { LCP: 9000 } }, { time: '2026-03-01 11:00:00.000', values: { LCP: 9000 } })
  expect(await summary('LCP')).toMatchObject({ views: 1, percentiles: { p90: { value: 1000 } } })
  expect(await summary('LCP', { range: '90d' })).toMatchObject({ views: 2 })
  expect((await get('/paths')).paths).toMatchObject([{ path: '/menu', views: 1 }])
  expect((await get('/visits', { vital: 'LCP' })).visits).toHaveLength(1)
})

test('the course has every stretch of its range, those without a view empty', async ({ world: { get, store } }) => {
  await store({ time: '2026-03-31 11:30:00.000', values: { INP: 120 } })
  await store({ time: '2026-03-30 12:10:00.000', values: { INP: 600 } })
  const { course } = await get('', { range: '24h' })
  expect(course).toHaveLength(24)
  expect(course[0].at).toBe('2026-03-30T12:00:00.000Z')
  const ofInp = course.map(({ vitals }: { vitals: { vital: Vital; views: number; percentiles: object }[] }) =>
    vitals.find(({ vital }) => vital === 'INP'),
  )
  expect(ofInp[0]).toMatchObject({ views: 1, percentiles: { p75: { value: 600, rating: 'poor' } } })
  expect(ofInp[23]).toMatchObject({ views: 1, percentiles: { p75: { value: 120, rating: 'good' } } })
  expect(ofInp[12]).toMatchObject({ views: 0, percentiles: { p75: null } })
})

test('paths are those that were measured, by views or by the worst of a vital', async ({ world: { get, store } }) => {
  await store(
    { url: 'https://shop.test/menu?table=7', values: { LCP: 1000, FCP: 900 } },
    { url: 'https://shop.test/menu', values: { LCP: 2000 } },
    { url: 'https://shop.test/orders', values: { LCP: 5000 } },
    { url: 'https://shop.test/#/cart?step=2', values: { CLS: 0.3 } },
  )
  const all = await get('/paths', { percentile: 'p90' })
  expect(paths(all)).toEqual(['/menu', '/#/cart', '/orders'])
  expect(all.paths[0]).toEqual({
    ...{ path: '/menu', views: 2, INP: null, CLS: null },
    ...{ LCP: { value: 2000, rating: 'good' }, FCP: { value: 900, rating: 'good' } },
  })
  expect(all.hasMore).toBe(false)
  expect(paths(await get('/paths', { order: 'LCP' }))).toEqual(['/orders', '/menu', '/#/cart'])
})

test('of many paths the first are shown, and that there are more is told', async ({ world: { get, store } }) => {
  await store(...Array.from({ length: 11 }, (_, n) => ({ url: `https://shop.test/p${n}`, values: { LCP: 1 } })))
  const { paths: shown, hasMore } = await get('/paths')
  expect([shown.length, hasMore]).toEqual([10, true])
})

test('measurements are filtered by path, device, browser and country, which are offered as they are', async ({
  world: { get, store, summary },
}) => {
  await store(
    { values: { LCP: 1 } },
    { device: 'Mobile', browser: 'Safari', country: 'DE', values: { LCP: 2 } },
    { url: 'https://shop.test/100%_a', values: { LCP: 3 } },
    { url: 'https://shop.test/100xyza', values: { LCP: 4 } },
  )
  expect((await summary('LCP', { device: 'Mobile' })).views).toBe(1)
  expect((await summary('LCP', { browser: 'Chrome' })).views).toBe(3)
  expect((await summary('LCP', { country: 'DE', device: 'Desktop' })).views).toBe(0)
  expect((await summary('LCP', { path: '/menu' })).views).toBe(2)
  expect((await summary('LCP', { path: '/*%_*' })).views).toBe(1)
  expect((await summary('LCP', { path: "'; drop table events; --" })).views).toBe(0)
  expect((await get('', { device: 'Mobile' })).choices).toEqual({
    devices: ['Desktop', 'Mobile'],
    browsers: ['Chrome', 'Safari'],
    countries: ['DE', 'PT'],
  })
})

test('the worst visits come first, with their session and what the browser attributes them to', async ({
  world: { get, store },
}) => {
  const attribution = {
    ...{ target: 'main > img.hero', url: 'https://shop.test/hero.avif', timeToFirstByte: 100, resourceLoadDelay: 20 },
    ...{ resourceLoadDuration: 3000, elementRenderDelay: -1 },
  }
  await store(
    { values: { LCP: 900 } },
    { attribution, values: { LCP: 4100 } },
    ...[1, 2, 3].map(() => ({ id: 'x', attribution: 'none', values: { LCP: 1000 } })),
    { values: { LCP: 'worst' } },
  )
  const { visits } = await get('/visits', { vital: 'LCP', path: '/menu' })
  expect(visits).toHaveLength(5)
  expect(visits[0]).toEqual({
    id: expect.stringMatching(/^1774954800000\.0{8}-/),
    ...{ at: '2026-03-31T11:00:00.000Z', momentAt: '2026-03-31T11:00:00.000Z', sessionId: 's1', distinctId: 'm1' },
    person: { id: maria.personId, email: null, name: 'Maria' },
    ...{ path: '/menu', browser: 'Chrome', os: null, device: 'Desktop', country: 'PT' },
    measure: { value: 4100, rating: 'poor' },
    ...{ element: 'main > img.hero', resource: 'https://shop.test/hero.avif' },
    parts: [
      { name: 'Until the first byte', ms: 100 },
      { name: 'Until the resource is asked for', ms: 20 },
      { name: 'While it loads', ms: 3000 },
    ],
  })
  expect(visits[1]).toMatchObject({ person: null, element: null, resource: null, parts: [] })
})

test('of loading the moment is when that view of the page began, of an interaction when it is sent', async ({
  world: { get, store },
}) => {
  const views = [
    { time: '2026-03-31 10:30:00.000' },
    { time: '2026-03-31 10:59:50.000' },
    { time: '2026-03-31 10:59:55.000', url: 'https://shop.test/basket' },
    { time: '2026-03-31 11:00:05.000' },
  ]
  await store(...views.map((view) => ({ ...view, event: '$pageview', values: {} })))
  await store({ values: { LCP: 900, INP: 80 } })
  const moment = async (vital: Vital) => (await get('/visits', { vital })).visits[0].momentAt
  expect(await moment('LCP')).toBe('2026-03-31T10:59:50.000Z')
  expect(await moment('INP')).toBe('2026-03-31T11:00:00.000Z')
})

test('of an INP the element that was used is told', async ({ world: { get, store } }) => {
  const attribution = { interactionTarget: 'button#buy', inputDelay: 2, processingDuration: 480, presentationDelay: 18 }
  await store({ of: 'INP', attribution, values: { INP: 500 } })
  expect((await get('/visits', { vital: 'INP' })).visits).toMatchObject([
    { element: 'button#buy', resource: null, parts: [{ ms: 2 }, { ms: 480 }, { ms: 18 }] },
  ])
})

test('what is masked is no measurement any more', async ({ world: { clickhouse, store, summary } }) => {
  await store({ values: { LCP: 1000 } })
  const work = { signal: new AbortController().signal, progress: async () => undefined }
  await maskWebVitals(clickhouse, ['$web_vitals_LCP_value'], work)
  expect(await summary('LCP')).toMatchObject({ views: 0, leftOut: 1 })
})

test('without a measurement there are no numbers, and no paths', async ({ world: { get, summary } }) => {
  expect(await summary('LCP')).toEqual({
    ...{ vital: 'LCP', views: 0, good: 0, needsImprovement: 0, poor: 0, leftOut: 0 },
    percentiles: { p50: null, p75: null, p90: null },
  })
  expect(await get('/paths')).toEqual({ paths: [], hasMore: false })
})

test('analysts see web vitals, viewers do not', async ({ world: { call } }) => {
  const [analyst, viewer] = [await call('analyst'), await call('viewer')]
  for (const path of ['/web-vitals', '/web-vitals/paths', '/web-vitals/visits?vital=LCP']) {
    expect([path, (await analyst('GET', path)).status]).toEqual([path, 200])
    expect([path, (await viewer('GET', path)).status]).toEqual([path, 403])
  }
})
