import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { compileClickHouse } from '../src/ground/sql/clickhouse.ts'
import { sql } from '../src/ground/sql/sql.ts'
import {
  type Analytics,
  analyticsSettings,
  analyticsTables,
  capturePlugin,
  createAnalytics,
} from '../src/services/analytics/index.ts'
import { recordings } from './counted-recordings.ts'
import { test as base } from './harness.ts'
import { japan, lisbon, mmdbFile } from './mmdb.ts'
import { refusedRowsIn } from './refused-rows.ts'

/** What clients send. */
export const token = 'phc_fixture'
const { values: settings } = readSettings(analyticsSettings, [])
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The endpoints of analytics on real engines. */
interface Edge {
  readonly app: FastifyInstance
  readonly analytics: Analytics
  readonly url: string
  readonly snapshots: string[]
  /** The rows of the table, once as many are stored. */
  stored(count: number): Promise<readonly Row[]>
}

interface Row {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly session_id: string
  readonly client_time: string
  readonly browser: string
  readonly lib: string
  readonly properties: string
}

/** Analytics behind its plugin, with two places of addresses. */
export const test = base.extend('edge', async ({ db, clickhouseOfFile: clickhouse }, { onCleanup }): Promise<Edge> => {
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-edge-'))
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const geoDatabase = join(spoolDir, 'places.mmdb')
  await writeFile(
    geoDatabase,
    mmdbFile([
      ['203.0.113.0/24', lisbon],
      ['2001:db8::/32', japan],
    ]),
  )
  const snapshots: string[] = []
  const threads = createThreads()
  const analytics = await createAnalytics({
    sql: db.admin,
    clickhouse,
    spoolDir,
    refused: refusedRowsIn(spoolDir),
    spoolSettings: { ...readSettings(spoolSettings, []).values, backlogBytes: 500_000 },
    ingestTokens: [token],
    isSecretKey: (key) => key === 'sb_secret_test',
    recordings: {
      ...recordings,
      forget: async () => undefined,
      store: async (lines) => {
        snapshots.push(...lines.flatMap((block) => block.toString().split('\n')))
      },
    },
    now: () => new Date(),
    threads,
    newId: uuidv7,
    settings: { ...settings, maxEventBytes: 100_000, geoDatabase },
    log: silent,
  })
  const app = Fastify()
  await app.register(capturePlugin(analytics), { prefix: '/ingest' })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/ingest`
  onCleanup(async () => {
    await app.close()
    await analytics.close()
    await threads.close()
    await clickhouse.command({ text: 'truncate table events', parameters: {} })
    await rm(spoolDir, { recursive: true, force: true })
  })
  const select = compileClickHouse(sql`
    select uuid, event, distinct_id, session_id, client_time, browser, lib, properties
    from events final order by client_time, uuid`)
  return {
    app,
    analytics,
    url,
    snapshots,
    async stored(count) {
      let rows: readonly Row[] = []
      await expect
        .poll(async () => {
          rows = await clickhouse.query<Row>(select)
          return rows
        })
        .toHaveLength(count)
      return rows
    },
  }
})

export const post = (url: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers })

/** An event with an id of its own. */
export const event = (properties: object = {}, more: object = {}) => ({
  uuid: uuidv7(),
  event: 'ordered',
  properties: { distinct_id: 'ada', ...properties },
  ...more,
})

export const compact = (body: unknown): string => JSON.stringify(body)
