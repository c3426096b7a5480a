import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readsIndexes } from '../../../test/index-reads.ts'
import { type ClickHouse, createClickHouse } from '../../engines/clickhouse/index.ts'
import type { ClickHouseStatement } from '../../ground/sql/clickhouse.ts'
import { createForgetEvents } from './erasure/forget-events.ts'
import {
  selectPlacesStatement,
  selectSessionStartsStatement,
  selectSignsStatement,
  selectSummariesStatement,
} from './queries.ts'
import { createEventStore } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-lists-'))
const migrations = new URL('./migrations/clickhouse/', import.meta.url)
const hour = Date.parse('2026-03-02T10:00:00Z')
const far = new Date('2200-01-01')
let clickhouse: ClickHouse
/** What was found, so that its plan can be looked at: where nothing is to be read, no projection is. */
const asked: ClickHouseStatement[] = []
/** How many statements were sent. */
let sent = 0

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
  cpSync(fileURLToPath(migrations), before, { recursive: true, filter: (path) => !/00(0[4569]|1[234])_/.test(path) })
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
  const query: ClickHouse['query'] = async <Row>(...[statement, signal]: Parameters<ClickHouse['query']>) => {
    sent += 1
    const rows = await clickhouse.query<Row>(statement, signal)
    if (rows.length > 0) asked.push(statement)
    return rows
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
  readonly current_url: string
  readonly window_id?: string
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
  current_url: `https://shop.test/${person}/${name}?email=${person}@x.test`,
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
        sumIf(rows, name = 'places') as places, sumIf(rows, name = 'addresses') as addresses,
        sumIf(rows, name = 'by_address') as by_address, sumIf(rows, name = 'visits') as visits,
        sumIf(rows, name = 'countries') as countries
      from system.projection_parts where active and table = 'events'`,
    parameters: {},
  })
  // Two parts: one that was stored before, and one after.
  expect(row).toEqual({
    ...{ sessions: '5', times: '5', places: '3', addresses: '4', by_address: '5', visits: '3', countries: '3' },
  })
  expect(await events().summaries(['early'])).toMatchObject([
    { sessionId: 'early', events: 3, pageviews: 3, countryCode: 'PT', city: null },
  ])
})

test('what sessions come to says who sent them as well, each tab and browser for its part', async () => {
  const { summaries, signs } = events()
  const tabs = [
    { ...event(20, 'tabs', 'ann'), window_id: 'first' },
    { ...event(21, 'tabs', 'eve'), window_id: 'second', current_url: '' },
    { ...event(22, 'tabs', 'eve', '$exception'), window_id: 'second' },
  ]
  await store(...tabs)
  const [summary] = await summaries(['tabs'])
  expect(summary).toMatchObject({
    ...{ events: 3, pageviews: 2, exceptions: 1, distinctId: 'eve', firstUrl: tabs[0]?.current_url },
    ...{ startedAt: new Date(atMinute(20)), endedAt: new Date(atMinute(22)) },
    exceptionLines: [{ windowId: 'second', clientMs: Date.parse(atMinute(22)), text: 'of eve' }],
  })
  const browser = { sessionId: 'tabs', userAgent: 'Browser/1' }
  expect(summary?.signs).toEqual([
    { ...browser, windowId: 'first', distinctId: 'ann', from: new Date(atMinute(20)), to: new Date(atMinute(20)) },
    { ...browser, windowId: 'second', distinctId: 'eve', from: new Date(atMinute(21)), to: new Date(atMinute(22)) },
  ])
  expect(await signs(['tabs'])).toEqual(summary?.signs)
  await run(`alter table events delete where session_id = 'tabs' settings mutations_sync = 2`)
})

test('sessions are listed by their start, all of them, before an instant, with errors, or active', async () => {
  const { starts } = events()
  const all = { startedBefore: far, from: new Date(hour + 7_200_000), limit: 10 }
  const early = { sessionId: 'early', startedAt: new Date(atMinute(1)), endedAt: new Date(atMinute(3)), errors: 0 }
  const late = { sessionId: 'late', startedAt: new Date(atMinute(60)), endedAt: new Date(atMinute(61)), errors: 1 }
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

test('sessions are found by part of an address, and by an id of the browser, those of what happened last first', async () => {
  const { sessionsByUrl, sessionsByDistinctId } = events()
  const late = { sessionId: 'late', at: new Date(atMinute(61)) }
  const early = { sessionId: 'early', at: new Date(atMinute(3)) }
  expect(await sessionsByUrl('SHOP.test', 10)).toEqual([late, early])
  expect(await sessionsByUrl('shop.test', 1)).toEqual([late])
  expect(await sessionsByUrl('/ann/', 10)).toEqual([early])
  expect(await sessionsByUrl('exception', 10)).toEqual([late])
  expect(await sessionsByUrl('nowhere', 10)).toEqual([])
  expect(await sessionsByDistinctId(['ann', 'bob', 'eve'], 10)).toEqual([late, early])
  expect(await sessionsByDistinctId(['eve'], 10)).toEqual([])
})

test('sessions are listed by the country that their events came from', async () => {
  const { starts } = events()
  const all = { startedBefore: far, from: new Date(hour + 7_200_000), limit: 10 }
  expect(await starts({ ...all, country: 'PT' })).toMatchObject([{ sessionId: 'late' }, { sessionId: 'early' }])
  expect(await starts({ ...all, country: 'PT', limit: 1 })).toMatchObject([{ sessionId: 'late' }])
  const between = new Date(atMinute(30))
  expect(await starts({ ...all, country: 'PT', startedBefore: between, from: between })).toMatchObject([
    { sessionId: 'early' },
  ])
  expect(await starts({ ...all, country: 'DE' })).toEqual([])
  // The second page of a country is looked for where the first was found.
  const before = sent
  expect(await starts({ ...all, country: 'PT', limit: 1 })).toMatchObject([{ sessionId: 'late' }])
  expect(sent - before).toBe(1)
})

test('sessions are listed by a flag that was shown in them, and by its variant', async () => {
  const { starts, sessionsWithFlag } = events()
  const shown = (minute: number, session: string, key: string, response: string | boolean): Row => ({
    ...event(minute, session, 'ann', '$feature_flag_called'),
    properties: { $feature_flag: key, $feature_flag_response: response },
  })
  await store(
    shown(4, 'early', 'checkout', 'test'),
    shown(5, 'early', 'banner', true),
    shown(62, 'late', 'checkout', 'control'),
  )
  const all = { startedBefore: far, from: new Date(hour + 7_200_000), limit: 10 }
  const found = async (key: string, variant: string | null) =>
    (await starts({ ...all, flag: { key, variant } })).map(({ sessionId }) => sessionId)
  expect(await found('checkout', null)).toEqual(['late', 'early'])
  expect(await found('checkout', 'test')).toEqual(['early'])
  expect(await found('check', null)).toEqual([])
  expect(await found('banner', 'true')).toEqual(['early'])
  expect(await sessionsWithFlag(['early', 'late', 'other'], { key: 'checkout', variant: 'control' })).toEqual(['late'])
  await run(`alter table events delete where event = '$feature_flag_called' settings mutations_sync = 2`)
  expect(await found('checkout', null)).toEqual([])
})

test('an event that is sent again is one, before its parts are merged and after, and is of its last time', async () => {
  const again = { ...event(60, 'late', 'bob'), timestamp: atMinute(59), received_at: atMinute(70) }
  await store(again)
  const late = { sessionId: 'late', startedAt: new Date(atMinute(59)), events: 2, exceptions: 1 }
  const all = { startedBefore: far, from: new Date(atMinute(90)), limit: 1 }
  for (const step of ['as sent', 'merged']) {
    if (step === 'merged') await run('optimize table events final')
    expect(await events().summaries(['late']), step).toMatchObject([late])
    expect(await events().starts(all), step).toMatchObject([{ sessionId: 'late', startedAt: late.startedAt }])
  }
})

test('what is written anew in an event’s properties is so in the lists', async () => {
  const masked = `replace(properties, 'of bob', '***')`
  await run(`alter table events update properties = ${masked} where event = '$exception' settings mutations_sync = 2`)
  const [late] = await events().summaries(['late'])
  expect(late?.exceptionLines).toMatchObject([{ text: '***' }])
})

test('what is masked in an address is found no more, and what is left of it is', async () => {
  const masked = `replace(current_url, 'bob@x.test', '***')`
  await run(`alter table events update current_url = ${masked} where distinct_id = 'bob' settings mutations_sync = 2`)
  expect(await events().sessionsByUrl('bob@x', 10)).toEqual([])
  expect(await events().sessionsByUrl('email=***', 10)).toMatchObject([{ sessionId: 'late' }])
  for (const name of ['addresses', 'by_address'])
    expect(
      await count(`mergeTreeProjection(currentDatabase(), 'events', '${name}') where current_url like '%bob@x%'`),
    ).toBe(0)
})

test('who is forgotten is in no list, and in no projection', async () => {
  await createForgetEvents(clickhouse)(['bob'], { receivedMs: far.getTime(), happenedMs: 0 })
  const all = { startedBefore: far, from: new Date(atMinute(90)), limit: 10 }
  expect(await events().starts(all)).toMatchObject([{ sessionId: 'early' }])
  expect(await events().summaries(['late'])).toEqual([])
  expect(await events().sessionsByUrl('/bob/', 10)).toEqual([])
  expect(await events().sessionsByDistinctId(['bob'], 10)).toEqual([])
  const projected = (name: string) => `mergeTreeProjection(currentDatabase(), 'events', '${name}')`
  for (const name of ['by_session', 'by_time', 'places', 'by_address', 'visits', 'countries'])
    expect(await count(`${projected(name)} where session_id = 'late'`), name).toBe(0)
  expect(await count(`${projected('addresses')} where current_url like '%bob%'`)).toBe(0)
})

test('no list reads all events', async () => {
  // So many that it makes a difference, one a second, in sessions of ten that the table's key scatters.
  for (const from of [0, 42_000, 84_000, 126_000, 168_000])
    await run(`
    insert into events (uuid, event, distinct_id, session_id, timestamp, client_time, received_at, current_url, properties)
    with toDateTime64('2026-03-03 00:00:00', 3, 'UTC') + number as at,
      leftPad(lower(hex(sipHash64(number))), 16, '0') as noise
    select toUUID(concat('0199a1b2-0000-7000-8000-', left(noise, 12))), '$pageview', 'cat', concat('session-', toString(intDiv(number, 10))), at, at, at,
      concat('https://shop.test/cats/', toString(number % 10), if(number = 5, '/sphynx', '')), '{}'
    from numbers(${from}, 42000)`)
  asked.length = 0
  const store = events()
  const from = new Date('2026-03-03T01:00:00Z')
  expect(await store.starts({ startedBefore: from, from, limit: 1 })).toMatchObject([{ sessionId: 'session-359' }])
  expect(await store.summaries(['session-359'])).toMatchObject([{ events: 10 }])
  expect(await store.signs(['session-359'])).toHaveLength(1)
  expect(await store.sessionsByDistinctId(['ann'], 5)).toMatchObject([{ sessionId: 'early' }])
  expect(await store.sessionsByUrl('/sphynx', 5)).toMatchObject([{ sessionId: 'session-0' }])
  // More events than are read by their addresses.
  expect(await store.sessionsByUrl('/CATS/', 2)).toMatchObject([
    { sessionId: 'session-20999' },
    { sessionId: 'session-20998' },
  ])
  expect(await store.starts({ startedBefore: far, from, country: 'PT', limit: 1 })).toMatchObject([
    { sessionId: 'early' },
  ])
  expect(asked.length).toBeGreaterThan(6)
  for (const statement of [
    selectSummariesStatement(['session-359'], 5),
    selectPlacesStatement(['session-359']),
    selectSignsStatement(['session-359']),
    selectSessionStartsStatement(['ann'], far, 5),
  ])
    expect(await readsIndexes(clickhouse, statement), statement.text).toBe(false)
  for (const { text, parameters } of asked) {
    const plan = await clickhouse.query<{ explain: string }>({ text: `explain ${text}`, parameters })
    const reads = plan.map(({ explain }) => explain).filter((line) => line.includes('ReadFromMergeTree'))
    expect(reads.length).toBeGreaterThan(0)
    for (const read of reads)
      expect(read).toMatch(/\((by_session|by_time|places|addresses|by_address|visits|countries)\)/)
  }
})
