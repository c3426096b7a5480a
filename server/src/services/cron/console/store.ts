import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** A row of `cron.job` with its last run. */
export interface JobRow {
  readonly jobId: string
  readonly name: string | null
  readonly schedule: string
  readonly command: string
  readonly database: string
  readonly owner: string
  readonly active: boolean
  readonly lastRun: RunRow | null
}

/** A row of `cron.job_run_details`; times in ISO 8601. */
export interface RunRow {
  readonly runId: string
  readonly status: string
  readonly message: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
}

/** A run with what it ran. */
export interface RunDetailRow extends RunRow {
  readonly jobId: string
  readonly command: string
  readonly owner: string
  readonly database: string
}

export const findCronStatement = (): Statement => compile(sql`select to_regclass('cron.job') is not null as installed`)

const utc = (column: 'start_time' | 'end_time') =>
  column === 'start_time'
    ? sql`to_char(d.start_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`to_char(d.end_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Longer commands and messages are cut: a list may hold two hundred. */
const shownCharacters = 16_384

const runColumns = sql`
  d.runid::text as "runId", coalesce(d.status, '') as status, left(d.return_message, ${shownCharacters}) as message,
  ${utc('start_time')} as "startedAt", ${utc('end_time')} as "endedAt"`

/** Jobs by number, each with its last run; after a job, or one job alone. */
export const selectJobsPageStatement = (page: {
  readonly after: string | null
  readonly only: string | null
  readonly limit: number
}): Statement =>
  compile(sql`
    select
      j.jobid::text as "jobId", j.jobname as name, j.schedule, left(j.command, ${shownCharacters}) as command,
      j.database, j.username as owner, j.active,
      to_jsonb(r) as "lastRun"
    from cron.job j
    left join lateral (
      select ${runColumns}
      from cron.job_run_details d
      where d.jobid = j.jobid
      order by d.runid desc
      limit 1
    ) r on true
    where (${typed(page.after, 'bigint')} is null or j.jobid > ${typed(page.after, 'bigint')})
      and (${typed(page.only, 'bigint')} is null or j.jobid = ${typed(page.only, 'bigint')})
    order by j.jobid
    limit ${page.limit}`)

/** Runs of a job, newest first, from before a run on. */
export const selectRunsStatement = (jobId: string, before: string | null, limit: number): Statement =>
  compile(sql`
    select ${runColumns}
    from cron.job_run_details d
    where d.jobid = ${typed(jobId, 'bigint')}
      and (${typed(before, 'bigint')} is null or d.runid < ${typed(before, 'bigint')})
    order by d.runid desc
    limit ${limit}`)

export const selectRunStatement = (jobId: string, runId: string): Statement =>
  compile(sql`
    select ${runColumns}, d.jobid::text as "jobId", left(coalesce(d.command, ''), ${shownCharacters}) as command,
      coalesce(d.username, '') as owner, coalesce(d.database, '') as database
    from cron.job_run_details d
    where d.jobid = ${typed(jobId, 'bigint')} and d.runid = ${typed(runId, 'bigint')}`)

export const setActiveStatement = (jobId: string, active: boolean): Statement =>
  compile(sql`select cron.alter_job(${typed(jobId, 'bigint')}, active := ${typed(active, 'boolean')})`)
