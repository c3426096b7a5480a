import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import lzString from 'lz-string'
import { PostHog } from 'posthog-node'
import { describe, expect } from 'vitest'
import { recordings } from '../../../test/counted-recordings.ts'
import { test as base } from '../../../test/harness.ts'
import { japan, lisbon, mmdbFile } from '../../../test/mmdb.ts'
import { refusedRowsIn } from '../../../test/refused-rows.ts'
import { spoolSettings } from '../../engines/spool/index.ts'
import { createThreads } from '../../engines/threads/index.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { readSettings } from '../../ground/settings/read.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import { type Analytics, analyticsSettings, analyticsTables, capturePlugin, createAnalytics } from './index.ts'

const token = 'phc_fixture'
const { values: settings } = readSettings(analyticsSettings, [])
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface Edge {
  readonly app: FastifyInstance
  readonly analytics: Analytics
  readonly url: string
  readonly snapshots: string[]
  /** The rows of the table, once as many are stored. */
  stored(count: number): Promise<readonly Row[]>
}

interface Row {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly session_id: string
  readonly client_time: string
  readonly browser: string
  readonly lib: string
  readonly properties: string
}

const test = base.extend('edge', async ({ db, clickhouseOfFile: clickhouse }, { onCleanup }): Promise<Edge> => {
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-edge-'))
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const geoDatabase = join(spoolDir, 'places.mmdb')
  await writeFile(
    geoDatabase,
    mmdbFile([
      ['203.0.113.0/24', lisbon],
      ['2001:db8::/32', japan],
    ]),
  )
  const snapshots: string[] = []
  const threads = createThreads()
  const analytics = await createAnalytics({
    sql: db.admin,
    clickhouse,
    spoolDir,
    refused: refusedRowsIn(spoolDir),
    spoolSettings: { ...readSettings(spoolSettings, []).values, backlogBytes: 500_000 },
    ingestTokens: [token],
    isSecretKey: (key) => key === 'sb_secret_test',
    recordings: {
      ...recordings,
      forget: async () => undefined,
      store: async (lines) => {
        snapshots.push(...lines.flatMap((block) => block.toString().split('\n')))
      },
    },
    now: () => new Date(),
    threads,
    newId: uuidv7,
    settings: { ...settings, maxEventBytes: 100_000, geoDatabase },
    log: silent,
  })
  const app = Fastify()
  await app.register(capturePlugin(analytics), { prefix: '/ingest' })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/ingest`
  onCleanup(async () => {
    await app.close()
    await analytics.close()
    await threads.close()
    await clickhouse.command({ text: 'truncate table events', parameters: {} })
    await rm(spoolDir, { recursive: true, force: true })
  })
  const select = compileClickHouse(sql`
    select uuid, event, distinct_id, session_id, client_time, browser, lib, properties
    from events final order by client_time, uuid`)
  return {
    app,
    analytics,
    url,
    snapshots,
    async stored(count) {
      let rows: readonly Row[] = []
      await expect
        .poll(async () => {
          rows = await clickhouse.query<Row>(select)
          return rows
        })
        .toHaveLength(count)
      return rows
    },
  }
})

const post = (url: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers })

const event = (properties: object = {}, more: object = {}) => ({
  uuid: uuidv7(),
  event: 'ordered',
  properties: { distinct_id: 'ada', ...properties },
  ...more,
})

interface Recorded {
  readonly path: string
  readonly userAgent: string
  readonly body: unknown
}

test('what an unchanged posthog-js sent is stored as it was sent', async ({ edge }) => {
  const file = new URL('../../../test/fixtures/recordings/order-form.json', import.meta.url)
  const recorded: Recorded[] = JSON.parse(await readFile(file, 'utf8'))
  for (const { path, userAgent, body } of recorded) {
    const answer = await post(`${edge.url}${path}`, gzipSync(JSON.stringify(body)), {
      'content-type': 'text/plain',
      'user-agent': userAgent,
      origin: 'http://localhost:40379',
    })
    expect([answer.status, await answer.text()]).toEqual([200, '{"status":"Ok"}'])
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:40379')
  }
  const sent = recorded.flatMap(({ body }) =>
    Array.isArray(body) ? [] : (body as { batch: { uuid: string; event: string; properties: object }[] }).batch,
  )
  const rows = await edge.stored(sent.length)
  expect(rows.map((row) => [row.uuid, row.event, JSON.parse(row.properties)]).sort()).toEqual(
    sent.map((one) => [one.uuid, one.event, one.properties]).sort(),
  )
  const messages = recorded.flatMap(({ body }) => (Array.isArray(body) ? body : []))
  await expect.poll(() => edge.snapshots).toHaveLength(messages.length)

  const [first] = rows
  const [summary] = await edge.analytics.events.summaries([first?.session_id ?? ''])
  expect(summary).toMatchObject({
    sessionId: first?.session_id,
    events: sent.length,
    pageviews: sent.filter((one) => one.event === '$pageview').length,
    firstUrl: 'http://localhost:40379/',
    browser: 'Chrome',
    os: 'Linux',
    device: 'Desktop',
  })
  const timeline = await edge.analytics.events.ofSession(first?.session_id ?? '', 100)
  expect(timeline.map((one) => one.uuid)).toEqual(rows.map((row) => row.uuid))
  expect(Object.keys(timeline[0]?.properties ?? {})).not.toContain('$os')
  expect(await edge.analytics.events.sessionsByUrl('/ORDERS/1', 5)).toEqual([first?.session_id])
  const ids = timeline.map((one) => one.distinctId)
  expect(await edge.analytics.events.sessionsByDistinctId([...ids, 'nobody'], 5)).toEqual([first?.session_id])
  expect(await edge.analytics.events.sessionsByDistinctId(['nobody'], 5)).toEqual([])
  expect(await edge.analytics.events.sessionIdsSince(new Date(Date.now() - 60_000))).toEqual([first?.session_id])
  expect(await edge.analytics.events.firstAt(new Date(0))).toBeInstanceOf(Date)
})

test('posthog-node’s batches are stored, its persons known', async ({ edge }) => {
  const client = new PostHog(token, { host: edge.url, flushAt: 100, flushInterval: 60_000 })
  for (let n = 0; n < 120; n += 1) client.capture({ distinctId: `user-${n % 3}`, event: 'numbered', properties: { n } })
  client.identify({ distinctId: 'user-0', properties: { email: 'ada@example.com', name: 'Ada' } })
  client.alias({ distinctId: 'user-0', alias: 'old-id' })
  await client.shutdown()
  const rows = await edge.stored(122)
  expect(
    rows
      .filter((row) => row.event === 'numbered')
      .map((row) => JSON.parse(row.properties).n)
      .sort((a, b) => a - b),
  ).toEqual(Array.from({ length: 120 }, (_, n) => n))
  expect(rows[0]?.lib).toBe('posthog-node')
  const find = () => edge.analytics.personsByDistinctId(['user-0', 'user-1', 'old-id', 'nobody'])
  await expect.poll(async () => (await find()).get('old-id')).toBeDefined()
  const people = await find()
  expect(people.get('user-0')).toMatchObject({ email: 'ada@example.com', name: 'Ada', userId: null })
  expect(people.get('old-id')).toEqual(people.get('user-0'))
  expect(people.get('user-1')?.personId).not.toBe(people.get('user-0')?.personId)
  expect(people.has('nobody')).toBe(false)
  expect(await edge.analytics.distinctIdsMatching('ADA@', 5)).toEqual(['old-id', 'user-0'])
  expect(await edge.analytics.distinctIdsMatching('example ad', 5)).toEqual(['old-id', 'user-0'])
  expect(await edge.analytics.distinctIdsMatching('da', 5)).toEqual([])
  expect(await edge.analytics.distinctIdsMatching('%', 5)).toEqual([])
})

test('a resent batch is stored once', async ({ edge }) => {
  const body = JSON.stringify({ api_key: token, batch: [event(), event()], sent_at: new Date().toISOString() })
  for (let time = 0; time < 3; time += 1) {
    expect((await post(`${edge.url}/e/?retry_count=${time}`, body)).status).toBe(200)
    await expect.poll(() => edge.analytics.waiting().bytes).toBe(0)
  }
  await edge.stored(2)
})

const compact = (body: unknown): string => JSON.stringify(body)

test('every form of a body is understood', async ({ edge }) => {
  const form = 'application/x-www-form-urlencoded'
  const single = (n: number) => compact({ api_key: token, ...event({ n, 'plus+ ünï 🚀': 'a+b c' }) })
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const forms: readonly [path: string, body: string | Buffer, headers: Record<string, string>][] = [
    ['/e', gzipSync(single(0)), { 'content-type': 'text/plain' }],
    ['/i/v0/e/', single(1), { 'content-type': 'application/json' }],
    ['/capture/', `data=${encodeURIComponent(base64(single(2)))}`, { 'content-type': form }],
    ['/track', `data=${base64(single(3)).replaceAll('+', ' ')}`, { 'content-type': form }],
    ['/engage/', `data=${encodeURIComponent(single(4))}`, { 'content-type': form }],
    ['/batch', gzipSync(compact({ api_key: token, batch: [event({ n: 5 })] })), { 'content-encoding': 'gzip' }],
    ['/e/', base64(single(6)), { 'content-type': 'application/octet-stream' }],
    ['/e/', Buffer.from(gzipSync(single(7)).toString('base64')), {}],
    ['/e/', compact([event({ n: 8, token }), event({ n: 9, token })]), {}],
    ['/e/?token=phc_fixture', compact(event({ n: 10 })), {}],
    ['/e/', compact({ api_key: token, batch: [{ bad: true }, event({ n: 11 })] }), {}],
    [
      '/e/?compression=lz64',
      `data=${encodeURIComponent(lzString.compressToBase64(single(14)))}`,
      { 'content-type': form },
    ],
  ]
  for (const [path, body, headers] of forms) {
    const answer = await post(`${edge.url}${path}`, body, headers)
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, '{"status":"Ok"}'])
  }
  const pixel = await fetch(`${edge.url}/e/?ip=1&_=${Date.now()}&data=${encodeURIComponent(base64(single(12)))}`)
  expect(pixel.status).toBe(200)
  const beacon = await post(`${edge.url}/e/?beacon=1`, gzipSync(single(13)))
  expect([beacon.status, await beacon.text()]).toEqual([204, ''])
  const rows = await edge.stored(15)
  const properties = rows.map((row) => JSON.parse(row.properties))
  expect(properties.map((one) => one.n).sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, n) => n))
  expect(properties.filter((one) => one['plus+ ünï 🚀'] === 'a+b c')).toHaveLength(10)
})

test('refusals are answered as the clients need them', async ({ edge }) => {
  const cases: readonly [what: string, path: string, body: string | Buffer, status: number][] = [
    ['no JSON', '/e/', 'hello', 400],
    ['an empty body', '/e/', '', 400],
    ['cut gzip', '/e/', gzipSync('{}'.repeat(100)).subarray(0, 15), 400],
    ['no events', '/batch/', compact({ api_key: token, batch: [] }), 400],
    ['no name', '/e/', compact({ api_key: token, properties: { distinct_id: 'a' } }), 400],
    ['no distinct id', '/e/', compact({ api_key: token, event: 'x' }), 400],
    [
      'a recording without a session',
      '/s/',
      compact([{ event: '$snapshot', properties: { token, distinct_id: 'a', $snapshot_data: [{}] } }]),
      400,
    ],
    ['no token', '/e/', compact(event()), 401],
    ['an unknown token', '/e/', compact({ api_key: 'phc_other', ...event() }), 401],
    ['mixed tokens', '/e/', compact([event({ token }), event({ token: 'phc_other' })]), 401],
    ['one event that is too large', '/e/', compact({ api_key: token, ...event({ text: 'x'.repeat(100_000) }) }), 413],
    ['a bomb', '/e/', gzipSync(Buffer.alloc(30 * 1024 * 1024)), 413],
    ['cut lz64', '/e/?compression=lz64', 'N4Ig', 400],
    ['an unknown path', '/nothing/', '{}', 404],
  ]
  for (const [what, path, body, status] of cases) {
    const answer = await post(`${edge.url}${path}`, body, { origin: 'https://app.example' })
    expect([what, answer.status]).toEqual([what, status])
    expect(answer.headers.get('access-control-allow-origin'), what).toBe('https://app.example')
    expect(answer.headers.get('content-type'), what).toContain('application/json')
  }
  expect(edge.analytics.waiting().refused).toMatchObject({ no_event_name: 1, no_distinct_id: 1, too_large: 1 })
})

test('preflights are answered on every path without a token', async ({ edge }) => {
  for (const path of ['/e/', '/s', '/flags/?v=2', '/array/x/config', '/nothing/at/all']) {
    const answer = await fetch(`${edge.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-headers': 'content-type,x-posthog-session-id' },
    })
    expect([path, answer.status]).toEqual([path, 204])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-headers': 'content-type,x-posthog-session-id',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-expose-headers': 'Retry-After',
      vary: 'Origin',
    })
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(600)
  }
})

