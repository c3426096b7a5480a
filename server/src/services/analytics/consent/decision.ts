import { type AllowedSince, alwaysAllowed, type RowTimes } from '../../../ground/privacy/consent.ts'
import type { DecisionRow } from './store.ts'

/** What an id has decided. */
export interface Decision {
  /** Null: they did not answer. */
  readonly granted: boolean | null
  /** From when on what they did may be stored, where it may. */
  readonly since: AllowedSince
  /** Null: they did not answer. */
  readonly decidedAt: Date | null
  /** When they last refused; null where they never did. */
  readonly withdrawnAt: Date | null
}

/**
 * A client's clock is corrected by what a call took on its way, which differs from call to call: what follows a consent may
 * seem to have happened so much before it. What arrived before it is known better.
 */
const clockToleranceMs = 1000

/** What a row of decisions means. */
export function decisionOf({ granted, decided_at, withdrawn_at }: Omit<DecisionRow, 'distinct_id'>): Decision {
  const times = { decidedAt: decided_at, withdrawnAt: withdrawn_at }
  if (withdrawn_at === null || decided_at === null) return { granted, since: alwaysAllowed, ...times }
  const decidedMs = decided_at.getTime()
  // Not what happened in the same millisecond as the refusal.
  const happenedMs = Math.max(withdrawn_at.getTime() + 1, decidedMs - clockToleranceMs)
  return { granted, since: { receivedMs: decidedMs, happenedMs }, ...times }
}

/** Whether two ids last refused by one decision, as those of one person do. */
export const haveWithdrawnTogether = (one: Decision | undefined, other: Decision | undefined): boolean =>
  one?.withdrawnAt != null && one.withdrawnAt.getTime() === other?.withdrawnAt?.getTime()

/**
 * Before when an id is to be forgotten by its decisions: all that has arrived until now, or, where it has consented again, what
 * came before that. What arrives while this is removed was let in by a consent that came meanwhile.
 */
export function forgottenBefore(decision: Decision | undefined, nowMs: number): RowTimes {
  if (decision?.granted !== true) return { receivedMs: nowMs, happenedMs: 0 }
  const { receivedMs, happenedMs } = decision.since
  return { receivedMs: Math.max(receivedMs, 0), happenedMs: Math.max(happenedMs, 0) }
}
