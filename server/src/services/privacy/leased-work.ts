import { messageOf } from '../../ground/errors/message.ts'
import type { Log } from '../../ground/model/log.ts'

/** Jobs in a table, each leased by one process at a time. */
export interface LeasedWorkDeps<Job extends { readonly id: string }> {
  /** Takes the oldest job that waits, or whose lease has ended; undefined where there is none. */
  readonly lease: () => Promise<Job | undefined>
  /** Works a job off; called again after a crash or a failure, so that it must bear repetition. */
  readonly work: (job: Job, signal: AbortSignal) => Promise<void>
  /** Keeps why a job failed: it is tried again when its lease has ended. */
  readonly failed: (id: string, message: string) => Promise<unknown>
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

/** Jobs in PostgreSQL, worked off one after another by any of the processes. */
export function createLeasedWork<Job extends { readonly id: string }>({
  lease,
  work,
  failed,
  failure,
  log,
}: LeasedWorkDeps<Job>): LeasedWork {
  const closing = new AbortController()
  const { signal } = closing
  let wakeUp = (): void => undefined
  let running: Promise<void> | null = null

  async function workOff(): Promise<void> {
    while (!signal.aborted) {
      const job = await lease()
      if (job === undefined) return
      try {
        await work(job, signal)
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, failure)
        await failed(job.id, messageOf(error))
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
