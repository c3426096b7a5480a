import { type AllowedSince, alwaysAllowed, type RowTimes } from '../../../ground/privacy/consent.ts'
import type { DecisionRow } from './store.ts'

/** What an id has decided. */
export interface Decision {
  /** Null: they did not answer. */
  readonly granted: boolean | null
  /** From when on what they did may be stored, where it may. */
  readonly since: AllowedSince
}

/**
 * A client's clock is corrected by what a call took on its way, which differs from call to call: what follows a consent may
 * seem to have happened so much before it. What arrived before it is known better.
 */
const clockToleranceMs = 1000

/** What a row of decisions means. */
export function decisionOf({ granted, decided_at, withdrawn_at }: Omit<DecisionRow, 'distinct_id'>): Decision {
  if (withdrawn_at === null || decided_at === null) return { granted, since: alwaysAllowed }
  const decidedMs = decided_at.getTime()
  // Not what happened in the same millisecond as the refusal.
  const happenedMs = Math.max(withdrawn_at.getTime() + 1, decidedMs - clockToleranceMs)
  return { granted, since: { receivedMs: decidedMs, happenedMs } }
}

/**
 * Before when an id is to be forgotten by its decisions: all that has arrived until now, or, where it has consented again, what
 * came before that. What arrives while this is removed was let in by a consent that came meanwhile.
 */
export function forgottenBefore(decision: Decision | undefined, nowMs: number): RowTimes {
  if (decision?.granted !== true) return { receivedMs: nowMs, happenedMs: 0 }
  const { receivedMs, happenedMs } = decision.since
  return { receivedMs: Math.max(receivedMs, 0), happenedMs: Math.max(happenedMs, 0) }
}
