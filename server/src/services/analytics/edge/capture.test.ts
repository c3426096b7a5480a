import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import lzString from 'lz-string'
import { PostHog } from 'posthog-node'
import { expect } from 'vitest'
import { compact, event, post, test, token } from '../../../../test/edge-world.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'

interface Recorded {
  readonly path: string
  readonly userAgent: string
  readonly body: unknown
}

test('what an unchanged posthog-js sent is stored as it was sent', async ({ edge }) => {
  const file = new URL('../../../../test/fixtures/recordings/order-form.json', import.meta.url)
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
  expect(await edge.analytics.events.sessionsByUrl('/ORDERS/1', 5)).toMatchObject([{ sessionId: first?.session_id }])
  const ids = timeline.map((one) => one.distinctId)
  expect(await edge.analytics.events.sessionsByDistinctId([...ids, 'nobody'], 5)).toMatchObject([
    { sessionId: first?.session_id },
  ])
  expect(await edge.analytics.events.sessionsByDistinctId(['nobody'], 5)).toEqual([])
  const { sessionIdsSince, distinctIdsSince, visitorHours } = edge.analytics.events
  const [minuteMs, hourMs] = [60_000, 3_600_000]
  const fromNow = (ms: number) => new Date(Date.now() + ms)
  expect(await sessionIdsSince(fromNow(-minuteMs))).toEqual([first?.session_id])
  expect(await sessionIdsSince(new Date(0), fromNow(-hourMs))).toEqual([])
  expect(await distinctIdsSince(new Date(0), fromNow(-hourMs))).toEqual([])
  const visitors = { sessions: 1, people: new Set(ids).size }
  expect(await visitorHours(fromNow(minuteMs), 2)).toEqual([{ ago: 0, ...visitors }])
  expect(await visitorHours(fromNow(hourMs + minuteMs), 2)).toEqual([{ ago: 1, ...visitors }])
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