test('capture V1 answers for each event by itself', async ({ edge }) => {
  const good = {
    uuid: uuidv7(),
    event: 'paid',
    distinct_id: 'ada',
    session_id: 's-1',
    options: { process_person_profile: false },
    properties: {},
  }
  const bad = { uuid: uuidv7(), event: '', distinct_id: 'ada', properties: {} }
  const answer = await post(`${edge.url}/i/v1/analytics/events`, gzipSync(compact({ batch: [good, bad] })), {
    'content-encoding': 'gzip',
    authorization: `Bearer ${token}`,
    'posthog-sdk-info': 'posthog-node/5.70.0',
    'posthog-request-timestamp': new Date().toISOString(),
  })
  expect(await answer.json()).toEqual({
    results: { [good.uuid]: { result: 'ok' }, [bad.uuid]: { result: 'drop', details: 'no_event_name' } },
  })
  const [row] = await edge.stored(1)
  expect(row).toMatchObject({ uuid: good.uuid, session_id: 's-1', lib: 'posthog-node' })
  expect((await edge.analytics.personsByDistinctId(['ada'])).size).toBe(0)
})

test('an unchanged posthog-js is told to record, and to ask for no flags', async ({ edge }) => {
  const config = await (await fetch(`${edge.url}/array/${token}/config?ip=0`)).json()
  expect(config).toMatchObject({
    supportedCompression: ['gzip', 'gzip-js'],
    autocapture_opt_out: false,
    hasFeatureFlags: false,
    elementsChainAsString: true,
    sessionRecording: {
      endpoint: '/s/',
      consoleLogRecordingEnabled: true,
      networkPayloadCapture: { recordHeaders: true },
    },
  })
  const script = await fetch(`${edge.url}/array/${token}/config.js`)
  expect(script.headers.get('content-type')).toContain('javascript')
  const page: { _POSTHOG_REMOTE_CONFIG?: Record<string, unknown> } = {}
  new Function('window', await script.text())(page)
  expect(page._POSTHOG_REMOTE_CONFIG).toEqual({ [token]: { config, siteApps: [] } })
  expect((await fetch(`${edge.url}/array/phc_other/config.js`)).status).toBe(404)
})

