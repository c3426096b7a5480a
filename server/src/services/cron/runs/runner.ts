import type { Commands } from '../../../engines/postgres/index.ts'
import { cancelStatement, insertRunsStatement } from '../store.ts'
import { chooseTasks, type Task } from '../tasks.ts'
import { startRun } from './run.ts'
import { createRunLog } from './run-log.ts'

export interface RunnerDeps {
  readonly commands: Pick<Commands, 'sql' | 'open'>
  readonly maxRunningJobs: number
  readonly now: () => Date
  /** Called when a run has ended, so that another may start. */
  readonly onRunEnded: () => void
  /** Called when the change of a run could not be written; it is tried again. */
  readonly onError: (error: unknown) => void
  /** Called when changes of runs were written. */
  readonly onWritten: () => void
}

/** Starts the runs of tasks, and records them in `cron.job_run_details`. */
export interface Runner {
  /** Starts runs that wait, as far as there are places. */
  start(tasks: Iterable<Task>): Promise<void>
  /** The ids of the runs in progress. */
  runIds(): readonly string[]
  /** Resolves when no run is in progress and all is written. */
  settled(): Promise<void>
  /** Ends the runs in progress as failed. */
  cancelAll(): void
  /** Runs in progress, and those that failed since the start. */
  counts(): { readonly running: number; readonly failed: number }
}

export function createRunner({ commands, maxRunningJobs, now, onRunEnded, onError, onWritten }: RunnerDeps): Runner {
  const { sql, open } = commands
  /** With those whose job is gone. */
  const running = new Set<Task>()
  const log = createRunLog(sql, { onError, onWritten })
  const cancel = async (processId: number): Promise<void> => {
    await sql.query(cancelStatement([processId]))
  }
  let failed = 0

  const begin = (task: Task, runId: string): void => {
    task.pending -= 1
    task.lastStartedAt = now().getTime()
    const run = startRun({ open, cancel, log, now }, runId, task.job)
    task.run = run
    running.add(task)
    void run.ended.then((succeeded) => {
      task.run = null
      running.delete(task)
      if (!succeeded) failed += 1
      onRunEnded()
    })
  }

  return {
    async start(tasks) {
      const chosen = chooseTasks(tasks, maxRunningJobs - running.size)
      if (chosen.length === 0) return
      const { rows } = await sql.query<{ runId: string; jobId: string }>(
        insertRunsStatement(chosen.map((task) => task.job)),
      )
      onWritten()
      const runIds = new Map(rows.map(({ runId, jobId }) => [jobId, runId]))
      for (const task of chosen) {
        const runId = runIds.get(task.job.jobId)
        if (runId !== undefined) begin(task, runId)
      }
    },
    runIds: () => [...running].flatMap(({ run }) => run?.runId ?? []),
    async settled() {
      while (running.size > 0) await Promise.all([...running].map(({ run }) => run?.ended))
      await log.flush()
    },
    cancelAll() {
      for (const { run } of running) run?.cancel()
    },
    counts: () => ({ running: running.size, failed }),
  }
}
