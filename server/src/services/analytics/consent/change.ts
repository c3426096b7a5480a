import type { CapturedEvent } from '../event/event.ts'

/** A visitor's decision, as it waits in the spool. */
export interface ConsentChange {
  readonly distinctId: string
  readonly granted: boolean
  /** When, on our clock, in milliseconds since 1970. */
  readonly atMs: number
}

/** What posthog-js captures when its `opt_in_capturing()` is called, and its counterpart. */
const decisions: Readonly<Record<string, boolean>> = { $opt_in: true, $opt_out: false }

/** The decision that an event tells of; null where it tells of none. */
export function consentChangeOf({ event, distinctId, timestampMs, receivedAtMs }: CapturedEvent): ConsentChange | null {
  const granted = decisions[event]
  // A clock that is ahead would put the decision before those that follow.
  return granted === undefined ? null : { distinctId, granted, atMs: Math.min(timestampMs, receivedAtMs) }
}

/** A decision as a line of the spool. */
export const renderConsentChange = (change: ConsentChange): string => JSON.stringify(change)

/** Reads blocks of such lines back, in the order of the decisions. */
export const parseConsentChanges = (blocks: readonly Buffer[]): readonly ConsentChange[] =>
  blocks
    .flatMap((block) => block.toString('utf8').split('\n'))
    .map((line) => JSON.parse(line) as ConsentChange)
    .toSorted((left, right) => left.atMs - right.atMs)
