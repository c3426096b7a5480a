import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { expect, onTestFinished } from 'vitest'
import { createGuardedAgents } from '../src/engines/outbound/index.ts'
import { fixedRootKeys } from '../src/ground/ids/root-keys.ts'
import { createRootSealing } from '../src/ground/ids/root-sealing.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readCalendar } from '../src/services/cron/index.ts'
import type { ExportBucket, ExportsDeps } from '../src/services/exports/deps.ts'
import { createExports, exportsService } from '../src/services/exports/index.ts'
import { openS3Bucket } from '../src/services/storage/index.ts'
import { localS3AccessKey } from '../src/services/storage/s3/keys.ts'
import { exportRows } from '../src/transfer/index.ts'
import { consoleApp } from './console-app.ts'
import { test as base, openTestDatabase, type TestDatabase } from './harness.ts'
import { type OperatorRole, recordedActions } from './operator-actions.ts'
import { openS3, type S3App, textOf } from './s3-app.ts'

const services = new URL('../src/services/', import.meta.url)
const folderOf = (path: string) => new URL(`${path}/migrations/`, services)

type Clickhouse = Parameters<typeof exportRows>[0]['clickhouse'] & {
  insert(table: string, rows: readonly object[]): Promise<void>
  migrate(room: string, folder: URL): Promise<void>
}

