import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, onTestFinished } from 'vitest'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { schemaCompilers } from '../src/gateway/schema-compilers.ts'
import { ServiceError } from '../src/ground/errors/service-error.ts'
import type { SnapshotMessage } from '../src/ground/model/recording.ts'
import { type Consent, openConsent } from '../src/ground/privacy/consent.ts'
import { type Masks, noMasks } from '../src/ground/privacy/masks.ts'
import { createReplay, type Replay, replayService, replayTables } from '../src/services/replay/index.ts'
import { type Thread, threadService } from '../src/services/thread/index.ts'
import { test as base, type TestDatabase } from './harness.ts'
import { recordedActions } from './operator-actions.ts'
import { openWorld } from './thread-world.ts'

interface Post {
  readonly path: string
  readonly userAgent: string
  readonly receivedAt: number
  readonly body: readonly {
    readonly uuid: string
    readonly sent_at: string
    readonly properties: {
      readonly $session_id: string
      readonly $window_id: string
      readonly distinct_id: string
      readonly $snapshot_data: readonly unknown[]
    }
  }[]
}

const settings = { retentionDays: 3650, errorsPerSession: 500, outlinedMessages: 1000, maxRecordingFileMib: 16 }

/** A replay room with the recording of a real browser, and the two routes. */
async function open(db: TestDatabase, clickhouse: ClickHouse) {
  await clickhouse.migrate('replay', replayTables.clickhouse)
  const replay = createReplay({ clickhouse, settings })
  const fixture = new URL('./fixtures/recordings/order-form.json', import.meta.url)
  const posts = (JSON.parse(await readFile(fixture, 'utf8')) as Post[]).filter(({ path }) => path.startsWith('/s/'))
  const lines = posts.flatMap(({ body, receivedAt, userAgent }) =>
    body.map((raw) => replay.toLine(messageOf(raw), { receivedAtMs: receivedAt, userAgent }) ?? ''),
  )
  const sessionId = posts[0]?.body[0]?.properties.$session_id ?? ''
  const threads = createThreads()
  await replay.store(await replay.unpack(threads, lines.map(Buffer.from)))
  await threads.close()
  const world = await openWorld(db, clickhouse, {
    recordings: replay,
  })
  onTestFinished(() => world.thread.close())
  return { replay, thread: world.thread, sessionId, messages: lines.length, lines }
}

const messageOf = ({ uuid, sent_at, properties }: Post['body'][number]): SnapshotMessage => ({
  uuid,
  distinctId: properties.distinct_id,
  sessionId: properties.$session_id,
  windowId: properties.$window_id,
  sentAtMs: Date.parse(sent_at),
  events: properties.$snapshot_data,
})

async function serve(
  { thread, replay }: { thread: Thread; replay: Replay },
  role: 'owner' | 'analyst' | 'viewer',
  given: {
    consent?: Consent
    masks?: Masks
    now?: () => Date
    maxRecordingFileMib?: number
    retentionDays?: number
  } = {},
) {
  const { actions, log } = recordedActions(role)
  const app = Fastify({ schemaController: schemaCompilers })
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ code: error.code }) : reply.send(error),
  )
  const threads = createThreads()
  const { consent = openConsent, masks = noMasks, now = () => new Date(), ...changed } = given
  const deps = { replay, consent, masks, threads, settings: { ...settings, ...changed }, jsonDepth: 200, now }
  for (const part of [...threadService(thread, actions).commandLine, ...replayService(deps, actions).commandLine])
    await app.register(part)
  onTestFinished(async () => {
    await app.close()
    await threads.close()
  })
  return {
    log,
    file: async (sessionId: string, query = '') => app.inject(`/sessions/${sessionId}/file${query}`),
    send: async (payload: Buffer) => {
      const headers = { 'content-type': 'application/gzip' }
      const { statusCode: status, body } = await app.inject({ method: 'POST', url: '/recordings', headers, payload })
      return { status, body: JSON.parse(body) }
    },
  }
}

const test = base.extend('room', async ({ db, clickhouse }) => open(db, clickhouse))

async function collect(items: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const item of items) all.push(item)
  return all
}

