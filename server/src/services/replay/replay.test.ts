import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouse, createClickHouse } from '../../engines/clickhouse/index.ts'
import type { RecordedMessage, SnapshotMessage, StoredMessage } from '../../ground/model/recording.ts'
import { createReplay, type Replay, replayTables } from './index.ts'

interface Post {
  readonly path: string
  readonly userAgent: string
  readonly receivedAt: number
  readonly body: unknown
}
interface RawMessage {
  readonly uuid: string
  readonly sent_at: string
  readonly properties: {
    readonly $session_id: string
    readonly $window_id: string
    readonly distinct_id: string
    readonly $snapshot_data: readonly { readonly type: number; readonly timestamp: number }[]
  }
}

const fixture = new URL('../../../test/fixtures/recordings/order-form.json', import.meta.url)
const posts = (JSON.parse(readFileSync(fixture, 'utf8')) as Post[]).filter(({ path }) => path.startsWith('/s/'))
const recorded = posts.flatMap(({ body, receivedAt, userAgent }) =>
  (body as RawMessage[]).map((raw) => ({
    raw,
    message: read(raw),
    context: { receivedAtMs: receivedAt, userAgent },
  })),
)
const [first] = recorded
if (first === undefined) throw new Error('The recording is empty.')
const session = first.message.sessionId

test('a reader who has some of the messages is given the others', async () => {
  const all: StoredMessage[] = []
  for await (const json of replay.messages(session, { offsetMs: 0 })) all.push(JSON.parse(json) as StoredMessage)
  const latestMs = Math.max(...all.map(({ receivedMs }) => receivedMs))
  const [latest] = all.filter(({ receivedMs }) => receivedMs === latestMs)
  const tailsOf = async (sinceMs: number, ...known: string[]): Promise<string[]> => {
    const tails: string[] = []
    for await (const json of replay.messages(session, { offsetMs: 0, news: { since: new Date(sinceMs), known } }))
      tails.push((JSON.parse(json) as StoredMessage).tail)
    return tails
  }
  expect(recorded.map(({ raw }) => raw.uuid.slice(-12))).toEqual(expect.arrayContaining(all.map(({ tail }) => tail)))
  expect(await tailsOf(0)).toEqual(all.map(({ tail }) => tail))
  expect(await tailsOf(0, latest?.tail ?? '')).toEqual(
    all.map(({ tail }) => tail).filter((tail) => tail !== latest?.tail),
  )
  expect(await tailsOf(latestMs)).toContain(latest?.tail)
  expect(await tailsOf(latestMs + 1)).toEqual([])
})

/** A session's messages, parsed. */
async function* messagesOf(sessionId: string): AsyncGenerator<RecordedMessage> {
  const offsetMs = (await replay.offsets(sessionId))?.[0] ?? 0
  for await (const json of replay.messages(sessionId, { offsetMs })) yield JSON.parse(json) as RecordedMessage
}

function read(raw: RawMessage): SnapshotMessage {
  return {
    uuid: raw.uuid,
    distinctId: raw.properties.distinct_id,
    sessionId: raw.properties.$session_id,
    windowId: raw.properties.$window_id,
    sentAtMs: Date.parse(raw.sent_at),
    events: raw.properties.$snapshot_data,
  }
}

const folder = mkdtempSync(join(tmpdir(), 'clew-replay-'))
let clickhouse: ClickHouse
let replay: Replay

beforeAll(async () => {
  clickhouse = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketPath: join(folder, 's'),
    memoryBytes: 300 * 1024 * 1024,
    log: () => undefined,
  })
  replay = createReplay({ clickhouse, settings: { errorsPerSession: 500, outlinedMessages: 1000 } })
  await clickhouse.migrate('replay', replayTables.clickhouse)
  await rerun()
  // As they are parsed, and as they are read without being parsed: what is stored is the same.
  const lines = recorded.map(({ message, context }, index) => {
    const text = Buffer.from(JSON.stringify(message.events))
    const events = index % 2 === 0 ? message.events : replay.scan(text, 0, 200)
    return (events && replay.toLine({ ...message, events }, context)) ?? ''
  })
  // Out of order, twice by another request, and once more by a spool that saw no answer.
  await replay.store([...lines].reverse())
  await replay.store(lines)
  await replay.store(lines)
})

