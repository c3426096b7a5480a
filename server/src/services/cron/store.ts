import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** A row of `cron.job` that is active. */
export interface Job {
  readonly jobId: string
  readonly schedule: string
  readonly command: string
  readonly database: string
  readonly username: string
  readonly name: string | null
}

/** What changes in a row of `cron.job_run_details`; null leaves a column as it is. */
export interface RunChange {
  readonly runId: string
  readonly status: 'running' | 'succeeded' | 'failed'
  readonly processId: number | null
  readonly message: string | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}

export function selectJobsStatement(): Statement {
  return compile(sql`
    select jobid::text as "jobId", schedule, command, database, username, to_jsonb(j) ->> 'jobname' as name
    from cron.job j
    where active
    order by jobid`)
}

/** Writes a run of each of these jobs as starting; returns `runId` and `jobId`. */
export function insertRunsStatement(jobs: readonly Job[]): Statement {
  return compile(sql`
    insert into cron.job_run_details (jobid, database, username, command, status)
    select jobid, database, username, command, 'starting'
    from unnest(
      ${typed(
        jobs.map((job) => job.jobId),
        'bigint[]',
      )},
      ${typed(
        jobs.map((job) => job.database),
        'text[]',
      )},
      ${typed(
        jobs.map((job) => job.username),
        'text[]',
      )},
      ${typed(
        jobs.map((job) => job.command),
        'text[]',
      )}
    ) as started (jobid, database, username, command)
    returning runid::text as "runId", jobid::text as "jobId"`)
}

/** Writes how runs go on: one change a run. */
export function updateRunsStatement(changes: readonly RunChange[]): Statement {
  return compile(sql`
    update cron.job_run_details d
    set
      status = c.status,
      job_pid = coalesce(c.job_pid, d.job_pid),
      return_message = coalesce(c.return_message, d.return_message),
      start_time = coalesce(c.start_time, d.start_time),
      end_time = coalesce(c.end_time, d.end_time)
    from unnest(
      ${typed(
        changes.map((change) => change.runId),
        'bigint[]',
      )},
      ${typed(
        changes.map((change) => change.status),
        'text[]',
      )},
      ${typed(
        changes.map((change) => change.processId),
        'integer[]',
      )},
      ${typed(
        changes.map((change) => change.message),
        'text[]',
      )},
      ${typed(
        changes.map((change) => change.startedAt),
        'timestamptz[]',
      )},
      ${typed(
        changes.map((change) => change.endedAt),
        'timestamptz[]',
      )}
    ) as c (runid, status, job_pid, return_message, start_time, end_time)
    where d.runid = c.runid`)
}

/** Fails the runs that an earlier process left unfinished, but for those that still run in this one. */
export function failInterruptedStatement(running: readonly string[], endedAt: Date): Statement {
  return compile(sql`
    update cron.job_run_details
    set status = 'failed', return_message = 'server restarted', end_time = ${typed(endedAt, 'timestamptz')}
    where status in ('starting', 'connecting', 'sending', 'running')
      and runid <> all (${typed(running, 'bigint[]')})`)
}

/** Deletes runs that ended, or began and never ended, before a moment. */
export function deleteRunsStatement(before: Date): Statement {
  return compile(sql`
    delete from cron.job_run_details
    where coalesce(end_time, start_time) < ${typed(before, 'timestamptz')}
      and status in ('succeeded', 'failed')`)
}

/** How many runs ended without success since a moment. */
export const countFailedStatement = (since: Date): Statement =>
  compile(sql`
    select count(*)::int as failed
    from cron.job_run_details
    where status = 'failed' and end_time >= ${typed(since, 'timestamptz')}`)

export function cancelStatement(processIds: readonly number[]): Statement {
  return compile(sql`
    select pg_catalog.pg_cancel_backend(pid)
    from unnest(${typed(processIds, 'integer[]')}) as pid`)
}