test('a session is told without its timeline, with what its recording’s messages are', async ({ db, clickhouse }) => {
  const { thread, sessionId, messages } = await open(db, clickhouse)
  const { session, recording } = await thread.outline(sessionId)
  const { session: whole } = await thread.session(sessionId)
  expect(session).toMatchObject({ id: sessionId, startedAt: whole.startedAt, durationMs: whole.durationMs })
  const { tail = [], fromMs = [], toMs = [], hasPage = [], window = [], windows = [] } = recording ?? {}
  expect([tail.length, new Set(tail).size, hasPage.length]).toEqual([messages, messages, messages])
  expect(fromMs[0]).toBe(0)
  expect(toMs.every((ms, place) => ms >= (fromMs[place] ?? 0))).toBe(true)
  expect(hasPage[0]).toBe(true)
  expect(new Set(window)).toEqual(new Set(windows.keys()))
  await expect(thread.outline('other')).rejects.toMatchObject({ code: 'CLEW_THREAD_SESSION_NOT_FOUND' })
})

test('a recording is a file, and the file is the recording again', async ({ room, clickhouse }) => {
  const { replay, sessionId, messages } = room
  const owner = await serve(room, 'owner')
  const { statusCode, headers, rawPayload } = await owner.file(sessionId)
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/gzip'])
  expect(headers['content-disposition']).toBe(`attachment; filename="recording-${sessionId}.clew.gz"`)
  const lines = gunzipSync(rawPayload).toString().trimEnd().split('\n')
  const head = JSON.parse(lines[0] ?? '')
  expect(head).toMatchObject({ clewRecording: 1, sessionId, values: true, detail: { session: { id: sessionId } } })
  const moments = lines.filter((line) => line.startsWith('{"moment":')).length
  expect(moments).toBeGreaterThan(0)
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: { moments, messages } })
  expect(owner.log).toEqual([{ name: 'recording.export', target: `session ${sessionId}` }])

  const before = await collect(replay.messages(sessionId, { offsetMs: 0 }))
  const summary = await replay.sessionSummaries([sessionId])
  const imported = { sessionId, messages, expired: 0, withheld: 0, retentionDays: 3650 }
  expect(await owner.send(rawPayload)).toEqual({ status: 200, body: { ...imported, stored: 0, already: messages } })
  await clickhouse.command({ text: 'truncate table snapshots', parameters: {} })
  expect(await owner.send(rawPayload)).toEqual({ status: 200, body: { ...imported, stored: messages, already: 0 } })
  expect(await collect(replay.messages(sessionId, { offsetMs: 0 }))).toEqual(before)
  expect(await replay.sessionSummaries([sessionId])).toEqual(summary)
  expect(await owner.send(rawPayload)).toEqual({ status: 200, body: { ...imported, stored: 0, already: messages } })
})

test('a file of a version that stored pages as browsers packed them is unpacked', async ({ room, clickhouse }) => {
  const { replay, sessionId, lines } = room
  const owner = await serve(room, 'owner')
  const before = await collect(replay.messages(sessionId, { offsetMs: 0 }))
  await clickhouse.command({ text: 'truncate table snapshots', parameters: {} })
  await replay.store(lines)
  const { rawPayload } = await owner.file(sessionId)
  expect(gunzipSync(rawPayload).toString()).toContain('2024-10')
  await clickhouse.command({ text: 'truncate table snapshots', parameters: {} })
  expect(await owner.send(rawPayload)).toMatchObject({ status: 200 })
  expect(await collect(replay.messages(sessionId, { offsetMs: 0 }))).toEqual(before)
  expect(before.join()).not.toContain('2024-10')
})

