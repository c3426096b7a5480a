import { expect } from 'vitest'
import { analyticsTables, createConsents } from '../src/services/analytics/index.ts'
import { authTables } from '../src/services/auth/index.ts'
import { test as base } from './harness.ts'
import { attribute, log, nanos, openOn, span } from './otlp-world.ts'
import { tablesWith } from './tables-with.ts'

const [ofAna, ofBen, unknown] = ['session-of-ana', 'session-of-ben', 'session-of-a-stranger'] as const

/** What takes spans where each of two visitors has an event in a session, and a way to decide for them. */
const test = base.extend('open', async ({ db, clickhouse }, { onCleanup }) => {
  await db.migrate('auth', authTables.postgres)
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const stored = [
    { session_id: ofAna, distinct_id: 'ana' },
    { session_id: ofBen, distinct_id: 'ben' },
  ].map((event) => JSON.stringify({ ...event, event: '$pageview', timestamp: Date.now() }))
  await clickhouse.insertLines('events', stored)
  return async (consent: 'required' | 'not_required') => {
    const otlp = await openOn(clickhouse, {
      consent: createConsents(db.admin, consent === 'required'),
      visitorTables: ['events'],
    })
    onCleanup(otlp.close)
    return {
      ...otlp,
      decide: async (id: string, granted: boolean) => {
        await db.admin.query({ text: 'select clew_analytics.decide(array[$1], $2, now())', values: [id, granted] })
      },
      /** Sends a span by its name, as one of a session. */
      async send(name: string, ...attributes: readonly object[]) {
        const spanId = Buffer.from(name).toString('hex').padEnd(16, '0').slice(0, 16)
        const spans = [{ ...span(), spanId, name, attributes }]
        expect(
          (await otlp.post('/v1/traces', JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))).status,
        ).toBe(200)
      },
      /** The sessions that the stored spans name. */
      sessions: async () => Object.fromEntries((await otlp.spans()).map(({ name, session_id }) => [name, session_id])),
      where: async (text: string) =>
        (await tablesWith(db, clickhouse, text)).filter((name) => name === 'spans' || name === 'server_logs'),
    }
  }
})

const all = { receivedMs: Date.now() + 3_600_000, happenedMs: 0 }
const ofSession = (id: string) => attribute('session.id', id)
const ofVisitor = (id: string) => attribute('http.request.header.x-posthog-distinct-id', id)

test('where consent is required, a span names the session of a visitor who consented, and no other', async ({
  open,
}) => {
  const world = await open('required')
  await world.decide('ana', true)
  await world.send('consented', ofSession(ofAna))
  await world.send('unasked', ofSession(ofBen), attribute('shop', 'one'))
  await world.send('unknown', ofSession(unknown))
  await world.send('named', ofSession('session-without-events'), ofVisitor('ana'))
  await world.send('baggage', attribute('http.request.header.baggage', `session.id=${ofBen},clew.distinct_id=ben`))
  const logRecord = { ...log(), attributes: [ofSession(ofBen)] }
  await world.post('/v1/logs', JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [logRecord] }] }] }))
  expect(await world.logs()).toMatchObject([{ session_id: '', attributes: '{"session.id":"[masked]"}' }])
  expect(await world.sessions()).toEqual({
    ...{ consented: ofAna, unasked: '', unknown: '', named: 'session-without-events', baggage: '' },
  })
  for (const id of [ofBen, unknown]) expect(await world.where(id), id).toEqual([])
  expect(JSON.stringify(await world.spans())).toContain(String.raw`{\"session.id\":\"[masked]\",\"shop\":\"one\"}`)
})

test('a withdrawal takes the session’s name from what is stored and from what comes later', async ({ open }) => {
  const world = await open('not_required')
  await world.send('before', ofSession(ofAna), attribute('shop', 'one'))
  await world.send('other', ofSession(ofBen))
  await world.send('stranger', ofSession(unknown))
  expect(await world.sessions()).toEqual({ before: ofAna, other: ofBen, stranger: unknown })
  await world.decide('ana', false)
  await world.send('after', ofSession(ofAna))
  await world.send('other later', ofSession(ofBen))
  await world.send('later stranger', ofSession(unknown))
  await world.otlp.forget(['ana'], all)
  expect(await world.sessions()).toEqual({
    ...{ before: '', after: '', other: ofBen, 'other later': ofBen },
    // Of a session without any data it is not known whether its visitor has withdrawn.
    ...{ stranger: unknown, 'later stranger': '' },
  })
  expect(await world.where(ofAna)).toEqual([])
  expect(await world.where(ofBen)).toEqual(['spans'])
})

test('what passed the gate right before a withdrawal loses the name in the second look, when events are gone', async ({
  open,
  clickhouse,
}) => {
  const world = await open('not_required')
  await world.otlp.forget(['ana'], all)
  await clickhouse.command({
    text: `alter table events delete where distinct_id = 'ana' settings mutations_sync = 2`,
    parameters: {},
  })
  await world.send('late', ofSession(ofAna))
  expect(await world.sessions()).toEqual({ late: ofAna })
  await world.otlp.forget(['ana'], all)
  expect(await world.sessions()).toEqual({ late: '' })
})

test('a span keeps the session’s name from a new consent on, and one of before that comes late has none', async ({
  open,
}) => {
  const world = await open('not_required')
  await world.send('before', ofSession(ofAna))
  expect(await world.sessions()).toEqual({ before: ofAna })
  const early = Date.now() - 60_000
  await world.decide('ana', false)
  await world.decide('ana', true)
  const renewedMs = Date.now()
  await world.send('after', ofSession(ofAna))
  const late = { ...span(), spanId: 'abcdabcdabcdabcd', name: 'late', attributes: [ofSession(ofAna)] }
  const times = { startTimeUnixNano: nanos(early), endTimeUnixNano: nanos(early) }
  await world.post(
    '/v1/traces',
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...late, ...times }] }] }] }),
  )
  expect(await world.sessions()).toEqual({ before: ofAna, after: ofAna, late: '' })
  await world.otlp.forget(['ana'], { receivedMs: renewedMs, happenedMs: renewedMs })
  expect(await world.sessions()).toEqual({ before: '', after: ofAna, late: '' })
})
