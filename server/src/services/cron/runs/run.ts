import type { CommandConnection, CommandOutcome } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import { jobRunId } from '../../../ground/model/causes/job-run.ts'
import type { Job } from '../store.ts'
import type { RunLog } from './run-log.ts'

export interface RunDeps {
  readonly open: (role: string, database: string) => Promise<CommandConnection>
  /** Ends the statement of a server process. */
  readonly cancel: (processId: number) => Promise<void>
  readonly log: RunLog
  readonly now: () => Date
}

/** A run of a job. */
export interface Run {
  readonly runId: string
  /** Whether it succeeded, when it has ended and its result is handed to the log; never rejects. */
  readonly ended: Promise<boolean>
  /** Ends it as failed with pg_cron's message: its job was removed or made inactive, or the process stops. */
  cancel(): void
}

const canceled: CommandOutcome = { succeeded: false, message: 'job canceled' }

/** Runs a job's command once, on a connection of its own. */
export function startRun({ open, cancel, log, now }: RunDeps, runId: string, job: Job): Run {
  let isCanceled = false
  /** The server's process while the command runs. */
  let processId: number | null = null

  const runCommand = async (connection: CommandConnection): Promise<CommandOutcome> => {
    if (isCanceled) return canceled
    processId = connection.processId
    const startedAt = now()
    log.add({ runId, status: 'running', processId, message: null, startedAt, endedAt: null })
    const id = jobRunId({ jobId: job.jobId, runId, startedAtMs: startedAt.getTime() })
    const outcome = await connection.run(job.command, { id, jobName: job.name })
    processId = null
    return isCanceled && !outcome.succeeded ? canceled : outcome
  }

  const connectAndRun = async (): Promise<CommandOutcome> => {
    let connection: CommandConnection
    try {
      connection = await open(job.username, job.database)
    } catch (error) {
      return { succeeded: false, message: `connection failed: ${messageOf(error)}` }
    }
    try {
      return await runCommand(connection)
    } finally {
      await connection.end().catch(() => undefined)
    }
  }

  const ended = (async () => {
    const { succeeded, message } = await connectAndRun()
    const status = succeeded ? 'succeeded' : 'failed'
    log.add({ runId, status, processId: null, message, startedAt: null, endedAt: now() })
    return succeeded
  })()

  return {
    runId,
    ended,
    cancel() {
      isCanceled = true
      if (processId !== null) cancel(processId).catch(() => undefined)
    },
  }
}
