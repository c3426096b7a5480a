import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { jobRunId } from '../../../ground/model/causes/job-run.ts'
import type { Cron } from '../cron.ts'
import { cronError } from '../errors.ts'
import { createCalendar, type LocalMinute } from '../schedule/clock.ts'
import { describeSchedule } from '../schedule/describe.ts'
import { findNextRun, withMemory } from '../schedule/next-run.ts'
import { parseSchedule, type Schedule } from '../schedule/parse.ts'
import type { JobSummary, JobsPage, RunDetail, RunSummary, RunsPage } from './schemas.ts'
import {
  findCronStatement,
  type JobRow,
  type RunDetailRow,
  type RunRow,
  selectJobsPageStatement,
  selectRunStatement,
  selectRunsStatement,
  setActiveStatement,
} from './store.ts'

export interface JobsDeps {
  readonly cron: Pick<Cron, 'runNow' | 'timeZone'>
  /** Reads as the owner, who sees every job. */
  readonly reader: Pick<Sql, 'query'>
  /** Changes jobs as the owner. */
  readonly owner: Pick<Sql, 'query'>
  readonly now: () => Date
}

interface Page {
  readonly limit: number
}

/** The jobs of `cron.job` and their runs, as the console asks for them. */
export interface Jobs {
  /** In which schedules are read. */
  readonly timeZone: string
  list(page: Page & { readonly after: string | null }): Promise<JobsPage>
  /** @throws CLEW_CRON_JOB_NOT_FOUND */
  job(jobId: string): Promise<JobSummary>
  runs(jobId: string, page: Page & { readonly before: string | null }): Promise<RunsPage>
  /** @throws CLEW_CRON_RUN_NOT_FOUND */
  run(jobId: string, runId: string): Promise<RunDetail>
  setActive(jobId: string, active: boolean): Promise<void>
  runNow(jobId: string): Promise<void>
}

export function createJobs({ cron, reader, owner, now }: JobsDeps): Jobs {
  const { timeZone } = cron
  const isInstalled = async (): Promise<boolean> =>
    (await reader.query<{ installed: boolean }>(findCronStatement())).rows[0]?.installed === true
  const summaries = (rows: readonly JobRow[]): JobSummary[] => {
    const localOf = withMemory(createCalendar(timeZone))
    const nowMs = now().getTime()
    return rows.map((row) => renderJob(row, nowMs, localOf))
  }
  const job = async (jobId: string): Promise<JobSummary> => {
    if (!(await isInstalled())) throw cronError('CLEW_CRON_JOB_NOT_FOUND')
    const { rows } = await reader.query<JobRow>(selectJobsPageStatement({ after: null, only: jobId, limit: 1 }))
    const [found] = summaries(rows)
    if (found === undefined) throw cronError('CLEW_CRON_JOB_NOT_FOUND')
    return found
  }
  return {
    timeZone,
    job,
    async list({ after, limit }) {
      if (!(await isInstalled())) return { installed: false, timeZone, jobs: [], next: null }
      const { rows } = await reader.query<JobRow>(selectJobsPageStatement({ after, only: null, limit: limit + 1 }))
      const shown = rows.slice(0, limit)
      const next = rows.length > limit ? (shown.at(-1)?.jobId ?? null) : null
      return { installed: true, timeZone, jobs: summaries(shown), next }
    },
    async runs(jobId, { before, limit }) {
      if (!(await isInstalled())) throw cronError('CLEW_CRON_JOB_NOT_FOUND')
      const { rows } = await reader.query<RunRow>(selectRunsStatement(jobId, before, limit + 1))
      const runs = rows.slice(0, limit).map(renderRun)
      return { runs, next: rows.length > limit ? (runs.at(-1)?.runId ?? null) : null }
    },
    async run(jobId, runId) {
      if (!(await isInstalled())) throw cronError('CLEW_CRON_RUN_NOT_FOUND')
      const [row] = (await reader.query<RunDetailRow>(selectRunStatement(jobId, runId))).rows
      if (row === undefined) throw cronError('CLEW_CRON_RUN_NOT_FOUND')
      const { command, database } = row
      return { run: renderRun(row), jobId: row.jobId, command, owner: row.owner, database, causeId: causeIdOf(row) }
    },
    async setActive(jobId, active) {
      await job(jobId)
      await owner.query(setActiveStatement(jobId, active)).catch(async (cause: unknown) => {
        if (!isDatabaseError(cause)) throw cause
        // It may have been removed meanwhile.
        await job(jobId)
        throw cronError('CLEW_CRON_REFUSED', { message: cause.message, cause })
      })
    },
    async runNow(jobId) {
      const { active } = await job(jobId)
      if (!active) throw cronError('CLEW_CRON_NOT_ACTIVE')
      cron.runNow(jobId)
    },
  }
}

function renderJob({ lastRun, ...job }: JobRow, nowMs: number, localOf: (atMs: number) => LocalMinute): JobSummary {
  const schedule = parseSchedule(job.schedule)
  const last = lastRun === null ? null : renderRun(lastRun)
  const nextMs = job.active ? nextRunOf(schedule, last, nowMs, localOf) : null
  return {
    ...job,
    scheduleWords: describeSchedule(schedule),
    nextRunAt: nextMs === null ? null : new Date(nextMs).toISOString(),
    lastRun: last,
  }
}

/** An interval counts from the start of the last run; a job that has not run, or runs late, is due now. */
function nextRunOf(
  schedule: Schedule | null,
  lastRun: RunSummary | null,
  nowMs: number,
  localOf: (atMs: number) => LocalMinute,
): number | null {
  if (schedule === null || schedule.kind === 'start') return null
  if (schedule.kind === 'calendar') return findNextRun(schedule, nowMs, localOf)
  const lastMs = lastRun?.startedAt == null ? nowMs : Date.parse(lastRun.startedAt)
  return Math.max(nowMs, lastMs + schedule.seconds * 1000)
}

const renderRun = ({ runId, status, message, startedAt, endedAt }: RunRow): RunSummary => ({
  runId,
  status: status === 'succeeded' || status === 'failed' ? status : 'running',
  message,
  startedAt,
  endedAt,
  durationMs: startedAt === null || endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
})

const causeIdOf = ({ jobId, runId, startedAt }: RunDetailRow): string | null =>
  startedAt === null ? null : jobRunId({ jobId, runId, startedAtMs: Date.parse(startedAt) })
