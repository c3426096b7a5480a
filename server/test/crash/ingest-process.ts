import { join } from 'node:path'
import Fastify from 'fastify'
import { createPostgres } from '../../src/engines/postgres/index.ts'
import { spoolSettings } from '../../src/engines/spool/index.ts'
import { createThreads } from '../../src/engines/threads/index.ts'
import { uuidv7 } from '../../src/ground/ids/uuidv7.ts'
import { readSettings } from '../../src/ground/settings/read.ts'
import { compileClickHouse } from '../../src/ground/sql/clickhouse.ts'
import { compile } from '../../src/ground/sql/postgres.ts'
import { type SqlFragment, sql } from '../../src/ground/sql/sql.ts'
import {
  analyticsSettings,
  analyticsTables,
  capturePlugin,
  createAnalytics,
} from '../../src/services/analytics/index.ts'
import { createIssues, issuesSettings, issuesTables } from '../../src/services/issues/index.ts'
import { createReplay, replayTables } from '../../src/services/replay/index.ts'
import { refusedRowsIn } from '../refused-rows.ts'
import { openSmallClickHouse } from './clickhouse.ts'

/**
 * The path of events, recordings, exceptions and groups as a process that can be killed: capture, its spool and both
 * engines in `folder`, on a free port that it tells its parent. Segments and batches are small, so that a short life meets
 * many of their edges.
 */
async function main(folder: string): Promise<void> {
  const log = (line: string): void => console.error(line)
  const clickhouse = openSmallClickHouse(folder, log)
  const postgres = await createPostgres({
    kind: 'embedded',
    dataDir: join(folder, 'postgres'),
    socketDir: folder,
    port: null,
    password: 'postgres',
    exposedSchemas: [],
    poolSize: 2,
    log,
  })
  await postgres.migrate('analytics', analyticsTables.postgres)
  await postgres.migrate('issues', issuesTables.postgres)
  await clickhouse.ready()
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  await clickhouse.migrate('replay', replayTables.clickhouse)
  await clickhouse.migrate('issues', issuesTables.clickhouse)
  const shared = {
    sql: postgres.admin,
    clickhouse,
    spoolDir: join(folder, 'spool'),
    refused: refusedRowsIn(folder),
    spoolSettings: {
      ...readSettings(spoolSettings, []).values,
      segmentBytes: 20_000,
      batchRows: 200,
      maxBatchRows: 200,
      batchMs: 50,
    },
    threads: createThreads(),
    now: () => new Date(),
    newId: uuidv7,
    log: {
      info: () => undefined,
      warn: (_details: object, text: string) => log(text),
      error: (_details: object, text: string) => log(text),
    },
  }
  const issues = await createIssues({ ...shared, settings: readSettings(issuesSettings, []).values })
  const analytics = await createAnalytics({
    ...shared,
    ingestTokens: ['phc_crash'],
    isSecretKey: () => false,
    recordings: createReplay({ clickhouse, settings: { errorsPerSession: 500, outlinedMessages: 1000 } }),
    exceptions: issues.exceptions,
    settings: readSettings(analyticsSettings, []).values,
  })

  const app = Fastify()
  await app.register(capturePlugin(analytics), { prefix: '/ingest' })
  app.get('/waiting', async () => analytics.waiting())
  const stored = (fragment: SqlFragment) => clickhouse.query(compileClickHouse(fragment))
  const kept = async (fragment: SqlFragment) => (await postgres.admin.query(compile(fragment))).rows
  app.get('/rows', () =>
    stored(sql`
      select JSONExtractString(properties, 'number') as number, count() as times
      from events final
      group by number`),
  )
  app.get('/messages', () =>
    stored(sql`
      select toString(uuid) as id, count() as times, countIf(position(data, '2024-10') > 0) as packed
      from snapshots final
      group by uuid`),
  )
  app.get('/exceptions', () =>
    stored(sql`
      select JSONExtractString(exceptions, 1, 'message') as number, count() as times
      from exceptions final
      group by number`),
  )
  app.get('/issues', () =>
    kept(sql`
      select i.type, count(h.id)::int as times
      from clew_issues.issues i
      join clew_issues.fingerprints f on f.issue_id = i.id
      left join clew_issues.history h on h.issue_id = i.id
      group by i.id, f.fingerprint`),
  )
  app.get('/groups', () => kept(sql`select key, properties->>'number' as number from clew_analytics.groups`))
  app.get('/people', async () => Object.fromEntries(await analytics.personsByDistinctId(['crash-sender'])))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  process.send?.({ address })
}

await main(process.argv[2] ?? '')
