import { eventType, isObject, type RecordedEvent } from './recording.ts'
import type { WindowTimeline } from './timeline.ts'

interface Visit {
  readonly atMs: number
  readonly href: string
}

const known = new WeakMap<readonly RecordedEvent[], readonly Visit[]>()

/** The address that a window's page had at a moment of the session; undefined where the recording does not say. */
export function addressAt({ events, originMs }: WindowTimeline, atMs: number): string | undefined {
  const zero = (events[0]?.timestamp ?? 0) - originMs
  const visits = visitsOf(events)
  return (visits.findLast((visit) => visit.atMs - zero <= atMs) ?? visits[0])?.href
}

/** Pages that were loaded, and addresses that were changed within one. */
function visitsOf(events: readonly RecordedEvent[]): readonly Visit[] {
  const found = known.get(events)
  if (found) return found
  const visits = events.flatMap((event): readonly Visit[] => {
    const href = hrefOf(event)
    return href === undefined ? [] : [{ atMs: event.timestamp, href }]
  })
  known.set(events, visits)
  return visits
}

function hrefOf({ type, data }: RecordedEvent): string | undefined {
  if (!isObject(data)) return undefined
  const source = type === eventType.custom && data.tag === '$url_changed' ? data.payload : data
  if (type !== eventType.meta && source === data) return undefined
  return isObject(source) && typeof source.href === 'string' ? source.href : undefined
}
