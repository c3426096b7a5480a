import { eventType, type Recording, type Stretch, type WindowRecording } from '../recording.ts'
import type { Outline, Part } from './outline.ts'

/** Tells of a message whether its events are here. */
export type IsHere = (part: Part) => boolean

/**
 * Says of each window of a recording what of it is not here.
 *
 * @param outline of the whole recording
 * @param shiftMs from the outline's times to those of the events
 */
export function withMissing(recording: Recording, { parts }: Outline, isHere: IsHere, shiftMs: number): Recording {
  const moved = ({ fromMs, toMs }: Stretch): Stretch => ({ fromMs: fromMs + shiftMs, toMs: toMs + shiftMs })
  const known = new Map(recording.windows.map((window) => [window.windowId, window]))
  const byWindow = new Map<string, Part[]>()
  for (const part of parts) {
    const own = byWindow.get(part.windowId)
    if (own === undefined) byWindow.set(part.windowId, [part])
    else own.push(part)
  }
  const windows = [...byWindow].map(([windowId, own]): WindowRecording => {
    const unread = own.filter((part) => !isHere(part))
    return {
      windowId,
      events: known.get(windowId)?.events ?? noEvents,
      missing: missingOf(own, isHere).map(moved),
      active: unread.flatMap(({ active }) => (active === null ? [] : [moved(active)])),
      extent: moved({ fromMs: own[0]?.fromMs ?? 0, toMs: Math.max(...own.map(({ toMs }) => toMs)) }),
    }
  })
  // Nothing is known of a window that began after the outline was read: it is as its events have it.
  return { ...recording, windows: [...windows, ...recording.windows.filter(({ windowId }) => !byWindow.has(windowId))] }
}

const noEvents: readonly never[] = []

/**
 * Says of a recording of which only one stretch was read, and nothing else is known, that the rest is not here.
 *
 * @param isFromStart nothing stands before that stretch
 */
export function withoutRest(recording: Recording, isFromStart: boolean): Recording {
  const windows = recording.windows.map((window): WindowRecording => {
    const page = window.events.find(({ type }) => type === eventType.fullSnapshot)
    const [beginMs = 0, endMs = 0] = [window.events[0]?.timestamp, window.events.at(-1)?.timestamp]
    const after = { fromMs: endMs, toMs: Number.POSITIVE_INFINITY }
    const before = { fromMs: Number.NEGATIVE_INFINITY, toMs: page?.timestamp ?? endMs }
    const missing = isFromStart ? [after] : [before, after]
    // Whether something happened there is not known: it must not pass for idle.
    return { ...window, missing, active: missing, extent: { fromMs: beginMs, toMs: endMs } }
  })
  return { ...recording, windows }
}

/** When one window's picture cannot be drawn, in the parts' times: from an absent message on until a page is here whole. */
function missingOf(parts: readonly Part[], isHere: IsHere): readonly Stretch[] {
  const missing: Stretch[] = []
  let fromMs: number | undefined
  for (const [place, part] of parts.entries()) {
    // Before its first message a window shows its first page.
    if (!isHere(part)) fromMs ??= place === 0 ? Number.NEGATIVE_INFINITY : part.fromMs
    else if (fromMs !== undefined && part.hasPage) {
      missing.push({ fromMs, toMs: part.toMs })
      fromMs = undefined
    }
  }
  return fromMs === undefined ? missing : [...missing, { fromMs, toMs: Number.POSITIVE_INFINITY }]
}

const minuteMs = 60_000

/** The address and size of a page may have left in the message before the one that has the page; the server counts alike. */
const pageLeadMs = 2000

/**
 * The stretch to be read so that a window can be shown at a moment and until the end of that minute: from its last whole page on.
 *
 * @param atMs in the parts' times
 * @returns    null where all of it is here
 */
export function stretchOfMoment(
  parts: readonly Part[],
  isHere: IsHere,
  { windowId, atMs }: { readonly windowId: string; readonly atMs: number },
): Stretch | null {
  const page = parts.findLast((part) => part.hasPage && part.windowId === windowId && part.toMs <= atMs)
  const fromMs = page === undefined ? Number.NEGATIVE_INFINITY : page.fromMs - pageLeadMs
  const endMs = endOfMinute(atMs)
  return spanOf(parts.filter((part) => part.lastFromMs >= fromMs && part.fromMs < endMs && !isHere(part)))
}

/** When the minute of a moment ends. */
export const endOfMinute = (atMs: number): number => (Math.floor(Math.max(0, atMs) / minuteMs) + 1) * minuteMs

/**
 * The next stretch that is not here: from a moment on, and what lies before it at last.
 *
 * @param mostBytes so much is read at most, but for a single message
 * @param isOnward  what lies before the moment is left
 */
export function stretchAhead(
  parts: readonly Part[],
  isHere: IsHere,
  { atMs, mostBytes, isOnward }: { readonly atMs: number; readonly mostBytes: number; readonly isOnward: boolean },
): Stretch | null {
  const ahead = parts.findIndex((part) => part.toMs >= atMs && !isHere(part))
  const first = ahead >= 0 || isOnward ? ahead : parts.findIndex((part) => !isHere(part))
  if (first < 0) return null
  let bytes = 0
  let end = first
  for (const part of parts.slice(first)) {
    bytes += part.bytes
    if (isHere(part) || (end > first && bytes > mostBytes)) break
    end += 1
  }
  return spanOf(parts.slice(first, end))
}

/** From the beginning of the first message to that of the last: a stretch holds the messages that begin in it. */
const spanOf = (parts: readonly Part[]): Stretch | null => {
  const [first] = parts
  if (first === undefined) return null
  return { fromMs: first.fromMs, toMs: parts.reduce((latest, part) => Math.max(latest, part.lastFromMs), 0) + 1 }
}
