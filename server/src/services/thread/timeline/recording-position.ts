import type { NewMessages } from '../../../ground/model/recording.ts'

/** How far a recording was read, so that only what is new of it need be read next. */
export interface RecordingPosition {
  /** Takes note of a message, JSON of a `StoredMessage`. */
  passed(json: string): void
  /** What there is to read next; undefined for all of it, where a message did not say where it stands. */
  news(): NewMessages | undefined
}

/** A message may be stored so long after others that arrived later. */
const overlapMs = 30_000
/** Their names travel in an address. */
const mostKnown = 200
/** The members in front, as `services/replay` writes them. */
const place = /^\{"windowId":"(?:[^"\\]|\\.)*","tail":"([^"\\]*)","receivedMs":(\d+),/

export function createRecordingPosition(): RecordingPosition {
  const recent = new Map<string, number>()
  let latestMs = 0
  let isKnown = true
  return {
    passed(json) {
      const [, tail, receivedMs] = place.exec(json) ?? []
      if (tail === undefined) {
        isKnown = false
        return
      }
      recent.set(tail, Number(receivedMs))
      latestMs = Math.max(latestMs, Number(receivedMs))
      if (recent.size > 2 * mostKnown) forgetOld(recent, latestMs)
    },
    news() {
      if (!isKnown || recent.size === 0) return undefined
      forgetOld(recent, latestMs)
      // Of more than can be named, the latest.
      const sinceMs = Math.max(latestMs - overlapMs, recent.size < mostKnown ? 0 : Math.min(...recent.values()) + 1)
      return { since: new Date(sinceMs), known: [...recent.keys()] }
    },
  }
}

function forgetOld(recent: Map<string, number>, latestMs: number): void {
  const byArrival = [...recent].sort(([, one], [, other]) => one - other)
  byArrival.forEach(([tail, receivedMs], index) => {
    if (receivedMs < latestMs - overlapMs || byArrival.length - index > mostKnown) recent.delete(tail)
  })
}
