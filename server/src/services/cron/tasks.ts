import type { Run } from './runs/run.ts'
import { countDue, type DueMinute, type LocalMinute } from './schedule/clock.ts'
import { parseSchedule, type Schedule } from './schedule/parse.ts'
import type { Job } from './store.ts'

/** A job as the scheduler knows it. */
export interface Task {
  job: Job
  /** Null for a text that cannot be read: such a job never runs. */
  schedule: Schedule | null
  /** Runs that are due and not started; one waits while an earlier one runs. */
  pending: number
  /** When the last run was started, or when the job was first seen; Unix milliseconds. */
  lastStartedAt: number
  run: Run | null
}

export type Tasks = Map<string, Task>

/** Takes over the jobs of the table as they are now; returns the tasks of jobs that are gone and still run. */
export function reconcileTasks(tasks: Tasks, jobs: readonly Job[], nowMs: number): readonly Task[] {
  const gone = new Map(tasks)
  for (const job of jobs) {
    gone.delete(job.jobId)
    const known = tasks.get(job.jobId)
    if (known === undefined) {
      const schedule = parseSchedule(job.schedule)
      tasks.set(job.jobId, { job, schedule, pending: 0, lastStartedAt: nowMs, run: null })
      continue
    }
    if (known.job.schedule !== job.schedule) known.schedule = parseSchedule(job.schedule)
    known.job = job
  }
  for (const jobId of gone.keys()) tasks.delete(jobId)
  return [...gone.values()].filter(({ run }) => run !== null)
}

/** Adds the runs that are due. An interval that passes while its job runs adds one run, however often it passes. */
export function addDueRuns(
  tasks: Iterable<Task>,
  due: readonly (DueMinute & { readonly local: LocalMinute })[],
  nowMs: number,
): void {
  for (const task of tasks) {
    const { schedule } = task
    if (schedule?.kind === 'calendar') task.pending += countDue(schedule, due)
    else if (schedule?.kind === 'interval' && task.pending === 0 && nowMs >= nextStartOf(task, schedule.seconds))
      task.pending = 1
  }
}

/** Adds the run of each `@reboot` job. */
export function addStartRuns(tasks: Iterable<Task>): void {
  for (const task of tasks) if (task.schedule?.kind === 'start') task.pending += 1
}

const nextStartOf = (task: Task, seconds: number): number => task.lastStartedAt + seconds * 1000

/** When the next interval passes, in Unix milliseconds; infinity where there is none. */
export function nextIntervalAt(tasks: Iterable<Task>): number {
  let next = Number.POSITIVE_INFINITY
  for (const task of tasks)
    if (task.schedule?.kind === 'interval' && task.pending === 0)
      next = Math.min(next, nextStartOf(task, task.schedule.seconds))
  return next
}

/** The tasks to start now, those that began longest ago first. */
export function chooseTasks(tasks: Iterable<Task>, places: number): readonly Task[] {
  if (places <= 0) return []
  return [...tasks]
    .filter(({ pending, run }) => pending > 0 && run === null)
    .sort((one, other) => one.lastStartedAt - other.lastStartedAt)
    .slice(0, places)
}
