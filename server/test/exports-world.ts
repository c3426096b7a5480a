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
import type { ExportsDeps } from '../src/services/exports/deps.ts'
import { createExports, exportsService } from '../src/services/exports/index.ts'
import { openS3Bucket } from '../src/services/storage/index.ts'
import { localS3AccessKey } from '../src/services/storage/s3/keys.ts'
import { exportRows } from '../src/transfer/index.ts'
import { consoleApp } from './console-app.ts'
import { test as base, openTestDatabase, type TestDatabase } from './harness.ts'
import { type OperatorRole, recordedActions } from './operator-actions.ts'
import { openS3, type S3App, textOf } from './s3-app.ts'

const services = new URL('../src/services/', import.meta.url)
/** Where the migrations of a room are. */
export const folderOf = (path: string) => new URL(`${path}/migrations/`, services)

type Clickhouse = Parameters<typeof exportRows>[0]['clickhouse'] & {
  insert(table: string, rows: readonly object[]): Promise<void>
  migrate(room: string, folder: URL): Promise<void>
}

/** A database and an engine with what can be exported, and an S3 server to export to. */
export const test = base.extend('world', async ({ db, clickhouse }) => {
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

export interface World {
  readonly db: TestDatabase
  readonly clickhouse: Clickhouse
  readonly s3: S3App
  readonly folder: string
}

/** Scheduled exports with their part of the console, for an operator of a role. */
export async function openExports(
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

/** What an operator sends of an export to the world's bucket. */
export const definition = ({ s3 }: World, more: object = {}) => ({
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
/** Events that were stored long ago, each another one. */
export const events = (count: number) =>
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

/** Changes rows of the world's database. */
export const change = (db: TestDatabase, text: string) => db.admin.query({ text, values: [] })

/** Adds persons, each with an id. */
export const addPersons = (db: TestDatabase, count: number) =>
  change(
    db,
    `with made as (
      insert into clew_analytics.persons (id, created_at)
      select gen_random_uuid(), '2026-01-01' from generate_series(1, ${count}) returning id)
    insert into clew_analytics.distinct_ids select 'of ' || id, id from made`,
  )

/** The names of the objects in the bucket. */
export async function keysIn({ s3 }: World): Promise<readonly string[]> {
  const { Contents = [] } = await s3.s3.send(new ListObjectsV2Command({ Bucket: 'b' }))
  return Contents.map(({ Key = '' }) => Key)
}

/** The rows of a file of JSON lines in the bucket. */
export async function linesOf({ s3 }: World, key: string): Promise<readonly Record<string, unknown>[]> {
  const text = (await textOf(await s3.s3.send(new GetObjectCommand({ Bucket: 'b', Key: key })))) ?? ''
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

type App = Awaited<ReturnType<typeof openExports>>

/** The latest run, once it is no longer at work. */
export async function runOf({ call }: App, id: string, state = 'done') {
  await expect
    .poll(async () => (await call('GET', `/exports/${id}/runs`)).body.runs[0]?.state, { timeout: 20_000 })
    .toBe(state)
  return (await call('GET', `/exports/${id}/runs`)).body.runs[0]
}

/** Creates an export. @returns its id */
export async function createExport(app: App, body: object): Promise<string> {
  const { status, body: answer } = await app.call('POST', '/exports', body)
  expect([status, answer]).toEqual([201, expect.anything()])
  return answer.id
}

/** Runs an export now. @returns the run, once it is done */
export async function runNow(app: App, id: string) {
  const latest = async () => (await app.call('GET', `/exports/${id}/runs`)).body.runs[0]?.id
  const before = await latest()
  expect((await app.call('POST', `/exports/${id}/runs`)).status).toBe(202)
  await expect.poll(latest, { timeout: 20_000 }).not.toBe(before)
  return runOf(app, id)
}
