import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { Log } from '../../ground/model/log.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { constant, sql } from '../../ground/sql/sql.ts'
import type { IssuesSettings } from './settings.ts'
import { deleteOldIssuesStatement, deleteOldReleasesStatement } from './store/issues.ts'

export interface CleanUpDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command'>
  readonly settings: IssuesSettings
  readonly now: () => Date
  readonly log: Log
}

const hourMs = 3_600_000
const mostReleases = 1000

/** Deletes what is past its time, or one too many, at the start and every hour. @returns stops it */
export function startCleanUp(deps: CleanUpDeps): () => void {
  const run = (): void =>
    void cleanUp(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'Old errors could not be deleted yet'))
  run()
  const timer = setInterval(run, hourMs).unref()
  return () => clearInterval(timer)
}

async function cleanUp({ sql: database, clickhouse, settings, now }: Omit<CleanUpDeps, 'log'>): Promise<void> {
  const { retentionDays, maxIssues } = settings
  const before = new Date(now().getTime() - retentionDays * 24 * hourMs)
  await database.query(deleteOldIssuesStatement(before, maxIssues))
  await database.query(deleteOldReleasesStatement(mostReleases))
  const [table] = await clickhouse.query<{ create_table_query: string }>(
    compileClickHouse(sql`
      select create_table_query from system.tables where database = currentDatabase() and name = 'exceptions'`),
  )
  const days = /toIntervalDay\((\d+)\)/.exec(table?.create_table_query ?? '')?.[1]
  if (days === undefined || Number(days) === retentionDays) return
  // DDL takes no parameters; the number is a checked setting.
  await clickhouse.command(
    compileClickHouse(sql`
      alter table exceptions
      modify ttl ${constant(`toDateTime(received_at) + toIntervalDay(${retentionDays}) delete`)}
      settings materialize_ttl_after_modify = 0`),
  )
}
