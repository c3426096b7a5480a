import { test as base, expect } from 'vitest'
import { startReceiver } from '../../../test/receiver.ts'
import { requestContext } from '../../../test/request-context.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import type { RequestContext, RequestRecord } from '../../ground/model/request.ts'
import { type TelemetrySettings, telemetrySettings } from './settings.ts'
import { createTelemetry } from './telemetry.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const startedAt = new Date('2026-01-02T03:04:05.000Z')

const ended = (context: Partial<RequestContext>, more: Partial<RequestRecord> = {}): RequestRecord => ({
  context: requestContext({
    id: uuidv7(),
    startedAt,
    method: 'POST',
    path: '/rest/v1/orders',
    query: 'select=*',
    ...context,
  }),
  ...{ service: 'rest', durationMs: 12.5, status: 201, requestBytes: 10, responseBytes: 0 },
  ...more,
})

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[]
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern
const test = base.extend('world', async ({}, { onCleanup }) => {
  let status = 200
  const collector = await startReceiver((response) => response.writeHead(status).end('{}'))
  const opened: (() => Promise<void>)[] = []
  onCleanup(async () => {
    for (const close of opened) await close()
    collector.close()
  })
  const defaults = Object.fromEntries(
    Object.entries(telemetrySettings).map(([name, { default: value }]) => [name, value]),
    // The defaults are those of the declared settings.
  ) as unknown as TelemetrySettings
  const open = (given: Partial<TelemetrySettings> = {}) => {
    const telemetry = createTelemetry({
      settings: { ...defaults, endpoint: collector.url, headers: { 'x-team': 'shop' }, ...given },
      ...{ version: '1.2.3', newId: () => uuidv7(), lingerMs: 1 },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    })
    opened.push(telemetry.close)
    return telemetry
  }
  return {
    ...{ collector, open },
    answerWith(next: number) {
      status = next
    },
    /** The spans that the collector was sent so far. */
    spans: (): readonly Span[] =>
      collector.received.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans),
  }
})

test('a request and its statements are spans of its own trace, named by its id', async ({ world }) => {
  const telemetry = world.open()
  const statement = { startedAt, durationMs: 3, text: 'insert into orders values ($1)', parameterTypes: ['text'] }
  const record = ended({ statements: [{ ...statement, rows: 1, role: 'anon', errorCode: '23505' }] }, { status: 409 })
  telemetry.requestEnded(record)
  await expect.poll(() => world.spans().length).toBe(2)
  const [post] = world.collector.received
  expect(post).toMatchObject({ method: 'POST', path: '/v1/traces' })
  expect(post?.headers).toMatchObject({ 'content-type': 'application/json', 'x-team': 'shop' })
  const { resource, scopeSpans } = JSON.parse(post?.body ?? '').resourceSpans[0]
  expect(resource.attributes).toEqual([{ key: 'service.name', value: { stringValue: 'clew' } }])
  expect(scopeSpans[0].scope).toEqual({ name: 'clew', version: '1.2.3' })
  const [request, insert] = world.spans()
  const id = record.context.id.replaceAll('-', '')
  expect(request).toMatchObject({
    ...{ traceId: id, spanId: id.slice(16), name: 'POST rest', kind: 2, status: {} },
    startTimeUnixNano: '1767323045000000000',
    endTimeUnixNano: '1767323045012500000',
  })
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '409' } })
  expect(request?.attributes).toContainEqual({ key: 'clew.request_id', value: { stringValue: record.context.id } })
  expect(insert).toMatchObject({
    traceId: id,
    parentSpanId: request?.spanId,
    name: 'INSERT',
    kind: 3,
    status: { code: 2 },
  })
  expect(insert?.spanId).toMatch(/^[0-9a-f]{16}$/)
  expect(insert?.attributes).toContainEqual({ key: 'db.response.status_code', value: { stringValue: '23505' } })
  expect(post?.body).not.toContain('select=*')
})

test('a request stands in the trace of its caller, whose flag says whether it is kept', async ({ world }) => {
  const telemetry = world.open({ samplePercentage: 0 })
  telemetry.requestEnded(ended({ headers: { traceparent: `00-${traceId}-${spanId}-00` } }))
  telemetry.requestEnded(ended({}))
  telemetry.requestEnded(ended({ headers: { traceparent: `00-${traceId}-${spanId}-01` } }))
  await expect.poll(() => world.spans().length).toBe(1)
  expect(world.spans()).toMatchObject([{ traceId, parentSpanId: spanId }])
})

test('of the traces that are ours to decide, so many in a hundred leave, with all of their requests', async ({
  world,
}) => {
  const half = '01973ab0-0000-7000-8000-000080000000'
  for (const [samplePercentage, count] of [
    [50, 0],
    [51, 2],
  ] as const) {
    const telemetry = world.open({ samplePercentage })
    telemetry.requestEnded(ended({ id: half }))
    // What this instance made on the way names its cause, and says that it is sampled.
    const traceparent = `00-${half.replaceAll('-', '')}-${spanId}-01`
    telemetry.requestEnded(ended({ causeId: half, headers: { traceparent } }))
    await telemetry.close()
    expect(world.spans().length).toBe(count)
  }
  expect(world.spans()[1]).toMatchObject({ traceId: half.replaceAll('-', ''), parentSpanId: world.spans()[0]?.spanId })
})

test('spans that the collector refuses are counted, and hold up none', async ({ world }) => {
  const telemetry = world.open()
  world.answerWith(400)
  telemetry.requestEnded(ended({}))
  await expect.poll(telemetry.dropped).toBe(1)
  world.answerWith(200)
  telemetry.requestEnded(ended({}))
  await expect.poll(() => world.collector.received.length).toBe(2)
  expect(telemetry.dropped()).toBe(1)
})

test('without a collector nothing leaves', async ({ world }) => {
  const telemetry = world.open({ endpoint: null })
  telemetry.requestEnded(ended({}))
  await telemetry.close()
  expect(world.collector.received).toEqual([])
})