test('a clip is a file of its own: it begins with the whole page, and nothing in it is from outside of its time', async ({
  room,
}) => {
  const { sessionId, thread } = room
  const owner = await serve(room, 'owner')
  const whole = await thread.session(sessionId)
  const from = Math.round(whole.session.durationMs / 2)
  const to = from + Math.round(whole.session.durationMs / 4)
  const { statusCode, rawPayload } = await owner.file(sessionId, `?from=${from}&to=${to}`)
  expect(statusCode).toBe(200)
  const lines = gunzipSync(rawPayload)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const startMs = Date.parse(whole.session.startedAt) + from
  expect(lines[0].detail).toMatchObject({
    session: { durationMs: to - from, startedAt: new Date(startMs).toISOString() },
  })
  const moments = lines.filter((line) => line.moment).map(({ moment }) => moment)
  expect(moments.filter(({ atMs }) => atMs < 0 || atMs > to - from)).toEqual([])
  const happened = whole.moments.filter(({ atMs }) => atMs >= from && atMs <= to)
  const page = whole.moments.findLast(({ kind, atMs }) => kind === 'page' && atMs < from)
  expect(page?.label).toBe('/orders/1')
  expect(moments[0]).toMatchObject({ kind: 'page', atMs: 0, label: page?.label, properties: page?.properties })
  expect(moments.slice(1).map(({ id }) => id)).toEqual(happened.map(({ id }) => id))
  const messages = lines.filter((line) => line.events)
  expect(lines.at(-1)).toEqual({ end: { moments: moments.length, messages: messages.length } })
  const [first] = messages
  expect(first.events.slice(0, 2).map(({ type }: { type: number }) => type)).toEqual([4, 2])
  expect(first.events[0].timestamp + first.offsetMs).toBe(startMs)
  expect(new URL(first.events[0].data.href).pathname).toBe('/orders/1')
  const times = messages.flatMap(({ events, offsetMs }) =>
    events.map(({ timestamp }: { timestamp: number }) => timestamp + offsetMs - startMs),
  )
  expect(times.filter((atMs) => atMs < 0 || atMs > to - from)).toEqual([])
  expect(owner.log.at(-1)?.target).toBe(`session ${sessionId} from ${from / 1000} s to ${to / 1000} s`)

  // The clip can be imported, and importing it again adds nothing.
  const stored = { messages: messages.length, stored: messages.length, already: 0 }
  expect((await owner.send(rawPayload)).body).toMatchObject(stored)
  expect((await owner.send(rawPayload)).body).toMatchObject({ ...stored, stored: 0, already: messages.length })
})

test.for(['?from=5&to=5', '?from=9&to=3', '?from=999999999', '?to=0'])(
  '%s is no stretch of a session',
  async (query, { room }) => {
    expect((await (await serve(room, 'owner')).file(room.sessionId, query)).statusCode).toBe(400)
  },
)

test('what an operator may not see is in no file of theirs, and only who changes things imports', async ({ room }) => {
  const { sessionId } = room
  const analyst = await serve(room, 'analyst')
  const { statusCode, rawPayload } = await analyst.file(sessionId)
  expect(statusCode).toBe(200)
  expect(JSON.parse(gunzipSync(rawPayload).toString().split('\n')[0] ?? '')).toMatchObject({ values: false })
  expect((await analyst.send(rawPayload)).status).toBe(403)
  const viewer = await serve(room, 'viewer')
  expect((await viewer.file(sessionId)).statusCode).toBe(403)
  expect((await analyst.file('no-such-session')).statusCode).toBe(404)
})

test('what is past its retention, or of visitors who said no, is told and not stored', async ({ room, clickhouse }) => {
  const { sessionId, messages } = room
  const { rawPayload } = await (await serve(room, 'owner')).file(sessionId)
  await clickhouse.command({ text: 'truncate table snapshots', parameters: {} })
  const later = await serve(room, 'owner', { now: () => new Date(Date.now() + 40 * 365 * 24 * 3_600_000) })
  expect((await later.send(rawPayload)).body).toMatchObject({ messages, stored: 0, expired: messages })
  const refusing: Consent = { isOpen: async () => false, among: async () => new Set(), since: async () => new Map() }
  const withheld = await serve(room, 'owner', { consent: refusing })
  expect((await withheld.send(rawPayload)).body).toMatchObject({ messages, stored: 0, withheld: messages })
  expect(await clickhouse.query({ text: 'select 1 from snapshots', parameters: {} })).toEqual([])
})

test('what is masked is masked in a recording that comes as a file', async ({ room, clickhouse }) => {
  const { sessionId, messages } = room
  const stored = () =>
    clickhouse.query<{ pages: readonly string[]; shown: string }>({
      text: `select arrayDistinct(arrayFlatten(groupArray(urls))) as pages,
               sum(countMatches(data, '"(data|payload)":."href":"http')) as shown
             from snapshots`,
      parameters: {},
    })
  expect(await stored()).toEqual([{ pages: expect.arrayContaining([expect.stringMatching(/^http/)]), shown: '3' }])
  const { rawPayload } = await (await serve(room, 'owner')).file(sessionId)
  await clickhouse.command({ text: 'truncate table snapshots', parameters: {} })
  const masks: Masks = { current: async () => ({ columns: [], properties: ['$current_url'] }) }
  const owner = await serve(room, 'owner', { masks })
  expect((await owner.send(rawPayload)).body).toMatchObject({ messages, stored: messages })
  expect(await stored()).toEqual([{ pages: ['[masked]'], shown: '0' }])
})

