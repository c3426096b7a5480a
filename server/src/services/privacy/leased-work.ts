import type { Sql } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { Log } from '../../ground/model/log.ts'
import { failStatement, holdStatement, type JobTable, leaseStatement, releaseStatement } from './leased-rows.ts'

/** Jobs in a table, each leased by one process at a time. */
export interface LeasedWorkDeps<Job extends { readonly id: string }> {
  readonly sql: Pick<Sql, 'query'>
  readonly table: JobTable
  /** Steps that a job of now has. */
  readonly steps: number
  /** Milliseconds after which another process takes up a job of which nothing was heard; fifteen seconds where nothing is said. */
  readonly leaseMs?: number | undefined
  /** Works a job off; called again after a crash or a failure, so that it must bear repetition. */
  readonly work: (job: Job, signal: AbortSignal) => Promise<void>
  /** Of the log where a job fails. */
  readonly failure: string
  readonly log: Log
}

/** Works jobs off. */
export interface LeasedWork {
  /** Looks for work now. */
  wake(): void
  /** Begins; what an earlier process left is taken up when its lease has ended. */
  start(): void
  close(): Promise<void>
}

/** Work of another process, or of one that is gone, is noticed within so long. */
const pollMs = 5000
const usualLeaseMs = 15_000
/** A job that failed is tried again after this. */
const pauseMs = 60_000

/** Holds a lease until the returned function is called, which waits for what is under way. */
function holdEvery(ms: number, hold: () => Promise<unknown>): () => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    // A lease that could not be held is taken up by another process: each step bears repetition.
    last = hold().catch(() => undefined)
  }, ms).unref()
  return () => {
    clearInterval(timer)
    return last
  }
}

/**
 * Jobs in PostgreSQL, worked off one after another by any of the processes. The lease of a job is held while its process
 * lives, however long a step takes, and ends soon after a process that was killed.
 */
export function createLeasedWork<Job extends { readonly id: string }>({
  sql,
  table,
  steps,
  leaseMs = usualLeaseMs,
  work,
  failure,
  log,
}: LeasedWorkDeps<Job>): LeasedWork {
  const closing = new AbortController()
  const { signal } = closing
  let wakeUp = (): void => undefined
  let running: Promise<void> | null = null

  async function workOff(): Promise<void> {
    while (!signal.aborted) {
      const [job] = (await sql.query<Job>(leaseStatement(table, steps, leaseMs))).rows
      if (job === undefined) return
      const letGo = holdEvery(leaseMs / 3, () => sql.query(holdStatement(table, job.id, leaseMs)))
      const failed = await work(job, signal).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      await letGo()
      if (signal.aborted) await sql.query(releaseStatement(table, job.id))
      else if (failed !== null) {
        log.warn({ err: failed.error }, failure)
        await sql.query(failStatement(table, job.id, messageOf(failed.error), pauseMs))
      }
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await workOff().catch((error: unknown) => log.warn({ err: error }, 'privacy: jobs could not be read yet'))
      if (signal.aborted) return
      await new Promise<void>((resolve) => {
        wakeUp = resolve
        setTimeout(resolve, pollMs).unref()
      })
    }
  }

  return {
    wake: () => wakeUp(),
    start() {
      running ??= run()
    },
    async close() {
      closing.abort()
      wakeUp()
      await running
    },
  }
}