test('flags are answered in every version’s form', async ({ edge }) => {
  const ask = async (path: string) => (await post(`${edge.url}${path}`, compact({ token, distinct_id: 'ada' }))).json()
  expect(await ask('/flags/?v=2')).toMatchObject({ flags: {}, errorsWhileComputingFlags: false })
  expect(await ask('/flags?v=2&config=true')).toMatchObject({ flags: {}, supportedCompression: ['gzip', 'gzip-js'] })
  expect(await ask('/decide/?v=3')).toMatchObject({ featureFlags: {}, featureFlagPayloads: {}, hasFeatureFlags: false })
  expect(await ask('/decide/')).toMatchObject({ featureFlags: [] })
  expect((await post(`${edge.url}/flags/?v=2`, compact({ token }))).status).toBe(400)
  expect((await post(`${edge.url}/flags/?v=2`, compact({ token: 'phc_other', distinct_id: 'a' }))).status).toBe(401)

  const definitions = `${edge.url}/flags/definitions?token=${token}&send_cohorts`
  expect((await fetch(definitions)).status).toBe(401)
  const headers = { authorization: 'Bearer sb_secret_test' }
  const answer = await fetch(definitions, { headers })
  expect(await answer.json()).toEqual({ flags: [], group_type_mapping: {}, cohorts: {} })
  const again = await fetch(definitions, { headers: { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  expect(await (await fetch(`${edge.url}/api/surveys/?token=${token}`)).json()).toEqual({ surveys: [] })
})

test('scripts are the npm package’s own, whatever version is asked for', async ({ edge }) => {
  const file = await readFile(new URL('../../../../node_modules/posthog-js/dist/lazy-recorder.js', import.meta.url))
  const { version } = edge.analytics.edge.scripts
  const cases: readonly [path: string, cache: RegExp][] = [
    [`/static/${version}/lazy-recorder.js`, /immutable/],
    ['/static/1.999.0/lazy-recorder.js', /max-age=60$/],
    [`/static/lazy-recorder.js?v=${version}`, /max-age=60$/],
  ]
  for (const [path, cache] of cases) {
    for (const encoding of ['identity', 'gzip']) {
      const answer = await fetch(`${edge.url}${path}`, { headers: { 'accept-encoding': encoding } })
      expect(answer.headers.get('content-type')).toContain('javascript')
      expect(answer.headers.get('cache-control')).toMatch(cache)
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null)
      expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true)
    }
  }
  for (const path of [
    '/static/toolbar.js',
    '/static/1.0.0/..%2Fpackage.json',
    '/static/%2e%2e%2fpackage.json',
    '/static/main.d.ts',
  ]) {
    const answer = await fetch(`${edge.url}${path}`)
    expect([path, answer.status]).toEqual([path, 404])
    expect(answer.headers.get('content-type')).toContain('application/json')
  }
})

test('who asked for no cookies gets an id of the day and no person', async ({ edge }) => {
  const cookieless = () => event({ distinct_id: '$posthog_cookieless', $cookieless_mode: true, $host: 'shop.example' })
  await post(`${edge.url}/e/`, compact({ api_key: token, batch: [cookieless()] }))
  await post(`${edge.url}/e/`, compact({ api_key: token, batch: [cookieless()] }))
  await post(`${edge.url}/e/`, compact({ api_key: token, batch: [cookieless()] }), { 'user-agent': 'another' })
  const rows = await edge.stored(3)
  const ids = rows.map((row) => row.distinct_id)
  expect(new Set(ids).size).toBe(2)
  expect(ids.every((id) => id.startsWith('cookieless_'))).toBe(true)
  expect((await edge.analytics.personsByDistinctId(ids)).size).toBe(0)
  // The two visits of one visitor are one session, by the server's own id.
  const sessions = new Map(rows.map((row) => [row.distinct_id, row.session_id]))
  expect(new Set(rows.map((row) => `${row.distinct_id} ${row.session_id}`)).size).toBe(2)
  expect([...sessions.values()].every((id) => id !== '')).toBe(true)
})

test('properties are kept word for word, odd ones made well', async ({ edge }) => {
  const at = (second: number) => `"timestamp":"2026-01-02T03:04:0${second}.678Z","event":"ordered","distinct_id":"ada"`
  const sent =
    '{"id": 12345678901234567890, "ratio":1.0,"\\u0061\\/":"\\u0000 } ü 🚀", "nested":{"properties":{"a":[]}}}'
  const half = '{"half":"\\ud800", "pair":"\\ud83d\\ude80"}'
  const broken = '{"lines":\n\t1}'
  const events = [sent, half, broken].map((properties, second) => `{${at(second)},"properties":${properties}}`)
  const send = (batch: readonly string[]) => post(`${edge.url}/batch/`, `{"api_key":"${token}","batch":[${batch}]}`)
  expect((await send(events.slice(0, 2))).status).toBe(200)
  expect((await send(events.slice(2))).status).toBe(200)
  const rows = await edge.stored(3)
  expect(rows.map((row) => row.properties)).toEqual([sent, '{"half":"\ufffd","pair":"🚀"}', '{"lines":1}'])
  expect(rows.map((row) => row.client_time)).toEqual([0, 1, 2].map((second) => `2026-01-02 03:04:0${second}.678`))
})

test('a full spool takes nothing and says when to come back', async ({ edge }) => {
  const batch = Array.from({ length: 10 }, () => event({ text: 'x'.repeat(90_000) }))
  const answer = await post(`${edge.url}/batch/`, compact({ api_key: token, batch }))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({ type: 'server_error', code: 'CLEW_INGEST_FULL' })
  expect((await post(`${edge.url}/batch/`, compact({ api_key: token, batch: [event()] }))).status).toBe(200)
  await edge.stored(1)
})

test('an event that cannot be kept does not harm its batch', async ({ edge }) => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const odd = compact(event({ odd: '\ud800 \u0000 \u2028 \\ud800', deep: JSON.parse(nested(190)) }))
  const huge = compact(event({ text: 'x'.repeat(100_000) }))
  const answer = await post(`${edge.url}/batch/`, `{"api_key":"${token}","batch":[${odd},${huge},null]}`)
  expect(answer.status).toBe(200)
  const [row] = await edge.stored(1)
  expect(JSON.parse(row?.properties ?? '{}').odd).toBe('\ufffd \u0000 \u2028 \\ud800')
  expect(edge.analytics.waiting().refused).toEqual({ too_large: 1, not_an_object: 1 })
})