const head = '{"clewRecording":1,"sessionId":"s1"}\n'
const message = (fields: object, events = '[{"type":4,"timestamp":1,"data":{}}]') =>
  `${JSON.stringify({
    ...{ message: '01998a5e-7b7c-7e3f-8a4e-3f6f0a1b2c30', distinctId: 'd', sentAtMs: null, userAgent: '' },
    ...{ windowId: 'w', tail: '', receivedMs: Date.now(), offsetMs: 0, ...fields },
  }).slice(0, -1)},"events":${events}}\n`
const end = '{"end":{"moments":0,"messages":1}}\n'
const millionKeys = `{${Array.from({ length: 1_000_000 }, (_, n) => `"k${n}":1`).join(',')}}`

const hostile: readonly (readonly [name: string, file: Buffer, code: string])[] = [
  ['nothing', Buffer.alloc(0), 'CLEW_REPLAY_FILE_DAMAGED'],
  ['no gzip', Buffer.from('hello'), 'CLEW_REPLAY_FILE_DAMAGED'],
  ['another file', gzipSync('hello\nworld\n'), 'CLEW_REPLAY_FILE_FORM'],
  ['JSON that is none', gzipSync('{"a":1}\n'), 'CLEW_REPLAY_FILE_FORM'],
  ['a later form', gzipSync(head.replace(':1,', ':2,') + end), 'CLEW_REPLAY_FILE_VERSION'],
  ['a form that is an object', gzipSync(head.replace(':1,', ':{"a":1},') + end), 'CLEW_REPLAY_FILE_VERSION'],
  ['a session that is no id', gzipSync(head.replace('s1', '../<script>') + end), 'CLEW_REPLAY_FILE_FORM'],
  ['a million keys in its head', gzipSync(`${head.slice(0, -2)},"x":${millionKeys}}\n`), 'CLEW_REPLAY_FILE_FORM'],
  ['no end', gzipSync(head + message({})), 'CLEW_REPLAY_FILE_DAMAGED'],
  ['half of the bytes', gzipSync(head + message({}) + end).subarray(0, 120), 'CLEW_REPLAY_FILE_DAMAGED'],
  ['a line that is no message', gzipSync(`${head}{"events":[]}\n${end}`), 'CLEW_REPLAY_FILE_FORM'],
  ['an id that is none', gzipSync(head + message({ message: "'; drop" }) + end), 'CLEW_REPLAY_FILE_FORM'],
  ['a time that is none', gzipSync(head + message({ receivedMs: '1' }) + end), 'CLEW_REPLAY_FILE_FORM'],
  ['events that are none', gzipSync(head + message({}, '{"type":4}') + end), 'CLEW_REPLAY_FILE_FORM'],
  ['events without an end', gzipSync(`${head}${message({}, '[')}${end}`), 'CLEW_REPLAY_FILE_FORM'],
  ['events nested deep', gzipSync(head + message({}, '['.repeat(100_000)) + end), 'CLEW_REPLAY_FILE_FORM'],
  ['a bomb', gzipSync(`${head}${`${' '.repeat(1024 * 1024)}\n`.repeat(64)}`), 'CLEW_REPLAY_FILE_FORM'],
  ['a bomb of one line', gzipSync(head + ' '.repeat(64 * 1024 * 1024)), 'CLEW_REPLAY_FILE_TOO_LARGE'],
  [
    'more than is taken',
    gzipSync(head + message({}, `[{"type":4,"timestamp":1,"data":"${'x'.repeat(17 * 1024 * 1024)}"}]`) + end),
    'CLEW_REPLAY_FILE_TOO_LARGE',
  ],
]

test('a file that is none, or not whole, or too large, is refused with words', async ({ room, clickhouse }) => {
  const owner = await serve(room, 'owner')
  for (const [name, file, code] of hostile) {
    const { status, body } = await owner.send(file)
    expect([name, status, body]).toEqual([name, code === 'CLEW_REPLAY_FILE_TOO_LARGE' ? 413 : 400, { code }])
  }
  // What stands before a damage is stored.
  const text = `select session_id from snapshots where session_id != '${room.sessionId}'`
  expect(await clickhouse.query({ text, parameters: {} })).toEqual([{ session_id: 's1' }])
})
