import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { PostHog } from 'posthog-node'
import { expect } from 'vitest'
import { post, test, token } from '../../../../test/edge-world.ts'
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

test('who came when is counted by when events happened, not by when they were told', async ({ edge }) => {
  const { sessionIdsSince, distinctIdsSince, visitorHours } = edge.analytics.events
  const [minuteMs, hourMs] = [60_000, 3_600_000]
  const fromNow = (ms: number) => new Date(Date.now() + ms)
  const batch = (
    [
      ['early', -3 * hourMs],
      ['late', -minuteMs],
    ] as const
  ).map(([id, ms]) => ({
    ...{ event: 'seen', uuid: uuidv7(), timestamp: fromNow(ms).toISOString() },
    properties: { distinct_id: id, $session_id: id, token },
  }))
  const sent = { method: 'POST', body: JSON.stringify({ api_key: token, batch }) }
  expect((await fetch(`${edge.url}/batch/`, sent)).status).toBe(200)
  await expect.poll(() => distinctIdsSince(fromNow(-4 * hourMs))).toHaveLength(2)
  expect(await distinctIdsSince(fromNow(-hourMs))).toEqual(['late'])
  expect(await sessionIdsSince(fromNow(-hourMs))).toEqual(['late'])
  expect(await sessionIdsSince(fromNow(-4 * hourMs), fromNow(-hourMs))).toEqual(['early'])
  expect((await visitorHours(fromNow(0), 25)).toSorted((left, right) => left.ago - right.ago)).toEqual([
    { ago: 0, sessions: 1, people: 1 },
    { ago: 3, sessions: 1, people: 1 },
  ])
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
