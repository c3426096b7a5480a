import type { SessionEvent } from '../../../ground/model/session-event.ts'
import type { ClockEstimate } from '../ports.ts'

/** The part of the messages that counts as quick. */
const quickShare = 0.1

/**
 * How far the browser's clock stands from the server's, from messages that carry the time they were sent. Transit
 * only ever adds to (arrival − sent), so the smallest is the nearest to the truth. How near, the others show that
 * were quick: one slow upload says nothing of the clock.
 *
 * @param offsets (arrival − sent) of the recording's messages, or null without one
 */
export function estimateClock(offsets: readonly number[] | null, events: readonly SessionEvent[]): ClockEstimate {
  // Events of one batch are one message.
  const batches = new Map<string, number>()
  for (const { sentAt, receivedAt } of events) {
    if (sentAt === null) continue
    batches.set(`${sentAt.getTime()} ${receivedAt.getTime()}`, receivedAt.getTime() - sentAt.getTime())
  }
  const all = [...(offsets ?? []), ...batches.values()].sort((a, b) => a - b)
  const [smallest] = all
  if (smallest === undefined) return { offsetMs: 0, spreadMs: 0, samples: 0 }
  const quick = all[Math.max(1, Math.ceil(all.length * quickShare) - 1)] ?? smallest
  return { offsetMs: smallest, spreadMs: quick - smallest, samples: all.length }
}
