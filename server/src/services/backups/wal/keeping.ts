import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Log } from '../../../ground/model/log.ts'

export interface WalKeepingDeps {
  /** Keeps the log until the signal, or for as long as it can. @returns what it complained of; null where the server stopped */
  readonly run: (signal: AbortSignal) => Promise<string | null>
  readonly now: () => Date
  readonly log: Log
  /** From an end to the next beginning. */
  readonly againMs: number
}

/** Why the log was not kept, and when that was last seen. */
export interface WalFailure {
  readonly at: Date
  readonly message: string
}

/** The log is kept for as long as it runs: what ends is begun again. */
export interface WalKeeping {
  /** Null before the first. */
  failure(): WalFailure | null
  start(): void
  /** Ends what keeps the log, and begins again at once: with the secrets of now. */
  restart(): void
  close(): Promise<void>
}

export function createWalKeeping({ run, now, log, againMs }: WalKeepingDeps): WalKeeping {
  const closing = new AbortController()
  const { signal } = closing
  let turn = new AbortController()
  let failure: WalFailure | null = null
  let loop: Promise<void> = Promise.resolve()

  const go = async (): Promise<void> => {
    while (!signal.aborted) {
      turn = new AbortController()
      const { signal: restarted } = turn
      const problem = await run(AbortSignal.any([signal, restarted])).catch(messageOf)
      if (signal.aborted) return
      if (restarted.aborted) continue
      if (problem !== null) {
        failure = { at: now(), message: problem }
        log.warn({ problem }, 'backup: the log of PostgreSQL is not kept; it is tried again')
      }
      await delay(againMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  return {
    failure: () => failure,
    start() {
      loop = go()
    },
    restart: () => turn.abort(),
    async close() {
      closing.abort()
      await loop
    },
  }
}
