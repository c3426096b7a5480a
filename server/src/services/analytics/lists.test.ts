import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouse, createClickHouse } from '../../engines/clickhouse/index.ts'
import type { ClickHouseStatement } from '../../ground/sql/clickhouse.ts'
import { createEventStore, forgetEvents } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-lists-'))
const migrations = new URL('./migrations/clickhouse/', import.meta.url)
const hour = Date.parse('2026-03-02T10:00:00Z')
const far = new Date('2200-01-01')
let clickhouse: ClickHouse
/** What was asked, so that its plan can be looked at. */
const asked: ClickHouseStatement[] = []

beforeAll(async () => {
  clickhouse = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketPath: join(folder, 's'),
    memoryBytes: 300 * 1024 * 1024,
    log: () => undefined,
  })
  // Before its lists, the table has rows.
  const before = join(folder, 'before')
  cpSync(fileURLToPath(migrations), before, { recursive: true, filter: (path) => !/000[45]_/.test(path) })
  await clickhouse.migrate('analytics', pathToFileURL(`${before}/`))
  await store(event(1, 'early', 'ann'), event(2, 'early', 'ann'))
  await clickhouse.migrate('analytics', migrations)
  await store(event(3, 'early', 'ann'), event(60, 'late', 'bob'), event(61, 'late', 'bob', '$exception'))
})

afterAll(async () => {
  await clickhouse.close()
  rmSync(folder, { recursive: true, force: true })
})

const events = () => {
  const query: ClickHouse['query'] = (statement, signal) => {
    asked.push(statement)
    return clickhouse.query(statement, signal)
  }
  return createEventStore({ query }, { exceptionsPerSession: 5 })
}

interface Row {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly session_id: string
  readonly timestamp: string
  readonly client_time: string
  readonly received_at: string
  readonly properties: object
}

const atMinute = (minute: number): string => new Date(hour + minute * 60_000).toISOString()

const event = (minute: number, session: string, person: string, name = '$pageview'): Row => ({
  uuid: `0199a1b2-0000-4000-8000-${String(minute).padStart(12, '0')}`,
  event: name,
  distinct_id: person,
  session_id: session,
  timestamp: atMinute(minute),
  client_time: atMinute(minute),
  received_at: atMinute(minute),
  properties: { $raw_user_agent: 'Browser/1', $exception_message: `of ${person}`, $geoip_country_code: 'PT' },
})

const store = (...rows: readonly Row[]): Promise<void> => clickhouse.insert('events', rows)
const run = (text: string): Promise<void> => clickhouse.command({ text, parameters: {} })

async function count(of: string): Promise<number> {
  const [row] = await clickhouse.query<{ n: string }>({ text: `select count() as n from ${of}`, parameters: {} })
  return Number(row?.n)
}

test('events that were stored before the lists are in them', async () => {
  await expect.poll(() => count('system.mutations where not is_done'), { timeout: 30_000 }).toBe(0)
  const [row] = await clickhouse.query({
    text: `select sumIf(rows, name = 'by_session') as sessions, sumIf(rows, name = 'by_time') as times,
        sumIf(rows, name = 'places') as places
      from system.projection_parts where active and table = 'events'`,
    parameters: {},
  })
  expect(row).toEqual({ sessions: '5', times: '5', places: '3' })
  expect(await events().summaries(['early'])).toMatchObject([
    { sessionId: 'early', events: 3, pageviews: 3, countryCode: 'PT', city: null },
  ])
})

