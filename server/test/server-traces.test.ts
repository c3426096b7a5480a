import { expect } from 'vitest'
import type { MaskList } from '../src/ground/privacy/masks.ts'
import type { RequestDetail } from '../src/services/thread/schemas/request.ts'
import type { SessionDetail } from '../src/services/thread/schemas/session.ts'
import type { ServerLogsPage } from '../src/services/thread/schemas/trace.ts'
import { attribute, test as base, log, nanos, openOn, traceId } from './otlp-world.ts'
import { openWorld, session, tagged, type World } from './thread-world.ts'

/** A thread that shows what servers told, and the sender of a server called `shop`. */
const test = base.extend('world', async ({ db, clickhouse }, { onCleanup }) => {
  const announced: string[] = []
  const otlp = await openOn(clickhouse, {
    live: { announce: (topic) => void announced.push(topic), isWatched: () => true },
    sessionsOf: (traceIds) => world.thread.sessionsOfTraces(traceIds),
  })
  const world: World = await openWorld(db, clickhouse, {
    traces: { find: otlp.otlp.findTraces, logs: otlp.otlp.logs.list, loggers: otlp.otlp.logs.services },
  })
  onCleanup(async () => {
    await otlp.close()
    await world.thread.close()
  })
  await db.load('create table orders (id int primary key)')
  const resource = { attributes: [attribute('service.name', 'shop')] }
  const send = async (path: string, body: object): Promise<void> => {
    expect((await otlp.post(path, JSON.stringify(body))).status).toBe(200)
    await otlp.otlp.flush()
  }
  return {
    ...{ ...world, otlp, announced, clickhouse },
    spans: (...spans: readonly object[]) =>
      send('/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }),
    logs: (...logRecords: readonly object[]) =>
      send('/v1/logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }),
    async request(id: string, role?: 'owner' | 'analyst') {
      const { status, body } = await world.get(`/requests/${id}`, role)
      return status === 200 ? (body as RequestDetail) : null
    },
    async moments(role?: 'owner' | 'analyst') {
      return ((await world.get(`/sessions/${session}`, role)).body as SessionDetail).moments
    },
  }
})

/** The span that made the request, within one that serves a page. */
const caller = '00f067aa0ba902b7'
const page = '00f067aa0ba902b6'
const traceparent = `00-${traceId}-${caller}-01`

const spanAt = (atMs: number, durationMs: number, more: object) => ({
  ...{ traceId, startTimeUnixNano: nanos(atMs), endTimeUnixNano: nanos(atMs + durationMs) },
  ...more,
})

test('spans of a request’s trace stand around it, also where they come later', async ({ world }) => {
  const at = new Date()
  const { id } = await world.call('insert into orders values (1)', { headers: { ...tagged, traceparent }, at })
  await expect.poll(async () => (await world.request(id))?.trace).toBeNull()
  await world.spans(
    spanAt(at.getTime() - 5, 40, { spanId: caller, parentSpanId: page, name: 'POST orders', kind: 3 }),
    spanAt(at.getTime() - 10, 60, {
      spanId: page,
      name: 'POST /checkout',
      kind: 2,
      attributes: [attribute('city', 'Porto')],
    }),
    // Of the same id in another trace.
    spanAt(at.getTime(), 60, { traceId: 'f'.repeat(32), spanId: page, name: 'GET /other', kind: 2 }),
  )
  await world.logs({ ...log(), traceId, spanId: page, body: { stringValue: 'card charged' }, severityNumber: 17 })
  const trace = (await world.request(id))?.trace
  expect(
    trace?.spans.map(({ depth, kind, name, service, offsetMs }) => [depth, kind, name, service, offsetMs]),
  ).toEqual([
    [0, 'server', 'POST /checkout', 'shop', 0],
    [1, 'client', 'POST orders', 'shop', 5],
    [2, 'request', 'POST /rest/v1/orders', '', 10],
    [3, 'statement', 'insert into orders values (1)', '', expect.any(Number)],
  ])
  expect(trace?.spans[0]?.attributes).toEqual({ city: 'Porto' })
  expect(trace).toMatchObject({ logs: [{ text: 'card charged', level: 'error', service: 'shop' }], isCut: false })

  const seen = (await world.request(id, 'analyst'))?.trace
  expect(seen?.spans.map(({ name }) => name)).toContain('POST /checkout')
  expect([seen?.spans[0]?.attributes, seen?.logs]).toEqual([{}, []])

  // In the session's timeline it is a moment of its own, and the session's viewers were told.
  const moments = await world.moments()
  expect(moments.map(({ kind, label }) => [kind, label])).toEqual([
    ['span', 'POST /checkout'],
    ['request', 'POST /rest/v1/orders'],
    ['log', 'card charged'],
  ])
  expect(moments[0]?.spans?.map(({ name, depth }) => [name, depth])).toEqual([
    ['POST /checkout', 0],
    ['POST orders', 1],
  ])
  expect(moments[2]?.log).toMatchObject({ level: 'error', service: 'shop' })
  expect((await world.moments('analyst')).map(({ kind }) => kind)).toEqual(['span', 'request'])
  expect(world.announced).toContain(`session:${session}`)
  expect(world.announced).toContain('requests')
})

test('what a request led to stands below it', async ({ world }) => {
  const at = new Date()
  const { id } = await world.call('insert into orders values (1)', { at })
  const own = id.replaceAll('-', '')
  await world.spans(
    // The parent is a code that only this instance can make, and no span of anybody's.
    spanAt(at.getTime() + 100, 20, { traceId: own, spanId: page, parentSpanId: caller, name: 'POST /hook', kind: 2 }),
  )
  await expect.poll(async () => (await world.request(id))?.trace?.spans.length).toBe(3)
  const spans = (await world.request(id))?.trace?.spans
  expect(spans?.map(({ depth, name }) => [depth, name])).toEqual([
    [0, 'POST /rest/v1/orders'],
    [1, 'insert into orders values (1)'],
    [1, 'POST /hook'],
  ])
})

test('a trace in which a span names the session is of the session, with no request in it', async ({ world }) => {
  await world.call('insert into orders values (1)', { headers: tagged })
  const now = Date.now()
  await world.spans(
    spanAt(now + 1, 30, { spanId: page, name: 'GET /cart', kind: 2, attributes: [attribute('session.id', session)] }),
    spanAt(now + 2, 10, { spanId: caller, parentSpanId: page, name: 'cart from cache' }),
  )
  await world.logs({ ...log(), body: { stringValue: 'cart of 3' }, attributes: [attribute('session.id', session)] })
  await expect.poll(async () => (await world.moments()).map(({ kind }) => kind)).toHaveLength(3)
  const [trace] = (await world.moments()).filter(({ kind }) => kind === 'span')
  expect(trace?.spans?.map(({ name, depth }) => [name, depth])).toEqual([
    ['GET /cart', 0],
    ['cart from cache', 1],
  ])
})

test('spans that stand in one another are shown once', async ({ world }) => {
  const at = new Date()
  const { id } = await world.call('select 1', { headers: { traceparent }, at, method: 'GET' })
  await world.spans(
    spanAt(at.getTime() + 1, 1, { spanId: caller, parentSpanId: page, name: 'one' }),
    spanAt(at.getTime() + 2, 1, { spanId: page, parentSpanId: caller, name: 'other' }),
  )
  await expect
    .poll(async () => (await world.request(id))?.trace?.spans.map(({ name }) => name).sort())
    .toEqual(['GET /rest/v1/orders', 'one', 'other', 'select 1'])
})

test('what is masked is masked before it is stored, and in what is stored', async ({ world, clickhouse, openOtlp }) => {
  const list: MaskList = { columns: [{ schema: 'public', table: 'users', column: 'email' }], properties: ['city'] }
  const traced = (spanId: string) => ({
    ...spanAt(Date.now(), 1, { spanId, name: 'GET /users?email=ada@shop.test' }),
    attributes: [attribute('email', 'ada@shop.test'), attribute('city', 'Porto'), attribute('shop', 'one')],
    events: [{ timeUnixNano: nanos(Date.now()), name: 'e', attributes: [attribute('email', 'ada@shop.test')] }],
  })
  await world.spans(traced(page))
  await world.logs({ ...log(), body: { stringValue: 'of /users?email=ada@shop.test&n=1' } })
  const masking = await openOtlp({ masks: { current: async () => list } })
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [traced(caller)] }] }] })
  await masking.post('/v1/traces', body)
  const rows = async () => (await masking.spans()).map(({ name, attributes, events }) => ({ name, attributes, events }))
  const masked = {
    name: 'GET /users?email=[masked]',
    attributes: '{"email":"[masked]","city":"[masked]","shop":"one"}',
  }
  expect(await rows()).toContainEqual({
    ...masked,
    events: expect.stringContaining('"attributes":{"email":"[masked]"}'),
  })
  const work = { signal: new AbortController().signal, progress: async () => undefined }
  for (const store of masking.otlp.maskedStores) await store.mask(list, work)
  // Of an event that was kept before, all goes.
  expect(await rows()).toContainEqual({ ...masked, events: '' })
  expect(await masking.logs()).toMatchObject([{ text: 'of /users?email=[masked]&n=1' }])
  expect(JSON.stringify(await clickhouse.query({ text: 'select * from spans', parameters: {} }))).not.toContain('ada@')
})

