import { postgresError } from '../errors.ts'
import type { PooledConnection } from './pooled-connection.ts'

/** A caller that waits for a connection. */
export interface WaitingCaller {
  readonly resolve: (connection: PooledConnection) => void
  readonly reject: (error: unknown) => void
}

/** Callers that wait for a connection, in the order of asking. */
export interface WaitingCallers {
  /** @throws POSTGRES_POOL_TIMEOUT */
  wait(): Promise<PooledConnection>
  /** Removes the caller that waits longest, to be answered. */
  next(): WaitingCaller | undefined
  readonly count: number
}

export function createWaitingCallers(timeoutMs: number): WaitingCallers {
  const waiting: (WaitingCaller & { readonly timer: NodeJS.Timeout })[] = []
  return {
    wait: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(caller), 1)
          reject(postgresError('POSTGRES_POOL_TIMEOUT'))
        }, timeoutMs)
        const caller = { resolve, reject, timer }
        waiting.push(caller)
      }),
    next() {
      const caller = waiting.shift()
      if (caller !== undefined) clearTimeout(caller.timer)
      return caller
    },
    get count() {
      return waiting.length
    },
  }
}
