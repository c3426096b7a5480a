import { eventType, type RecordedEvent, type WindowRecording } from './recording.ts'

/** The events of one window, as they come. */
export interface WindowEvents {
  add(tail: string, events: readonly RecordedEvent[]): void
  drop(tails: ReadonlySet<string>): void
  assemble(offsetMs: number): WindowRecording
}

/** What comes behind all that is there is put behind it; only what comes in between has all put in order again. */
export function createWindowEvents(windowId: string): WindowEvents {
  let messages: { readonly tail: string; readonly events: readonly RecordedEvent[] }[] = []
  /** As they were put in order last: an event that stays where it is stays the same object. */
  let placed = new Map<RecordedEvent, RecordedEvent>()
  let waiting: RecordedEvent[] = []
  let assembled: WindowRecording = { windowId, events: [] }
  let shiftMs = 0
  return {
    add(tail, events) {
      messages.push({ tail, events })
      for (const event of events) waiting.push(event)
    },
    drop(tails) {
      messages = messages.filter(({ tail }) => !tails.has(tail))
      waiting = messages.flatMap(({ events }) => events)
      const kept = new Set(waiting)
      placed = new Map([...placed].filter(([event]) => kept.has(event)))
      assembled = { windowId, events: [] }
    },
    assemble(offsetMs) {
      if (shiftMs !== offsetMs) placed = new Map()
      const place = (event: RecordedEvent): RecordedEvent => {
        const known = placed.get(event) ?? { ...event, timestamp: event.timestamp + offsetMs }
        placed.set(event, known)
        return known
      }
      const { events: before } = assembled
      const last = before.at(-1)
      const firstMs = waiting.reduce((least, { timestamp }) => Math.min(least, timestamp), Number.POSITIVE_INFINITY)
      const isBehind = last !== undefined && shiftMs === offsetMs && firstMs + offsetMs > last.timestamp
      if (isBehind && waiting.length > 0) {
        const isPlayable = before.some(({ type }) => type === eventType.fullSnapshot)
        assembled = { windowId, events: [...before, ...orderEvents(waiting, place, isPlayable)] }
      } else if (waiting.length > 0 || shiftMs !== offsetMs)
        assembled = {
          windowId,
          events: orderEvents(
            messages.flatMap(({ events }) => events),
            place,
            false,
          ),
        }
      waiting = []
      shiftMs = offsetMs
      return assembled
    },
  }
}

/**
 * Orders one window's events, drops those met twice and those that nothing can be applied to.
 *
 * @param place      puts an event on the server's clock
 * @param isPlayable whether a full snapshot stands before them
 */
function orderEvents(
  events: readonly RecordedEvent[],
  place: (event: RecordedEvent) => RecordedEvent,
  isPlayable: boolean,
): readonly RecordedEvent[] {
  const sorted = events.toSorted((a, b) => a.timestamp - b.timestamp)
  const ordered: RecordedEvent[] = []
  let playable = isPlayable
  let last: RecordedEvent | undefined
  let sameTime = new Set<string>()
  for (const event of sorted) {
    if (last === undefined || event.timestamp !== last.timestamp) sameTime = new Set()
    else {
      // Few share a time: to write out each event would take longer than to draw it.
      if (sameTime.size === 0) sameTime.add(identityOf(last))
      const identity = identityOf(event)
      if (sameTime.has(identity)) continue
      sameTime.add(identity)
    }
    last = event
    if (event.type === eventType.fullSnapshot) playable = true
    if (event.type === eventType.incremental && !playable) continue
    ordered.push(place(event))
  }
  return ordered
}

const identityOf = ({ type, data }: RecordedEvent): string => `${type}${JSON.stringify(data)}`
