import type { ClockEstimate, SessionEvent } from './ports.ts'

/**
 * How far the browser's clock stands from the server's, from messages that carry the time they were sent. Transit
 * only ever adds to (arrival − sent), so the smallest is the nearest to the truth.
 *
 * @param recording what the recording's messages say, or null without one
 */
export function estimateClock(recording: ClockEstimate | null, events: readonly SessionEvent[]): ClockEstimate {
  let smallest = recording === null ? Number.POSITIVE_INFINITY : recording.offsetMs
  let largest = recording === null ? Number.NEGATIVE_INFINITY : recording.offsetMs + recording.spreadMs
  let samples = recording?.samples ?? 0
  for (const { sentAt, receivedAt } of events) {
    if (sentAt === null) continue
    const offset = receivedAt.getTime() - sentAt.getTime()
    smallest = Math.min(smallest, offset)
    largest = Math.max(largest, offset)
    samples += 1
  }
  return samples === 0
    ? { offsetMs: 0, spreadMs: 0, samples: 0 }
    : { offsetMs: smallest, spreadMs: largest - smallest, samples }
}
