import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { KeptLonger } from '../../ground/model/kept-longer.ts'
import type { Log } from '../../ground/model/log.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { sql } from '../../ground/sql/sql.ts'
import type { IssuesSettings } from './settings.ts'
import { deleteOldIssuesStatement, deleteOldReleasesStatement } from './store/issues.ts'

export interface CleanUpDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'query'>
  readonly keptLonger: KeptLonger
  readonly settings: IssuesSettings
  readonly now: () => Date
  readonly log: Log
}

const hourMs = 3_600_000
const mostReleases = 1000

/** Deletes the issues that are past their time, or one too many, at the start and every hour. @returns stops it */
export function startCleanUp(deps: CleanUpDeps): () => void {
  const run = (): void =>
    void cleanUp(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'Old errors could not be deleted yet'))
  run()
  const timer = setInterval(run, hourMs).unref()
  return () => clearInterval(timer)
}

async function cleanUp({
  sql: database,
  clickhouse,
  keptLonger,
  settings,
  now,
}: Omit<CleanUpDeps, 'log'>): Promise<void> {
  const { maxIssues } = settings
  const before = new Date(now().getTime() - settings.retentionDays * 24 * hourMs)
  const kept = await keptLonger.condition('exceptions')
  const fingerprints =
    kept === null
      ? []
      : await clickhouse.query<{ fingerprint: string }>(
          compileClickHouse(sql`select distinct fingerprint from exceptions where ${kept}`),
        )
  await database.query(
    deleteOldIssuesStatement(
      before,
      maxIssues,
      fingerprints.map(({ fingerprint }) => fingerprint),
    ),
  )
  await database.query(deleteOldReleasesStatement(mostReleases))
}