test('sessions are listed by their start, all of them, before an instant, with errors, or active', async () => {
  const { starts } = events()
  const all = { startedBefore: far, from: new Date(hour + 7_200_000), limit: 10 }
  const early = { sessionId: 'early', startedAt: new Date(atMinute(1)) }
  const late = { sessionId: 'late', startedAt: new Date(atMinute(60)) }
  expect(await starts(all)).toEqual([late, early])
  expect(await starts({ ...all, limit: 1 })).toEqual([late])
  expect(await starts({ ...all, startedBefore: late.startedAt, from: late.startedAt })).toEqual([early])
  expect(await starts({ ...all, only: 'errors' })).toEqual([late])
  // The exception came a minute after the instant.
  const between = new Date(hour + 60.5 * 60_000)
  expect(await starts({ startedBefore: between, from: between, only: 'errors', limit: 10 })).toEqual([late])
  expect(await starts({ ...all, only: { activeSince: new Date(atMinute(61)) } })).toEqual([late])
  expect(await starts({ ...all, only: { activeSince: new Date(atMinute(62)) } })).toEqual([])
})

test('an event that is sent again is one, before its parts are merged and after, and is of its last time', async () => {
  const again = { ...event(60, 'late', 'bob'), timestamp: atMinute(59), received_at: atMinute(70) }
  await store(again)
  const late = { sessionId: 'late', startedAt: new Date(atMinute(59)), events: 2, exceptions: 1 }
  const all = { startedBefore: far, from: new Date(atMinute(90)), limit: 1 }
  for (const step of ['as sent', 'merged']) {
    if (step === 'merged') await run('optimize table events final')
    expect(await events().summaries(['late']), step).toMatchObject([late])
    expect(await events().starts(all), step).toEqual([{ sessionId: 'late', startedAt: late.startedAt }])
  }
})

test('what is written anew in an event’s properties is so in the lists', async () => {
  const masked = `replace(properties, 'of bob', '***')`
  await run(`alter table events update properties = ${masked} where event = '$exception' settings mutations_sync = 2`)
  const [late] = await events().summaries(['late'])
  expect(late?.exceptionLines).toMatchObject([{ text: '***' }])
})

test('who is forgotten is in no list, and in no projection', async () => {
  await forgetEvents(clickhouse, ['bob'])
  const all = { startedBefore: far, from: new Date(atMinute(90)), limit: 10 }
  expect(await events().starts(all)).toMatchObject([{ sessionId: 'early' }])
  expect(await events().summaries(['late'])).toEqual([])
  for (const name of ['by_session', 'by_time', 'places']) {
    const [row] = await clickhouse.query({
      text: `select count() as n from mergeTreeProjection(currentDatabase(), 'events', '${name}') where session_id = 'late'`,
      parameters: {},
    })
    expect(row, name).toEqual({ n: '0' })
  }
})

test('no list reads all events', async () => {
  // So many that it makes a difference, one a second, in sessions of ten that the table's key scatters.
  await run(`
    insert into events (uuid, event, distinct_id, session_id, timestamp, client_time, received_at, properties)
    with toDateTime64('2026-03-03 00:00:00', 3, 'UTC') + number as at,
      leftPad(lower(hex(sipHash64(number))), 16, '0') as noise
    select toUUID(concat('0199a1b2-0000-7000-8000-', left(noise, 12))), '$pageview', 'cat', concat('session-', toString(intDiv(number, 10))), at, at, at, '{}'
    from numbers(40000)`)
  asked.length = 0
  const store = events()
  const from = new Date('2026-03-03T01:00:00Z')
  expect(await store.starts({ startedBefore: from, from, limit: 1 })).toMatchObject([{ sessionId: 'session-359' }])
  expect(await store.summaries(['session-359'])).toMatchObject([{ events: 10 }])
  expect(await store.signs(['session-359'])).toHaveLength(1)
  expect(asked.length).toBeGreaterThan(2)
  for (const { text, parameters } of asked) {
    const plan = await clickhouse.query<{ explain: string }>({ text: `explain ${text}`, parameters })
    const reads = plan.map(({ explain }) => explain).filter((line) => line.includes('ReadFromMergeTree'))
    expect(reads.length).toBeGreaterThan(0)
    for (const read of reads) expect(read).toMatch(/\((by_session|by_time|places)\)/)
  }
})