test('a body nested too deep is refused before it is parsed, in every form', async ({ edge }) => {
  const nested = '['.repeat(100_000) + ']'.repeat(100_000)
  const body = `{"api_key":"${token}","event":"deep","distinct_id":"ada","properties":{"deep":${nested}}}`
  const cases: readonly (readonly [path: string, body: string | Buffer, headers?: Record<string, string>])[] = [
    ['/e/', body],
    ['/i/v0/e/', gzipSync(body)],
    ['/capture/', Buffer.from(body).toString('base64')],
    ['/s/', `[${body}]`],
    ['/flags/', body],
    ['/i/v1/analytics/events', `{"batch":[${body}]}`, { authorization: `Bearer ${token}` }],
  ]
  for (const [path, sent, headers] of cases) {
    const answer = await post(`${edge.url}${path}`, sent, headers)
    expect([path, answer.status]).toEqual([path, 400])
    expect(await answer.json()).toMatchObject({ type: 'validation_error', code: 'CLEW_INGEST_TOO_DEEP' })
  }
  expect(edge.analytics.waiting()).toMatchObject({ accepted: 0, bytes: 0 })
})

test('a wrong token beside the body is refused, whatever the body is', async ({ edge }) => {
  const damaged = Buffer.from('1f8b0800', 'hex')
  for (const [path, headers] of [
    ['/e/?token=phc_other', {}],
    ['/s/?api_key=phc_other', {}],
    ['/i/v1/analytics/events', { authorization: 'Bearer phc_other' }],
    ['/i/v1/analytics/events', {}],
  ] as const) {
    const answer = await post(`${edge.url}${path}`, damaged, headers)
    expect([path, answer.status]).toEqual([path, 401])
    expect(await answer.json()).toMatchObject({ code: 'CLEW_INGEST_TOKEN' })
  }
})