afterAll(async () => {
  await clickhouse.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Applies the migrations as if nobody had noted that they were. */
async function rerun(): Promise<void> {
  await clickhouse.command({ text: 'truncate table migrations', parameters: {} })
  await clickhouse.migrate('replay', replayTables.clickhouse)
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

test('a recording is read back in order, each message once, to the last byte', async () => {
  const lines = await collect(messagesOf(session))
  expect(lines.map(({ events }) => events)).toEqual(recorded.map(({ raw }) => raw.properties.$snapshot_data))
  expect(new Set(lines.map(({ windowId }) => windowId))).toEqual(new Set([first.message.windowId]))
})

test('compressed fields can still be decompressed', async () => {
  const events = (await collect(messagesOf(session))).flatMap((line) => line.events) as {
    type: number
    cv?: string
    data: string
  }[]
  const [snapshot] = events.filter(({ type, cv }) => type === 2 && cv === '2024-10')
  const text = gunzipSync(Buffer.from(snapshot?.data ?? '', 'latin1')).toString()
  expect(JSON.parse(text)).toMatchObject({ node: { type: 0 }, initialOffset: { top: 0, left: 0 } })
})

test('a picture of the first page begins with the first message that has all of a page', async () => {
  const picture = JSON.parse((await replay.picture(session)) ?? '') as StoredMessage
  expect(picture.events).toEqual(first.raw.properties.$snapshot_data)
  expect(await replay.picture('other')).toBeNull()
})

test('a session is listed with what happened in it', async () => {
  const timestamps = recorded.flatMap(({ raw }) =>
    raw.properties.$snapshot_data.filter(({ type }) => type !== 5 && type !== 6).map(({ timestamp }) => timestamp),
  )
  const offsetMs = Math.min(...recorded.map(({ message, context }) => context.receivedAtMs - (message.sentAtMs ?? 0)))
  const [summary] = await replay.sessionSummaries([session])
  expect(summary).toMatchObject({
    sessionId: session,
    distinctId: first.message.distinctId,
    startedAt: new Date(Math.min(...timestamps) + offsetMs),
    endedAt: new Date(Math.max(...timestamps) + offsetMs),
    consoleErrors: 1,
    errorLines: [{ windowId: first.message.windowId, text: expect.stringContaining('receipt') }],
    clicks: 4,
    pages: 2,
    browser: 'Chrome',
    os: 'Linux',
    device: 'Desktop',
  })
  expect(summary?.activeMs).toBeGreaterThan(500)
  expect(summary?.activeMs).toBeLessThan(15_000)
  expect(new URL(summary?.firstUrl ?? '').pathname).toBe('/')
  const signs = await replay.signs([session])
  expect(signs.length).toBeGreaterThan(0)
  expect(new Set(summary?.signs)).toEqual(new Set(signs))
})

test('sessions are chosen by id and by their start', async () => {
  const [summary] = await replay.sessionSummaries([session])
  const startedAt = summary?.startedAt ?? new Date(0)
  expect(await replay.sessionSummaries([session, 'other'])).toHaveLength(1)
  expect(await replay.sessionSummaries(['other'])).toEqual([])
  expect(await replay.sessionSummaries([])).toEqual([])
  const itself = [{ sessionId: session, startedAt, endedAt: summary?.endedAt, errors: 1 }]
  const all = { startedBefore: new Date('2200-01-01'), from: new Date(), limit: 10 }
  expect(await replay.starts(all)).toEqual(itself)
  expect(await replay.starts({ ...all, startedBefore: startedAt })).toEqual([])
  expect(await replay.starts({ ...all, startedBefore: new Date(startedAt.getTime() + 1) })).toEqual(itself)
  expect(await replay.starts({ ...all, only: 'errors' })).toEqual(itself)
  const arrivals = recorded.map(({ context }) => context.receivedAtMs)
  const last = Math.max(...arrivals)
  expect(await replay.starts({ ...all, only: { activeSince: new Date(last) } })).toEqual(itself)
  expect(await replay.starts({ ...all, only: { activeSince: new Date(last + 1) } })).toEqual([])
})

test('the ways from sending to arrival are there, the smallest first', async () => {
  const offsets = recorded.map(({ message, context }) => context.receivedAtMs - (message.sentAtMs ?? 0))
  expect(await replay.offsets(session)).toEqual(offsets.toSorted((a, b) => a - b))
  expect(await replay.offsets('nobody')).toBeNull()
})

test('sessions are found by when something arrived', async () => {
  const arrivals = recorded.map(({ context }) => context.receivedAtMs)
  expect(await replay.sessionIdsSince(new Date(Math.max(...arrivals)))).toEqual([session])
  expect(await replay.sessionIdsSince(new Date(Math.max(...arrivals) + 1))).toEqual([])
  expect(await replay.firstAt(new Date(0))).toEqual(new Date(Math.min(...arrivals)))
})

test('a message without anything to play has no line', () => {
  const message = { ...first.message, events: [null, 'x', {}, { type: 3 }, { type: 3, timestamp: Number.NaN }] }
  expect(replay.toLine(message, first.context)).toBeNull()
})

test('whatever a recording claims, its line fits the table', async () => {
  const odd = { receivedAtMs: first.context.receivedAtMs, userAgent: 'half a \ud800 pair' }
  const lines = [1e300, -1e300, -0, 0.5, null].map((sentAtMs, index) =>
    replay.toLine(
      {
        ...first.message,
        sessionId: 'odd',
        uuid: `01998a5e-7b7c-7e3f-8a4e-3f6f0a1b2c3${index}`,
        sentAtMs,
        events: [
          { type: 4, timestamp: 8.64e15, data: { href: 'http://a/\ud800', width: 1e308 } },
          { type: 3, timestamp: 0.25, data: { source: 5, text: '\udfff\u0000\ud83d' } },
        ],
      },
      odd,
    ),
  )
  await replay.store(lines.flatMap((line) => line ?? []))
  const read: unknown[] = []
  for await (const line of messagesOf('odd')) read.push(line.events)
  expect(read).toHaveLength(lines.length)
  // The recording itself is kept as it came.
  expect(read[0]).toContainEqual({ type: 3, timestamp: 0.25, data: { source: 5, text: '\udfff\u0000\ud83d' } })
})
