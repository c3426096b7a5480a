import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect } from 'vitest'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { analyticsSettings, analyticsTables, capturePlugin, createAnalytics } from '../src/services/analytics/index.ts'
import { createFlags, flagsService, flagsSettings, flagsTables } from '../src/services/flags/index.ts'
import { consoleApp } from './console-app.ts'
import { recordings } from './counted-recordings.ts'
import { test as base } from './harness.ts'
import { recordedActions } from './operator-actions.ts'
import { refusedRowsIn } from './refused-rows.ts'

/** What clients send. */
export const token = 'phc_fixture'
export const secret = 'sb_secret_test'
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const describedGroups = [
  `insert into clew_analytics.group_types (type, index, created_at) values ('company', 0, now())`,
  `insert into clew_analytics.groups (type, key, properties, created_at)
   values ('company', 'acme', '{"plan": "enterprise"}', now())`,
]

/** An answer of `/flags` and `/decide`, in whichever form. */
interface Answer {
  readonly flags: Readonly<Record<string, { readonly enabled: boolean; readonly metadata?: object }>>
  readonly featureFlags?: unknown
  readonly errorsWhileComputingFlags: boolean
}

/** Flags beside analytics on real engines, with the group `company` 0 and its `acme`. */
export const test = base.extend('product', async ({ db, clickhouseOfFile: clickhouse }, { onCleanup }) => {
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-flags-'))
  await db.migrate('analytics', analyticsTables.postgres)
  await db.migrate('flags', flagsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  for (const text of describedGroups) await db.admin.query({ text, values: [] })
  const threads = createThreads()
  const analytics = await createAnalytics({
    ...{ sql: db.admin, clickhouse, spoolDir, refused: refusedRowsIn(spoolDir), threads },
    recordings: { ...recordings, store: async () => undefined, forget: async () => undefined },
    spoolSettings: readSettings(spoolSettings, []).values,
    ingestTokens: [token],
    isSecretKey: (key) => key === secret,
    ...{ now: () => new Date(), newId: uuidv7, log: silent },
    settings: readSettings(analyticsSettings, []).values,
  })
  const flags = await createFlags({
    ...{ sql: db.admin, reader: db.reader, listen: db.listen, now: () => new Date(), log: silent },
    people: { person: analytics.storedPerson, some: analytics.somePersons },
    consent: { among: async (ids: readonly string[]) => new Set(ids.filter((id) => !id.startsWith('refused'))) },
    groups: { types: analytics.groupTypes, properties: analytics.groupProperties, some: analytics.someGroups },
    settings: { ...readSettings(flagsSettings, []).values, maxFlags: 40, maxCohortMembers: 3 },
  })
  const app = Fastify()
  await app.register(capturePlugin(analytics, flags), { prefix: '/ingest' })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/ingest`
  const { actions, log } = recordedActions('developer')
  const console = await consoleApp(async (part) => {
    for (const each of flagsService(flags, actions).console) await part.register(each)
  })
  onCleanup(async () => {
    await app.close()
    await flags.close()
    await analytics.close()
    await threads.close()
    await clickhouse.command({ text: 'truncate table events', parameters: {} })
    await rm(spoolDir, { recursive: true, force: true })
  })
  const ask = async (body: object, path = '/flags/?v=2'): Promise<Answer> => {
    const sent = JSON.stringify({ token, distinct_id: 'ada', ...body })
    return (await fetch(`${url}${path}`, { method: 'POST', body: sent })).json() as Promise<Answer>
  }
  const store = async (key: string, filters: object, more: object = {}) => {
    const answer = await console('POST', '/flags', { ...flagBody(filters), key, ...more })
    expect([answer.status, answer.body]).toEqual([201, expect.anything()])
    return answer.body
  }
  return { db, url, console, log, ask, store, flags, analytics }
})

/** A new flag as the console sends it. */
export const flagBody = (filters: object) => ({
  ...{ description: '', active: true, filters, keepsBucket: false, bucketing: 'distinct_id', runtime: 'all' },
  ...{ contexts: [], earlyAccess: null },
})
