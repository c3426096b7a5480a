import { type Commands, type Sql, sqlStateOf } from '../../engines/postgres/index.ts'
import type { Log } from '../../ground/model/log.ts'
import { createRunner } from './runs/runner.ts'
import { type ClockState, createCalendar, passMinutes, startClock, untilNextMinute } from './schedule/clock.ts'
import type { CronSettings } from './settings.ts'
import { deleteRunsStatement, failInterruptedStatement, type Job, selectJobsStatement } from './store.ts'
import { addDueRuns, addStartRuns, nextIntervalAt, reconcileTasks, type Tasks } from './tasks.ts'

const pollMs = 60_000
const pruneMs = 3_600_000
const dayMs = 86_400_000
/** A jump of the clock is noticed, and a failed statement repeated, within this time. */
const longestPauseMs = 1_000
/** SQLSTATE of a table that does not exist: the extension is not created, or dropped. */
const undefinedTable = '42P01'

export interface SchedulerDeps {
  readonly commands: Pick<Commands, 'sql' | 'open'>
  readonly settings: CronSettings
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  /** Called when a run has ended, so that a tick may start the next. */
  readonly onRunEnded: () => void
  /** Called when jobs were read anew, or runs written. */
  readonly onWritten?: () => void
}

/** The jobs of `cron.job` and their runs. Time passes by `tick`, which the caller repeats; ticks do not overlap. */
export interface Scheduler {
  /** Begins, or begins again: runs that an earlier process left unfinished are failed, missed minutes left out. */
  begin(): void
  /** Reads changed jobs and starts the runs that are due. Never rejects. */
  tick(): Promise<void>
  /** Milliseconds until the next tick is of use. */
  untilNextTick(): number
  /** The table has changed. */
  changed(): void
  /** Adds a run of an active job now, after one that is in progress; false where there is no such job. */
  runNow(jobId: string): boolean
  /** Resolves when no run is in progress and all is written. */
  settled(): Promise<void>
  /** Ends the runs in progress as failed. */
  cancelAll(): void
  gauges(): { readonly jobs: number; readonly running: number; readonly waiting: number; readonly failed: number }
}

export function createScheduler({
  commands,
  settings,
  now,
  log,
  onRunEnded,
  onWritten = () => undefined,
}: SchedulerDeps): Scheduler {
  const { sql } = commands
  const { maxRunningJobs, runDetailsDays, timeZone } = settings
  const localOf = createCalendar(timeZone)
  const tasks: Tasks = new Map()
  const nowMs = (): number => now().getTime()
  const warn = (error: unknown): void => {
    // Without the extension there is nothing to do.
    if (sqlStateOf(error) !== undefinedTable) log.warn({ err: error }, 'cron: a statement failed; it is tried again')
  }
  const runner = createRunner({ commands, maxRunningJobs, now, onRunEnded, onWritten, onError: warn })
  const prune = createPruning(sql, runDetailsDays, nowMs)
  let clock: ClockState = startClock(nowMs())
  let needsRecovery = true
  const loader = createTaskLoader(sql, tasks, nowMs)

  const recover = async (): Promise<void> => {
    if (!needsRecovery) return
    await sql.query(failInterruptedStatement(runner.runIds(), now()))
    needsRecovery = false
  }

  const ticks = oneAtATime(async () => {
    const passed = passMinutes(clock, nowMs())
    clock = passed.state
    // A notification may have been missed; not in a minute's first moment, when jobs are started.
    if (passed.due.length === 0 && loader.ageMs() >= pollMs) loader.markStale()
    try {
      await recover()
      await loader.load()
    } finally {
      const due = passed.due.map((each) => ({ ...each, local: localOf(each.minute) }))
      addDueRuns(tasks.values(), due, nowMs())
    }
    await runner.start(tasks.values())
    await prune()
  }, warn)

  return {
    begin() {
      clock = startClock(nowMs())
      needsRecovery = true
      loader.markStale()
    },
    tick: ticks.run,
    untilNextTick() {
      const next = Math.min(untilNextMinute(nowMs()), nextIntervalAt(tasks.values()) - nowMs())
      return tasks.size === 0 && !loader.isStale() && !needsRecovery
        ? next
        : Math.max(1, Math.min(next, longestPauseMs))
    },
    changed: loader.markStale,
    runNow(jobId) {
      const task = tasks.get(jobId)
      if (task === undefined) return false
      task.pending += 1
      onRunEnded()
      return true
    },
    async settled() {
      await ticks.settled()
      await runner.settled()
    },
    cancelAll: runner.cancelAll,
    gauges: () => ({ jobs: tasks.size, waiting: countWaiting(tasks), ...runner.counts() }),
  }
}

interface TaskLoader {
  isStale(): boolean
  /** The table of jobs has changed. */
  markStale(): void
  /** Milliseconds since the jobs were read. */
  ageMs(): number
  /** Reads the jobs where they have changed. */
  load(): Promise<void>
}

/** Keeps `tasks` as the table of jobs says. */
function createTaskLoader(sql: Pick<Sql, 'query'>, tasks: Tasks, nowMs: () => number): TaskLoader {
  let needsStartRuns = true
  let isStale = true
  let loadedAtMs = 0
  return {
    isStale: () => isStale,
    markStale() {
      isStale = true
    },
    ageMs: () => nowMs() - loadedAtMs,
    async load() {
      if (!isStale) return
      // A change that comes meanwhile makes it stale again.
      isStale = false
      const jobs = await readJobs(sql).catch((error: unknown) => {
        isStale = true
        throw error
      })
      loadedAtMs = nowMs()
      for (const { run } of reconcileTasks(tasks, jobs, loadedAtMs)) run?.cancel()
      if (needsStartRuns) addStartRuns(tasks.values())
      needsStartRuns = false
    },
  }
}

/** The active jobs; none where the extension is not created, or dropped. */
async function readJobs(sql: Pick<Sql, 'query'>): Promise<readonly Job[]> {
  try {
    return (await sql.query<Job>(selectJobsStatement())).rows
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return []
    throw error
  }
}

/** Deletes runs of more days ago, at most once an hour; none for 0 days. */
function createPruning(sql: Pick<Sql, 'query'>, days: number, nowMs: () => number): () => Promise<void> {
  let prunedAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    const atMs = nowMs()
    if (days === 0 || atMs - prunedAtMs < pruneMs) return
    prunedAtMs = atMs
    await sql.query(deleteRunsStatement(new Date(atMs - days * dayMs)))
  }
}

/** Work that does not overlap: calls while it runs have it run once more. `run` never rejects. */
function oneAtATime(work: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> | null = null
  let needsAnother = false
  const repeat = async (): Promise<void> => {
    do {
      needsAnother = false
      await work().catch(onError)
    } while (needsAnother)
    running = null
  }
  return {
    run(): Promise<void> {
      needsAnother = running !== null
      running ??= repeat()
      return running
    },
    settled: async (): Promise<void> => {
      await running
    },
  }
}

function countWaiting(tasks: Tasks): number {
  let waiting = 0
  for (const task of tasks.values()) waiting += task.pending
  return waiting
}
