import { rm } from 'node:fs/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import { backoffMs } from '../../../ground/retry/backoff.ts'
import { storableText } from '../../../ground/text/storable.ts'
import type { ExportsDeps } from '../deps.ts'
import { type ExportRow, leaseStatement, releaseStatement, renewStatement } from '../store/exports.ts'
import { deleteRunsStatement, type RunRow, runFailedStatement, selectOpenRunStatement } from '../store/runs.ts'
import { LeaseLost, NotMaskedYet, openRun, type RunDeps, workOff } from './run.ts'

export interface RunnerDeps extends RunDeps, Pick<ExportsDeps, 'openBucket' | 'sealing' | 'rules' | 'newId' | 'log'> {
  readonly leaseMs: number
  /** When an export is due after a moment. */
  readonly nextAt: (schedule: string, after: Date) => Date
}

/** Works off what is due, one export at a time in a process. */
export interface Runner {
  /** Looks for work now. */
  wake(): void
  /** Begins; what an earlier process left is taken up when its lease has ended. */
  start(): void
  close(): Promise<void>
}

/** What is due, and what another process left, is noticed within so long. */
const pollMs = 5000
/** Masking is over in seconds, or in minutes. */
const maskedPollMs = 5000

export function createRunner(deps: RunnerDeps): Runner {
  const { sql, settings, leaseMs, log } = deps
  const closing = new AbortController()
  const { signal } = closing
  let wakeUp = (): void => undefined
  let running: Promise<void> | null = null

  async function workOffDue(): Promise<void> {
    while (!signal.aborted) {
      const lease = deps.newId()
      const [target] = (await sql.query<ExportRow>(leaseStatement(lease, leaseMs))).rows
      if (target === undefined) return
      try {
        await runLeased(deps, target, lease, signal)
      } finally {
        await sql.query(releaseStatement(target.id, lease))
        deps.changed()
      }
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await workOffDue().catch((error: unknown) =>
        log.warn({ err: error }, 'exports: what is due could not be read yet'),
      )
      await new Promise<void>((resolve) => {
        wakeUp = resolve
        setTimeout(resolve, pollMs).unref()
      })
    }
  }

  return {
    wake: () => wakeUp(),
    start() {
      running ??= rm(deps.folder, { recursive: true, force: true })
        .then(() => sql.query(deleteRunsStatement(settings.runDays)))
        .catch((error: unknown) => log.warn({ err: error }, 'exports: what an earlier process left stays'))
        .then(run)
    },
    async close() {
      closing.abort()
      wakeUp()
      await running
    },
  }
}

/** Works on one export until its run is done, fails or is another's; the lease is kept meanwhile. */
async function runLeased(deps: RunnerDeps, target: ExportRow, lease: string, closing: AbortSignal): Promise<void> {
  const lost = new AbortController()
  const renewal = setInterval(() => {
    deps.sql
      .query(renewStatement(target.id, lease, deps.leaseMs))
      .then(({ rows }) => rows.length === 0 && lost.abort(new LeaseLost('The export was paused, removed or taken up.')))
      // Without the database the lease ends by itself, and no file is kept as done.
      .catch(() => undefined)
  }, deps.leaseMs / 4)
  const signal = AbortSignal.any([closing, lost.signal])
  const run = await openRun(deps, target, deps.nextAt(target.schedule, deps.now()))
  try {
    const { timeoutSeconds } = deps.settings
    const secretAccessKey = deps.sealing.open(target.secretSealed)
    const bucket = await deps.openBucket({ ...target, secretAccessKey, timeoutSeconds, rules: deps.rules })
    try {
      await workOff(deps, { target, lease, signal }, run, bucket)
    } finally {
      bucket.close()
    }
  } catch (error) {
    if (closing.aborted || error instanceof LeaseLost) return
    await keepFailure(deps, target, run, error)
  } finally {
    clearInterval(renewal)
  }
}

async function keepFailure(
  { sql, settings: { firstRetrySeconds, maxRetries }, log }: RunnerDeps,
  target: ExportRow,
  run: RunRow,
  error: unknown,
): Promise<void> {
  // Each file that was written since the run was taken up has begun the count anew.
  const [{ failures: before } = run] = (await sql.query<RunRow>(selectOpenRunStatement(target.id))).rows
  if (error instanceof NotMaskedYet) {
    await sql.query(runFailedStatement(run.id, { error: error.message, failures: before, waitMs: maskedPollMs }))
    return
  }
  const failures = before + 1
  const waitMs = failures > maxRetries ? null : backoffMs(failures, firstRetrySeconds * 1000)
  log.warn({ err: error, export: target.name, failures }, 'exports: a run could not go on')
  await sql.query(runFailedStatement(run.id, { error: reasonOf(error), failures, waitMs }))
}

const mostReason = 500

/** What went wrong, in the words of the server where it had any. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return storableText(messageOf(cause), mostReason)
}
