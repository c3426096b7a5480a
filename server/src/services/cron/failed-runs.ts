import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import { countFailedStatement } from './store.ts'

/** How many runs of jobs failed since an instant, in all processes; null where the database has no jobs. */
export async function countFailedRuns(on: Pick<Sql, 'query'>, since: Date): Promise<number | null> {
  const [there] = (
    await on.query<{ isThere: boolean }>(
      compile(sql`select to_regclass('cron.job_run_details') is not null as "isThere"`),
    )
  ).rows
  if (there?.isThere !== true) return null
  const [row] = (await on.query<{ failed: number }>(countFailedStatement(since))).rows
  return row?.failed ?? 0
}