describe('a large body', () => {
  const many = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, index) => event({ text: 'ä'.repeat(100), index, ...more }))

  test('is read beside the event loop, and stored like any other', async ({ edge }) => {
    const batch = many(500)
    const body = compact({ api_key: token, batch })
    expect(body.length).toBeGreaterThan(64 * 1024)
    const [large, packed, small] = await Promise.all([
      post(`${edge.url}/batch/`, body),
      post(`${edge.url}/batch/`, gzipSync(compact({ api_key: token, batch: many(500) }))),
      post(`${edge.url}/e/`, compact({ ...event(), api_key: token })),
    ])
    expect([large.status, packed.status, small.status]).toEqual([200, 200, 200])
    expect(await large.text()).toBe('{"status":"Ok"}')
    const rows = await edge.stored(1001)
    const byUuid = new Map(rows.map((row) => [row.uuid, row.properties]))
    for (const { uuid, properties } of batch) expect(byUuid.get(uuid)).toBe(compact(properties))
    expect(edge.analytics.waiting().accepted).toBe(1001)
  })

  test('of recordings is stored line by line', async ({ edge }) => {
    const messages = Array.from({ length: 40 }, (_, index) => ({
      event: '$snapshot',
      properties: {
        token,
        distinct_id: 'ada',
        $session_id: `s-${index}`,
        $snapshot_data: Array.from({ length: 50 }, () => ({ type: 3, timestamp: 1, data: { text: 'x'.repeat(100) } })),
      },
    }))
    expect((await post(`${edge.url}/s/`, gzipSync(compact(messages)))).status).toBe(200)
    await expect.poll(() => edge.snapshots).toHaveLength(40)
    expect(edge.snapshots.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ session: 's-39', n: 50 }),
    )
  })

  test('is refused like a small one', async ({ edge }) => {
    const bad = { event: '', distinct_id: 'ada', properties: { text: 'x'.repeat(200) } }
    const cases: readonly (readonly [path: string, body: string | Buffer, status: number, code: string])[] = [
      ['/batch/', compact({ api_key: 'phc_other', batch: many(500) }), 401, 'CLEW_INGEST_TOKEN'],
      ['/batch/', `{"api_key":"${token}","batch":[${'x'.repeat(100_000)}`, 400, 'CLEW_INGEST_JSON'],
      ['/batch/', compact({ api_key: token, batch: new Array(500).fill(bad) }), 400, 'CLEW_INGEST_BAD_EVENT'],
      ['/batch/', compact({ api_key: token, text: 'x'.repeat(100_000), batch: [] }), 400, 'CLEW_INGEST_NO_EVENTS'],
      ['/batch/', `{"api_key":"${token}","batch":[${'1,'.repeat(20_000)}1]}`, 413, 'CLEW_INGEST_TOO_LARGE'],
      ['/e/', gzipSync(`[${'[],'.repeat(3_000_000)}1]`), 413, 'CLEW_INGEST_TOO_LARGE'],
      ['/e/', gzipSync(' '.repeat(30_000_000)), 413, 'CLEW_INGEST_TOO_LARGE'],
      ['/s/', gzipSync('['.repeat(10_000_000)), 400, 'CLEW_INGEST_TOO_DEEP'],
      ['/e/', Buffer.from(`1f8b08${'ff'.repeat(200_000)}`, 'hex'), 400, 'CLEW_INGEST_ENCODING'],
    ]
    const answers = await Promise.all(
      cases.map(async ([path, body]) => {
        const answer = await post(`${edge.url}${path}`, body)
        const { code } = (await answer.json()) as { code: string }
        return [answer.status, code]
      }),
    )
    expect(answers).toEqual(cases.map(([, , status, code]) => [status, code]))
    expect(edge.analytics.waiting()).toMatchObject({ accepted: 0, bytes: 0 })
  })

  test('of Capture V1 is answered event by event', async ({ edge }) => {
    const batch = [...many(500), { ...event(), event: '' }]
    const answer = await post(`${edge.url}/i/v1/analytics/events`, compact({ batch }), {
      authorization: `Bearer ${token}`,
    })
    const { results } = (await answer.json()) as { results: Record<string, object> }
    expect(Object.keys(results)).toEqual(batch.map(({ uuid }) => uuid))
    expect(results[batch[0]?.uuid ?? '']).toEqual({ result: 'ok' })
    expect(results[batch.at(-1)?.uuid ?? '']).toEqual({ result: 'drop', details: 'no_event_name' })
    await edge.stored(500)
  })

  test('of visitors without cookies gets the day’s ids', async ({ edge }) => {
    const batch = many(500, { $cookieless_mode: true })
    expect((await post(`${edge.url}/batch/`, compact({ api_key: token, batch }))).status).toBe(200)
    const rows = await edge.stored(500)
    expect(new Set(rows.map((row) => row.distinct_id)).size).toBe(1)
    expect(rows[0]?.distinct_id).toMatch(/^cookieless_/)
  })
})

