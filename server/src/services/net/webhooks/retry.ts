import { backoffMs } from '../../../ground/retry/backoff.ts'
import type { Outcome } from '../calls/call.ts'

/** What becomes of a delivery after an attempt. */
export type NextStep =
  | { readonly state: 'delivered' | 'failed' }
  | {
      readonly state: 'waiting'
      /** When it is attempted again. */
      readonly at: Date
    }

export interface RetryOptions {
  /** In all, the first included. */
  readonly attempts: number
  /** Before the second attempt. */
  readonly backoffMs: number
}

const retriedStatuses = new Set([408, 429])

/**
 * Any 2xx delivers. 5xx, 408, 429, a time-out and a failed connection are tried again, each time after a longer pause or
 * when the response's Retry-After says; another answer would not change by repetition.
 *
 * @param attempt the number of the one that was made, from 1
 */
export function planNextStep(outcome: Outcome, attempt: number, options: RetryOptions, now: Date): NextStep {
  if (outcome.kind === 'stopped') return { state: 'waiting', at: now }
  if (outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300) return { state: 'delivered' }
  if (!mayChange(outcome) || attempt >= options.attempts) return { state: 'failed' }
  return {
    state: 'waiting',
    at: new Date(now.getTime() + backoffMs(attempt, options.backoffMs, retryAfterMs(outcome))),
  }
}

function mayChange(outcome: Outcome): boolean {
  if (outcome.kind === 'response') return outcome.status >= 500 || retriedStatuses.has(outcome.status)
  return outcome.kind === 'timeout' || outcome.kind === 'connection'
}

function retryAfterMs(outcome: Outcome): number {
  if (outcome.kind !== 'response') return 0
  const [, value = ''] = Object.entries(outcome.headers).find(([name]) => name.toLowerCase() === 'retry-after') ?? []
  return /^\d{1,9}$/.test(value) ? Number(value) * 1000 : 0
}
