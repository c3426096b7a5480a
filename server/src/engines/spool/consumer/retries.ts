import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import type { SpoolLog } from '../log.ts'

/** Failed attempts of one consumer: each is logged, shown by health, and followed by a growing pause. */
export interface Retries {
  /** Runs `attempt` until it succeeds. @throws when the signal is aborted */
  untilDone<T>(subject: string, attempt: () => Promise<T>): Promise<T>
  /** Records a failure and pauses. @param attempt 1 for the first. @throws when the signal is aborted */
  failed(subject: string, cause: unknown, attempt: number): Promise<void>
  /** The last failure, until `succeeded`. */
  trouble(): string | null
  succeeded(): void
  /** Ends the retries for good: the failure stays. */
  stopped(cause: unknown): void
}

const firstPauseMs = 100
const longestPauseMs = 5_000

export function createRetries(signal: AbortSignal, folder: string, log: SpoolLog): Retries {
  let trouble: string | null = null

  const failed = async (subject: string, cause: unknown, attempt: number): Promise<void> => {
    signal.throwIfAborted()
    const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)
    trouble = `${subject}: ${messageOf(cause)}`
    log.warn({ trouble, pauseMs, folder }, 'spool: a batch could not be stored and is tried again')
    await delay(pauseMs, undefined, { signal })
  }

  return {
    failed,
    async untilDone(subject, attempt) {
      for (let number = 1; ; number += 1) {
        signal.throwIfAborted()
        try {
          return await attempt()
        } catch (cause) {
          await failed(subject, cause, number)
        }
      }
    },
    trouble: () => trouble,
    succeeded() {
      trouble = null
    },
    stopped(cause) {
      trouble = `stopped: ${messageOf(cause)}`
      log.error({ err: cause }, 'spool: the consumer stopped')
    },
  }
}