describe('places', () => {
  const batch = (events: readonly object[]) => JSON.stringify({ api_key: token, batch: events })
  const geoOf = (properties: string): object =>
    Object.fromEntries(Object.entries(JSON.parse(properties)).filter(([name]) => name.includes('geoip')))

  test.for([
    ['read at once', 10],
    ['read in a thread', 90_000],
  ] as const)(
    'events and persons have the place of their address, which is not kept: a body %s',
    async ([, padding], { edge }) => {
      const session = uuidv7()
      let second = 0
      const at = (ip: string | null, more: object = {}) => {
        second += 1
        const timestamp = new Date(Date.parse('2026-03-01T00:00:00Z') + second * 1000).toISOString()
        return event({ ...(ip !== null && { $ip: ip }), $session_id: session, ...more }, { timestamp })
      }
      const text = 'x'.repeat(padding)
      const sent = await edge.app.inject({
        ...{ method: 'POST', url: '/ingest/batch/', remoteAddress: '203.0.113.9' },
        payload: batch([
          at(null, { text }),
          at('2001:db8::1'),
          at('203.0.113.77', { $cookieless_mode: true }),
          at('203.0.113.77', { distinct_id: 'asked not to', $geoip_disable: true }),
          at('203.0.113.77', { distinct_id: 'knows it', $geoip_country_code: 'FR' }),
          at('198.51.100.1', { distinct_id: 'nowhere' }),
        ]),
      })
      expect(sent.statusCode).toBe(200)
      const rows = await edge.stored(6)
      const placeOf = (id: string) => rows.filter((row) => row.distinct_id === id).map((row) => geoOf(row.properties))
      const [inLisbon, inJapan] = placeOf('ada')
      expect(inLisbon).toMatchObject({
        $geoip_city_name: 'Lisbon',
        $geoip_country_code: 'PT',
        $geoip_latitude: 38.7057,
      })
      expect(inJapan).toEqual({ $geoip_country_code: 'JP', $geoip_country_name: 'Japan' })
      expect(placeOf('asked not to')).toEqual([{ $geoip_disable: true }])
      expect(placeOf('knows it')).toEqual([{ $geoip_country_code: 'FR' }])
      expect(placeOf('nowhere')).toEqual([{}])
      const visitor = rows.find((row) => row.distinct_id.startsWith('cookieless_'))
      expect(geoOf(visitor?.properties ?? '{}')).toMatchObject({ $geoip_city_name: 'Lisbon' })
      expect(geoOf(visitor?.properties ?? '{}')).not.toHaveProperty('$geoip_postal_code')
      expect(rows.map((row) => row.properties).join()).not.toContain('203.0.113')
      // They were in Lisbon first; what only Lisbon's record has is gone.
      await expect
        .poll(async () => (await edge.analytics.storedPerson('ada'))?.properties)
        .toEqual({
          ...inJapan,
          ...Object.fromEntries(
            Object.entries(inLisbon ?? {}).map(([name, value]) => [name.replace('$', '$initial_'), value]),
          ),
        })
      expect(await edge.analytics.storedPerson('asked not to')).toMatchObject({ properties: {} })
      expect(await edge.analytics.events.summaries([session])).toMatchObject([{ countryCode: 'FR', city: null }])
    },
  )

  test('a place is told of a person again when it is another', async ({ edge, db }) => {
    const send = async (ip: string) => {
      const payload = batch([event({ $ip: ip })])
      await edge.app.inject({ method: 'POST', url: '/ingest/batch/', payload })
    }
    const stored = async () => {
      const { rows } = await db.admin.query<{ code: string; at: number }>(
        compile(sql`
          select properties ->> '$geoip_country_code' as code, (property_times ->> '$geoip_country_code')::float8 as at
          from clew_analytics.persons`),
      )
      return rows.map(({ code, at }) => [code, at])[0]
    }
    await send('203.0.113.1')
    await expect.poll(stored).toEqual(['PT', expect.any(Number)])
    const before = await stored()
    await send('203.0.113.2')
    await edge.stored(2)
    expect(await stored()).toEqual(before)
    await send('2001:db8::2')
    await expect.poll(stored).toEqual(['JP', expect.any(Number)])
  })
})