test('all log records are listed, also those of no trace and session, and each with what it belongs to', async ({
  world,
}) => {
  const at = Date.now() - 60_000
  const { id } = await world.call('insert into orders values (1)', { headers: { ...tagged, traceparent } })
  await expect.poll(() => world.request(id)).not.toBeNull()
  const line = (text: string, secondsAgo: number, more: object = {}) => ({
    ...{ timeUnixNano: nanos(at - secondsAgo * 1000), severityNumber: 9, body: { stringValue: text } },
    ...more,
  })
  await world.logs(
    line('started', 5),
    line('card declined', 4, { severityNumber: 17 }),
    line('cart of 3', 3, { attributes: [attribute('session.id', session)] }),
    line('order kept', 2, { traceId, spanId: page }),
    line('Disk at 91 %', 24 * 3600 + 1, { severityNumber: 13 }),
  )
  const list = async (query: string, role?: 'owner' | 'analyst') => {
    const { status, body } = await world.get(`/server-logs?${query}`, role)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as ServerLogsPage
  }
  const texts = async (query: string) => (await list(query)).logs.map(({ text }) => text)
  expect((await list('')).logs.map(({ text, requestId, sessionId }) => [text, requestId, sessionId])).toEqual([
    ['order kept', id, null],
    ['cart of 3', null, session],
    ['card declined', null, null],
    ['started', null, null],
    ['Disk at 91 %', null, null],
  ])
  expect(await texts('level=warn')).toEqual(['card declined', 'Disk at 91 %'])
  expect(await texts('q=disk')).toEqual(['Disk at 91 %'])
  expect(await texts(`q=${traceId}`)).toEqual(['order kept'])
  expect(await texts('service=other')).toEqual([])
  const first = await list('limit=3&service=shop')
  expect(first.logs.map(({ text }) => text)).toEqual(['order kept', 'cart of 3', 'card declined'])
  expect(await texts(`limit=3&service=shop&before=${first.next}`)).toEqual(['started', 'Disk at 91 %'])
  expect((await list(`before=${'x'.repeat(128)}`)).logs).toEqual([])
  expect((await world.get('/server-log-services')).body).toEqual({ services: ['shop'] })
  expect((await world.get('/server-logs', 'analyst')).status).toBe(403)
})
