import { join } from 'node:path'
import Fastify from 'fastify'
import { spoolSettings } from '../../src/engines/spool/index.ts'
import { createThreads } from '../../src/engines/threads/index.ts'
import { unwatched } from '../../src/ground/model/live.ts'
import { openConsent } from '../../src/ground/privacy/consent.ts'
import { noMasks } from '../../src/ground/privacy/masks.ts'
import { readSettings } from '../../src/ground/settings/read.ts'
import { compileClickHouse } from '../../src/ground/sql/clickhouse.ts'
import { sql } from '../../src/ground/sql/sql.ts'
import { createOtlp, otlpService, otlpSettings, otlpTables } from '../../src/services/otlp/index.ts'
import { refusedRowsIn } from '../refused-rows.ts'
import { openSmallClickHouse } from './clickhouse.ts'

/** The path of spans and logs as a process that can be killed, on a free port that it tells its parent. */
async function main(folder: string): Promise<void> {
  const log = (line: string): void => console.error(line)
  const clickhouse = openSmallClickHouse(folder, log)
  await clickhouse.ready()
  await clickhouse.migrate('otlp', otlpTables.clickhouse)
  const otlp = await createOtlp({
    ...{
      clickhouse,
      spoolDir: join(folder, 'spool'),
      threads: createThreads(),
      masks: noMasks,
      consent: openConsent,
      visitorTables: [],
      live: unwatched,
    },
    ...{ jsonDepth: 200, watchedBatchMs: 50, sessionsOf: async () => [], refused: refusedRowsIn(folder) },
    // Small, so that a short life meets many of their edges.
    spoolSettings: {
      ...readSettings(spoolSettings, []).values,
      segmentBytes: 20_000,
      batchRows: 200,
      maxBatchRows: 200,
      batchMs: 50,
    },
    now: () => new Date(),
    log: { info: () => undefined, warn: (_details, text) => log(text), error: (_details, text) => log(text) },
    settings: readSettings(otlpSettings, []).values,
  })
  const app = Fastify()
  const keys = { isSecret: (key: string) => key === 'crash', isPublishable: () => false }
  for (const { plugin, prefix } of otlpService(otlp, keys).mounts) await app.register(plugin, { prefix })
  app.get('/rows', async () => {
    await otlp.flush()
    return clickhouse.query(
      compileClickHouse(sql`
        select name, count() as times from spans final group by name
        union all
        select text as name, count() as times from server_logs final group by text`),
    )
  })
  process.send?.({ address: await app.listen({ port: 0, host: '127.0.0.1' }) })
}

await main(process.argv[2] ?? '')