/** A database and an engine with what can be exported, and an S3 server to export to. */
const test = base.extend('world', async ({ db, clickhouse }) => {
  await db.migrate('analytics', new URL('postgres/', folderOf('analytics')))
  await db.migrate('exports', folderOf('exports'))
  await clickhouse.migrate('analytics', new URL('clickhouse/', folderOf('analytics')))
  await clickhouse.migrate('thread', new URL('clickhouse/', folderOf('thread')))
  await clickhouse.migrate('replay', new URL('clickhouse/', folderOf('replay')))
  const outer = await openTestDatabase()
  onTestFinished(() => outer.close())
  const s3 = await openS3(outer)
  const folder = await mkdtemp(join(tmpdir(), 'clew-exports-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { db, clickhouse: clickhouse as Clickhouse, s3, folder }
})

interface World {
  readonly db: TestDatabase
  readonly clickhouse: Clickhouse
  readonly s3: S3App
  readonly folder: string
}

async function open(
  { db, clickhouse, folder }: World,
  changes: Partial<ExportsDeps> = {},
  role: OperatorRole = 'developer',
) {
  const exports = createExports({
    sql: db.admin,
    clickhouse: clickhouse as ExportsDeps['clickhouse'],
    writeRows: (file) => exportRows({ ...file, by: 'storing', clickhouse, database: db.admin }),
    openBucket: ({ rules, ...location }) => openS3Bucket({ ...location, agents: createGuardedAgents(rules) }),
    readSchedule: readCalendar,
    maskedTo: async () => '0',
    rules: { reach: 'public and loopback', allowsPlain: true },
    sealing: createRootSealing(fixedRootKeys('a root key'), 'keys of exports'),
    folder,
    // What a test has stored is stored.
    settleMs: 0,
    leaseMs: 60_000,
    now: () => new Date(),
    newId: () => uuidv7(),
    settings: {
      maxExports: 3,
      rowsPerFile: 1000,
      runDays: 90,
      firstRetrySeconds: 1,
      maxRetries: 2,
      timeoutSeconds: 10,
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    changed: () => undefined,
    ...changes,
  })
  const { actions, log } = recordedActions(role)
  const service = exportsService(exports, actions)
  const [part] = service.console
  if (part === undefined) throw new Error('The room has no part of the console.')
  return { call: await consoleApp(part), log, exports, close: service.close }
}

const definition = ({ s3 }: World, more: object = {}) => ({
  name: 'to the lake',
  kinds: ['events', 'persons'],
  format: 'jsonl',
  schedule: '30 3 * * *',
  endpoint: `${s3.url}/storage/v1/s3`,
  region: 'local',
  bucket: 'b',
  prefix: 'clew/shop',
  pathStyle: true,
  accessKeyId: localS3AccessKey.accessKeyId,
  secretAccessKey: localS3AccessKey.secretAccessKey,
  ...more,
})

let made = 0
const events = (count: number) =>
  Array.from({ length: count }, () => ({
    uuid: `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
    event: 'bought',
    distinct_id: 'ann',
    timestamp: '2026-01-01 00:00:00.000',
    client_time: '2026-01-01 00:00:00.000',
    // Long ago: what waits in a spool, or is imported, is stored long after it arrived.
    received_at: '2026-01-01 00:00:00.000',
    properties: '{}',
  }))

const change = (db: TestDatabase, text: string) => db.admin.query({ text, values: [] })

/** Adds persons, each with an id. */
const addPersons = (db: TestDatabase, count: number) =>
  change(
    db,
    `with made as (
      insert into clew_analytics.persons (id, created_at)
      select gen_random_uuid(), '2026-01-01' from generate_series(1, ${count}) returning id)
    insert into clew_analytics.distinct_ids select 'of ' || id, id from made`,
  )

async function keysIn({ s3 }: World): Promise<readonly string[]> {
  const { Contents = [] } = await s3.s3.send(new ListObjectsV2Command({ Bucket: 'b' }))
  return Contents.map(({ Key = '' }) => Key)
}

async function linesOf({ s3 }: World, key: string): Promise<readonly Record<string, unknown>[]> {
  const text = (await textOf(await s3.s3.send(new GetObjectCommand({ Bucket: 'b', Key: key })))) ?? ''
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

type App = Awaited<ReturnType<typeof open>>

/** The latest run, once it is no longer at work. */
async function runOf({ call }: App, id: string, state = 'done') {
  await expect
    .poll(async () => (await call('GET', `/exports/${id}/runs`)).body.runs[0]?.state, { timeout: 20_000 })
    .toBe(state)
  return (await call('GET', `/exports/${id}/runs`)).body.runs[0]
}

async function create(app: App, body: object): Promise<string> {
  const { status, body: answer } = await app.call('POST', '/exports', body)
  expect([status, answer]).toEqual([201, expect.anything()])
  return answer.id
}

/** A run of its own. */
async function runNow(app: App, id: string) {
  const latest = async () => (await app.call('GET', `/exports/${id}/runs`)).body.runs[0]?.id
  const before = await latest()
  expect((await app.call('POST', `/exports/${id}/runs`)).status).toBe(202)
  await expect.poll(latest, { timeout: 20_000 }).not.toBe(before)
  return runOf(app, id)
}

test('a run exports what was stored since the last one, in files of some rows, and persons as they are', async ({
  world,
}) => {
  const app = await open(world)
  onTestFinished(app.close)
  await world.clickhouse.insert('events', events(700))
  await world.clickhouse.insert('events', events(700))
  await addPersons(world.db, 3)
  const id = await create(app, definition(world))
  app.exports.start()
  const first = await runNow(app, id)
  expect(first).toMatchObject({ askedBy: '', error: null, writing: null })
  expect(first.kinds).toMatchObject([
    { kind: 'events', files: 2, rows: 1400 },
    { kind: 'persons', files: 1, rows: 3 },
  ])
  const keys = await keysIn(world)
  expect(keys.map((key) => key.replaceAll(/\d{8}T\d{6}\.\d{3}Z/g, 'at').replace(/date=[\d-]{10}/, 'day'))).toEqual([
    'clew/shop/events/day/at-at.jsonl',
    'clew/shop/events/day/start-at.jsonl',
    'clew/shop/persons/day/at.jsonl',
  ])
  const exported = (await Promise.all(keys.slice(0, 2).map((key) => linesOf(world, key)))).flat()
  expect(new Set(exported.map(({ uuid }) => uuid)).size).toBe(1400)
  expect(await linesOf(world, keys[2] ?? '')).toHaveLength(3)

  const late = events(1)
  await world.clickhouse.insert('events', late)
  await addPersons(world.db, 1)
  const second = await runNow(app, id)
  expect(second.kinds).toMatchObject([
    { kind: 'events', files: 1, rows: 1 },
    { kind: 'persons', files: 1, rows: 4 },
  ])
  const added = (await keysIn(world)).filter((key) => !keys.includes(key))
  expect(added).toHaveLength(2)
  expect(await linesOf(world, added[0] ?? '')).toMatchObject([{ uuid: late[0]?.uuid }])
  expect(app.log.map(({ name }) => name)).toEqual(['export.create', 'export.run', 'export.run'])
})

test('what was stored before the column was there is exported once', async ({ world }) => {
  const { clickhouse } = world
  const command = (text: string) => clickhouse.command({ text, parameters: {} })
  // The table as an earlier version made it, with rows of it.
  await command('alter table events drop index storing_index')
  await command('alter table events drop column stored_at')
  await clickhouse.insert('events', events(10))
  await command(
    `alter table migrations delete where room = 'analytics' and name like '0008%' settings mutations_sync = 1`,
  )
  await clickhouse.migrate('analytics', new URL('clickhouse/', folderOf('analytics')))
  await clickhouse.insert('events', events(5))
  const stored = await clickhouse.query({
    text: `select stored_at = received_at as old, toString(count()) as rows from events group by old order by old`,
    parameters: {},
  })
  expect(stored).toEqual([
    { old: 0, rows: '5' },
    { old: 1, rows: '10' },
  ])
  const app = await open(world)
  onTestFinished(app.close)
  const id = await create(app, definition(world, { kinds: ['events'] }))
  app.exports.start()
  expect((await runNow(app, id)).kinds).toMatchObject([{ rows: 15 }])
  expect((await runNow(app, id)).kinds).toEqual([expect.objectContaining({ files: 0 })])
})

test('a run that was cut off goes on in another process, and leaves no file twice', async ({ world }) => {
  await world.clickhouse.insert('events', events(700))
  await world.clickhouse.insert('events', events(700))
  // Uploaded, and gone before that was kept: as a process that is killed in between.
  const uploaded: string[] = []
  let isFirst = true
  let giveUp = (): void => undefined
  const hangs = new Promise<never>((_, fail) => {
    giveUp = () => fail(new Error('The process is gone.'))
  })
  const openBucket: ExportsDeps['openBucket'] = async ({ rules, ...location }) => {
    const bucket: ExportBucket = await openS3Bucket({ ...location, agents: createGuardedAgents(rules) })
    return {
      ...bucket,
      async upload(key, body, bytes) {
        const etag = await bucket.upload(key, body, bytes)
        uploaded.push(key)
        return isFirst ? hangs : etag
      },
    }
  }
  const killed = await open(world, { openBucket, leaseMs: 100_000 })
  const id = await create(killed, definition(world, { kinds: ['events'] }))
  killed.exports.start()
  await killed.call('POST', `/exports/${id}/runs`)
  await expect.poll(() => uploaded.length, { timeout: 20_000 }).toBe(1)
  isFirst = false
  const other = await open(world, { openBucket, folder: join(world.folder, 'other') })
  onTestFinished(async () => {
    giveUp()
    await Promise.all([killed.close(), other.close()])
  })
  // Its lease ends.
  await change(world.db, `update clew_exports.exports set leased_until = now()`)
  // Rows that came meanwhile do not move the end of the file that was being written.
  await world.clickhouse.insert('events', events(5))
  other.exports.start()
  const run = await runOf(other, id)
  expect(run.kinds).toMatchObject([{ kind: 'events', files: 2, rows: 1400 }])
  expect(uploaded).toHaveLength(3)
  expect(uploaded[0]).toBe(uploaded[1])
  const lines = (await Promise.all((await keysIn(world)).map((key) => linesOf(world, key)))).flat()
  expect(lines).toHaveLength(1400)
})

test('a bucket that refuses is tried again, then the run has failed; the next run goes on where it was', async ({
  world,
}) => {
  await world.clickhouse.insert('events', events(3))
  const settings = {
    maxExports: 3,
    rowsPerFile: 1000,
    runDays: 90,
    firstRetrySeconds: 1,
    maxRetries: 1,
    timeoutSeconds: 10,
  }
  const app = await open(world, { settings })
  onTestFinished(app.close)
  const id = await create(app, definition(world, { kinds: ['events'], secretAccessKey: 'wrong' }))
  app.exports.start()
  await app.call('POST', `/exports/${id}/runs`)
  const waiting = await runOf(app, id, 'waiting')
  expect(waiting.error).toMatch(/signature/i)
  await app.call('POST', `/exports/${id}/runs`)
  const failed = await runOf(app, id, 'failed')
  expect(failed).toMatchObject({ retryAt: null, kinds: [] })
  expect((await app.call('PUT', `/exports/${id}`, definition(world, { kinds: ['events'] }))).status).toBe(200)
  expect((await runNow(app, id)).kinds).toMatchObject([{ rows: 3 }])
})

test('what is due runs by itself, of several processes in one; what is paused does not', async ({ world }) => {
  await world.clickhouse.insert('events', events(3))
  const apps = await Promise.all([open(world), open(world, { folder: join(world.folder, 'other') })])
  const [app] = apps
  onTestFinished(async () => void (await Promise.all(apps.map(({ close }) => close()))))
  const id = await create(app, definition(world, { kinds: ['events'] }))
  const paused = await create(app, definition(world, { name: 'paused', kinds: ['events'] }))
  expect((await app.call('POST', `/exports/${paused}/pause`, { paused: true })).status).toBe(204)
  expect((await app.call('POST', `/exports/${paused}/runs`)).body.code).toBe('CLEW_EXPORTS_PAUSED')
  await change(world.db, `update clew_exports.exports set next_at = now()`)
  for (const { exports } of apps) exports.start()
  await runOf(app, id)
  const { exports } = (await app.call('GET', '/exports')).body
  expect(exports).toMatchObject([
    { name: 'paused', paused: true, nextAt: null, lastRun: null },
    { name: 'to the lake', scheduleWords: 'at 03:30 every day', lastRun: { askedBy: null, kinds: [{ rows: 3 }] } },
  ])
  expect(new Date(exports[1].nextAt).getTime()).toBeGreaterThan(Date.now())
  expect((await app.call('GET', `/exports/${id}/runs`)).body.runs).toHaveLength(1)
  expect(await keysIn(world)).toHaveLength(1)
})

test('nothing leaves while what was stored before a mask was set is not masked', async ({ world }) => {
  await world.clickhouse.insert('events', events(3))
  let masked: string | null = null
  let written = 0
  const writeRows: ExportsDeps['writeRows'] = async (file) => {
    written += 1
    // A mask is set, and its job done, while the file is written.
    if (written === 1) masked = '8'
    return exportRows({ ...file, by: 'storing', clickhouse: world.clickhouse, database: world.db.admin })
  }
  const app = await open(world, { maskedTo: async () => masked, writeRows })
  onTestFinished(app.close)
  const id = await create(app, definition(world, { kinds: ['events'] }))
  app.exports.start()
  const again = () => app.call('POST', `/exports/${id}/runs`)
  await again()
  expect((await runOf(app, id, 'waiting')).error).toContain('masked')
  expect(written).toBe(0)
  masked = '7'
  await again()
  await expect.poll(() => written).toBe(1)
  expect((await runOf(app, id, 'waiting')).error).toContain('A mask was set')
  expect(await keysIn(world)).toEqual([])
  await again()
  expect((await runOf(app, id)).kinds).toMatchObject([{ rows: 3 }])
})

test('a connection is tested by an object that does not stay, with the kept secret for its own server only', async ({
  world,
}) => {
  const app = await open(world)
  const { name, kinds, format, schedule, secretAccessKey, ...place } = definition(world)
  const ask = async (more: object) => (await app.call('POST', '/exports/test', { ...place, ...more })).body
  expect(await ask({ secretAccessKey })).toEqual({ ok: true, detail: null })
  expect(await keysIn(world)).toEqual([])
  expect(await ask({ secretAccessKey: 'wrong' })).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/signature/i),
  })
  expect(await ask({ secretAccessKey, bucket: 'none' })).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/bucket/i),
  })
  const id = await create(app, { name, kinds, format, schedule, secretAccessKey, ...place })
  expect(await ask({ id })).toEqual({ ok: true, detail: null })
  expect((await ask({ id, endpoint: 'http://127.0.0.1:9' })).code).toBe('CLEW_EXPORTS_SECRET_NEEDED')
  expect((await ask({ secretAccessKey, endpoint: 'http://10.0.0.1:9000' })).code).toBe('CLEW_EXPORTS_ENDPOINT')
})

test('an export is checked, its secret never answered; analysts look, and change nothing', async ({ world }) => {
  const app = await open(world)
  const refused = async (more: object) => (await app.call('POST', '/exports', definition(world, more))).body.code
  expect(await refused({ schedule: 'now and then' })).toBe('CLEW_EXPORTS_SCHEDULE')
  expect(await refused({ schedule: '30 seconds' })).toBe('CLEW_EXPORTS_SCHEDULE')
  expect(await refused({ endpoint: 'ftp://127.0.0.1' })).toBe('CLEW_EXPORTS_ENDPOINT')
  expect(await refused({ secretAccessKey: undefined })).toBe('CLEW_EXPORTS_SECRET_NEEDED')
  const id = await create(app, definition(world))
  expect(await refused({})).toBe('CLEW_EXPORTS_NAME_TAKEN')
  await create(app, definition(world, { name: 'two' }))
  await create(app, definition(world, { name: 'three' }))
  expect(await refused({ name: 'four' })).toBe('CLEW_EXPORTS_TOO_MANY')
  const kept = await world.db.admin.query({ text: 'select e::text as row from clew_exports.exports e', values: [] })
  const analyst = await open(world, {}, 'analyst')
  const listed = await analyst.call('GET', '/exports')
  expect(listed.body.exports).toHaveLength(3)
  expect(JSON.stringify([listed.body, kept.rows])).not.toContain(localS3AccessKey.secretAccessKey)
  for (const [method, path, body] of [
    ['POST', '/exports', definition(world, { name: 'more' })],
    ['PUT', `/exports/${id}`, definition(world)],
    ['DELETE', `/exports/${id}`],
    ['POST', `/exports/${id}/runs`],
    ['POST', `/exports/${id}/pause`, { paused: true }],
    ['POST', `/exports/${uuidv7()}/runs`],
  ] as const)
    expect((await analyst.call(method, path, body)).status).toBe(403)
  expect((await (await open(world, {}, 'viewer')).call('GET', '/exports')).status).toBe(403)
  expect((await app.call('DELETE', `/exports/${id}`)).status).toBe(204)
  expect((await app.call('DELETE', `/exports/${id}`)).body.code).toBe('CLEW_EXPORTS_NOT_FOUND')
})
