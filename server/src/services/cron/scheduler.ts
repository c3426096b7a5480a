import { type Commands, sqlStateOf } from '../../engines/postgres/index.ts'
import type { Log } from '../../ground/model/log.ts'
import { startRun } from './runs/run.ts'
import { createRunLog } from './runs/run-log.ts'
import { type ClockState, createCalendar, passMinutes, startClock, untilNextMinute } from './schedule/clock.ts'
import type { CronSettings } from './settings.ts'
import {
  cancelStatement,
  deleteRunsStatement,
  failInterruptedStatement,
  insertRunsStatement,
  type Job,
  selectJobsStatement,
} from './store.ts'
import {
  addDueRuns,
  addStartRuns,
  chooseTasks,
  nextIntervalAt,
  reconcileTasks,
  type Task,
  type Tasks,
} from './tasks.ts'

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
}

/** The jobs of `cron.job` and their runs. Time passes by `tick`, which the caller repeats; ticks do not overlap. */
export interface Scheduler {
  /** Begins, or begins anew: runs that an earlier process left unfinished are failed, missed minutes left out. */
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

export function createScheduler({ commands, settings, now, log, onRunEnded }: SchedulerDeps): Scheduler {
  const { sql } = commands
  const localOf = createCalendar(settings.timeZone)
  const tasks: Tasks = new Map()
  /** With those whose job is gone. */
  const running = new Set<Task>()
  const warn = (error: unknown): void => {
    // Without the extension there is nothing to do.
    if (sqlStateOf(error) !== undefinedTable) log.warn({ err: error }, 'cron: a statement failed; it is tried again')
  }
  const runLog = createRunLog(sql, warn)
  const runDeps = {
    open: commands.open,
    cancel: async (processId: number) => {
      await sql.query(cancelStatement([processId]))
    },
    log: runLog,
    now,
  }
  let clock: ClockState = startClock(now().getTime())
  let needsRecovery = true
  let needsStartRuns = true
  let isStale = true
  let loadedAtMs = 0
  let prunedAtMs = Number.NEGATIVE_INFINITY
  let failed = 0

  const recover = async (): Promise<void> => {
    if (!needsRecovery) return
    const runIds = [...running].flatMap(({ run }) => run?.runId ?? [])
    await sql.query(failInterruptedStatement(runIds, now()))
    needsRecovery = false
  }

  const load = async (): Promise<void> => {
    if (!isStale) return
    isStale = false
    try {
      const { rows } = await sql.query<Job>(selectJobsStatement())
      takeOver(rows)
    } catch (error) {
      if (sqlStateOf(error) === undefinedTable) takeOver([])
      else {
        isStale = true
        throw error
      }
    }
  }

  const takeOver = (jobs: readonly Job[]): void => {
    loadedAtMs = now().getTime()
    for (const { run } of reconcileTasks(tasks, jobs, loadedAtMs)) run?.cancel()
    if (needsStartRuns) addStartRuns(tasks.values())
    needsStartRuns = false
  }

  const start = async (): Promise<void> => {
    const chosen = chooseTasks(tasks.values(), settings.maxRunningJobs - running.size)
    if (chosen.length === 0) return
    const { rows } = await sql.query<{ runId: string; jobId: string }>(
      insertRunsStatement(chosen.map((task) => task.job)),
    )
    const runIds = new Map(rows.map(({ runId, jobId }) => [jobId, runId]))
    for (const task of chosen) begin(task, runIds.get(task.job.jobId))
  }

  const begin = (task: Task, runId: string | undefined): void => {
    if (runId === undefined) return
    task.pending -= 1
    task.lastStartedAt = now().getTime()
    const run = startRun(runDeps, runId, task.job)
    task.run = run
    running.add(task)
    void run.ended.then((succeeded) => {
      task.run = null
      running.delete(task)
      if (!succeeded) failed += 1
      onRunEnded()
    })
  }

  const prune = async (): Promise<void> => {
    const nowMs = now().getTime()
    if (settings.runDetailsDays === 0 || nowMs - prunedAtMs < pruneMs) return
    prunedAtMs = nowMs
    await sql.query(deleteRunsStatement(new Date(nowMs - settings.runDetailsDays * dayMs)))
  }

  const tick = async (): Promise<void> => {
    const passed = passMinutes(clock, now().getTime())
    clock = passed.state
    // A notification may have been missed; not in a minute's first moment, when jobs are started.
    if (passed.due.length === 0 && now().getTime() - loadedAtMs >= pollMs) isStale = true
    try {
      await recover()
      await load()
    } finally {
      const due = passed.due.map((each) => ({ ...each, local: localOf(each.minute) }))
      addDueRuns(tasks.values(), due, now().getTime())
    }
    await start()
    await prune()
  }

  let ticking: Promise<void> | null = null
  let needsAnother = false
  return {
    begin() {
      clock = startClock(now().getTime())
      needsRecovery = true
      isStale = true
    },
    tick() {
      needsAnother = ticking !== null
      ticking ??= (async () => {
        do {
          needsAnother = false
          await tick().catch(warn)
        } while (needsAnother)
        ticking = null
      })()
      return ticking
    },
    untilNextTick() {
      const nowMs = now().getTime()
      const next = Math.min(untilNextMinute(nowMs), nextIntervalAt(tasks.values()) - nowMs)
      return tasks.size === 0 && !isStale && !needsRecovery ? next : Math.max(1, Math.min(next, longestPauseMs))
    },
    changed() {
      isStale = true
    },
    runNow(jobId) {
      const task = tasks.get(jobId)
      if (task === undefined) return false
      task.pending += 1
      onRunEnded()
      return true
    },
    async settled() {
      await ticking
      while (running.size > 0) await Promise.all([...running].map(({ run }) => run?.ended))
      await runLog.flush()
    },
    cancelAll() {
      for (const { run } of running) run?.cancel()
    },
    gauges: () => {
      let waiting = 0
      for (const task of tasks.values()) waiting += task.pending
      return { jobs: tasks.size, running: running.size, waiting, failed }
    },
  }
}
