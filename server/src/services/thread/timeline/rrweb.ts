import { isObject } from '../../../ground/json/object.ts'
import { consoleText } from '../../../ground/model/console-line.ts'
import type { RecordedMessage } from '../../../ground/model/recording.ts'

/** Something the recorder saw, at the browser's own time. */
export type RecordedMoment =
  | { readonly kind: 'click'; readonly windowId: string; readonly clientMs: number; readonly nodeId: number }
  /** One keystroke or choice; what was typed is never looked at. */
  | { readonly kind: 'input'; readonly windowId: string; readonly clientMs: number; readonly nodeId: number }
  | { readonly kind: 'address'; readonly windowId: string; readonly clientMs: number; readonly href: string }
  | {
      readonly kind: 'console'
      readonly windowId: string
      readonly clientMs: number
      readonly level: string
      readonly text: string
    }

/** From and to, at the browser's own time. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What a recording says of a session: moments unsorted, and when the person did something. */
export interface Recorded {
  readonly moments: readonly RecordedMoment[]
  /** Stretches of activity; closer ones than the idle gap are one. */
  readonly active: readonly Span[]
  readonly windows: ReadonlyMap<string, Span>
}

/** Reads a recording message by message, so that it is never held whole. */
export interface RecordingReader {
  read(message: RecordedMessage): void
  recorded(): Recorded
}

// rrweb's numbers: contracts of @posthog/rrweb-types `EventType`, `IncrementalSource`, `MouseInteractions`.
const fullSnapshot = 2
const incremental = 3
const meta = 4
const custom = 5
const plugin = 6
const mouseInteraction = 2
const inputSource = 5
const click = 2
const focus = 5
const blur = 6
/** A page fills its fields as it loads; a person does not type into it so soon. */
const loadingMs = 1000
/** A pointer goes down on it, clicks it, or touches it. */
const touches = new Set([1, click, 7])
/** Mouse move, mouse interaction, scroll, resize, input, touch move, media, drag: a person at work. */
const activeSources = new Set([1, 2, 3, 4, 5, 6, 7, 12])
const addressTags = new Set(['$pageview', '$url_changed'])

/** A reader that merges activity closer than `idleGapMs` and keeps at most `limit` moments. */
export function createRecordingReader({ idleGapMs, limit }: { idleGapMs: number; limit: number }): RecordingReader {
  const moments: RecordedMoment[] = []
  const active: Span[] = []
  const windows = new Map<string, Span>()
  const filled = new Map<string, Set<number>>()
  const hands = new Map<string, Hand>()
  const loaded = new Map<string, number>()

  /**
   * The recorder reports a field also when a page fills it, or shows it empty for the first time: an input is of the field
   * where the person is.
   */
  const isTyping = (
    { data }: RecorderEvent,
    { windowId, nodeId, clientMs }: Extract<RecordedMoment, { kind: 'input' }>,
  ): boolean => {
    const hand = hands.get(windowId)
    if (hand === undefined) {
      const loadedMs = loaded.get(windowId)
      if (loadedMs !== undefined && clientMs - loadedMs < loadingMs) return false
    } else if (hand.focused !== nodeId && hand.touched !== nodeId) return false
    const fields = filled.get(windowId) ?? new Set<number>()
    filled.set(windowId, fields)
    if (data.text === '' && data.isChecked !== true && !fields.has(nodeId)) return false
    fields.add(nodeId)
    return true
  }

  /** Follows the focus once the recorder has told of it: a field may have had it before. */
  const follow = (windowId: string, { type, id }: Readonly<Record<string, unknown>>): void => {
    const hand = hands.get(windowId)
    if (type === focus) hands.set(windowId, { focused: Number(id), touched: hand?.touched ?? null })
    else if (type === blur) hands.set(windowId, { focused: null, touched: hand?.touched ?? null })
    else if (hand !== undefined && touches.has(Number(type))) hands.set(windowId, { ...hand, touched: Number(id) })
  }

  const extend = (windowId: string, atMs: number): void => {
    const span = windows.get(windowId) ?? { fromMs: atMs, toMs: atMs }
    windows.set(windowId, { fromMs: Math.min(span.fromMs, atMs), toMs: Math.max(span.toMs, atMs) })
  }

  return {
    read({ windowId, events }) {
      for (const raw of events) {
        const event = parseEvent(raw)
        if (event === null) continue
        // Each loaded page numbers its elements anew.
        if (event.type === fullSnapshot) {
          filled.delete(windowId)
          hands.delete(windowId)
          loaded.set(windowId, event.timestamp)
        }
        if (event.type === incremental && event.data.source === mouseInteraction) follow(windowId, event.data)
        // Markers such as sessionIdle are backdated and must not lengthen the window.
        if (event.type !== custom && event.type !== plugin) extend(windowId, event.timestamp)
        if (event.type === incremental && activeSources.has(Number(event.data.source)))
          addActivity(active, event.timestamp, idleGapMs)
        const moment = momentOf(event, windowId)
        if (moment === null || moments.length >= limit) continue
        if (moment.kind !== 'input' || isTyping(event, moment)) moments.push(moment)
      }
    },
    recorded: () => ({ moments, active: mergeSpans(active, idleGapMs), windows }),
  }
}

