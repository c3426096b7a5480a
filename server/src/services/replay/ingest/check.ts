import type { RecordedEvent } from '../../../ground/model/recording.ts'
/** The numbers of rrweb's event types. */
export const eventType = { fullSnapshot: 2, incremental: 3, meta: 4, custom: 5, plugin: 6 } as const

/** Milliseconds that a Date can hold; a client may claim anything. */
export const latestMs = 8.64e15

/**
 * The events of a message that a player can place in time. Others, which no recorder sends, are left out: they could
 * neither be ordered nor played.
 */
export function checkEvents(events: readonly unknown[]): readonly RecordedEvent[] {
  return events.filter(isRecordedEvent)
}

function isRecordedEvent(event: unknown): event is RecordedEvent {
  if (typeof event !== 'object' || event === null) return false
  const { type, timestamp } = event as { type?: unknown; timestamp?: unknown }
  return (
    typeof type === 'number' &&
    Number.isInteger(type) &&
    type >= 0 &&
    typeof timestamp === 'number' &&
    timestamp >= 0 &&
    timestamp <= latestMs
  )
}