/** The spans in order, those closer to one another than `gapMs` made one. */
export function mergeSpans(spans: readonly Span[], gapMs: number): readonly Span[] {
  const merged: Span[] = []
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1)
    if (last !== undefined && span.fromMs - last.toMs <= gapMs)
      merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) }
    else merged.push(span)
  }
  return merged
}

function addActivity(active: Span[], atMs: number, gapMs: number): void {
  const last = active.at(-1)
  if (last !== undefined && Math.abs(atMs - last.toMs) <= gapMs && atMs >= last.fromMs)
    active[active.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, atMs) }
  else active.push({ fromMs: atMs, toMs: atMs })
}

/** Where the person is in a window: the element that has the focus, and the one that was touched last. */
interface Hand {
  readonly focused: number | null
  readonly touched: number | null
}

interface RecorderEvent {
  readonly type: number
  readonly timestamp: number
  readonly data: Readonly<Record<string, unknown>>
}

function parseEvent(raw: unknown): RecorderEvent | null {
  if (!isObject(raw) || typeof raw.type !== 'number' || typeof raw.timestamp !== 'number') return null
  // A compressed full snapshot has a text for data; nothing is read from it here.
  return { type: raw.type, timestamp: raw.timestamp, data: isObject(raw.data) ? raw.data : {} }
}

/** The address that an event says its page has: one that was loaded, or one that an application changed to by itself. */
export function addressIn(type: number, data: Readonly<Record<string, unknown>>): string | null {
  const says = type === custom && addressTags.has(String(data.tag)) ? data.payload : type === meta ? data : null
  return isObject(says) && typeof says.href === 'string' ? says.href : null
}

function momentOf({ type, timestamp: clientMs, data }: RecorderEvent, windowId: string): RecordedMoment | null {
  if (type === incremental && data.source === mouseInteraction && data.type === click)
    return { kind: 'click', windowId, clientMs, nodeId: Number(data.id) }
  if (type === incremental && data.source === inputSource && typeof data.id === 'number')
    return { kind: 'input', windowId, clientMs, nodeId: data.id }
  const href = addressIn(type, data)
  if (href !== null) return { kind: 'address', windowId, clientMs, href }
  const payload = isObject(data.payload) ? data.payload : null
  if (payload === null) return null
  if (type === plugin && data.plugin === 'rrweb/console@1')
    return {
      kind: 'console',
      windowId,
      clientMs,
      level: String(payload.level ?? 'log'),
      text: consoleText(payload.payload),
    }
  return null
}
