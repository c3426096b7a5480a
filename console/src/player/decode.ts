import {
  eventType,
  isObject,
  type RecordedEvent,
  type Recording,
  type RecordingLine,
  source,
  sourceOf,
  type WindowRecording,
} from './recording.ts'

/** Reads a recording that may still grow: what was read once is neither decompressed nor put in order again. */
export interface RecordingDecoder {
  /**
   * Takes in what the server answered; lines met before are passed over.
   *
   * @param ndjson one `RecordingLine` as JSON a line
   */
  add(ndjson: string): Promise<Recording>
  /** What the server is to be asked for: all of it, or what is new. */
  news(): { readonly since?: number; readonly known?: string }
}

/**
 * A part may be stored so long after others that arrived later. One that takes longer is there when the session is opened
 * again.
 */
const overlapMs = 30_000
/** The server takes no more at a time. */
const mostKnown = 200

/**
 * A decoder for the recording of one session.
 *
 * Lines become events by window: decompressed, each once, in the order of their time, without what cannot be played
 * because it comes before the window's first full snapshot.
 */
export function createDecoder(): RecordingDecoder {
  const seen = new Set<string>()
  const windows = new Map<string, WindowEvents>()
  /** The parts that arrived last, by their tails. */
  let recent = new Map<string, number>()
  let offsetMs = Number.POSITIVE_INFINITY
  let damaged = 0
  let reading: Promise<unknown> = Promise.resolve()

  const addLine = async (text: string) => {
    const line = parseLine(text)
    if (line === null) {
      damaged += 1
      return
    }
    recent.set(line.tail, line.receivedMs)
    // One offset for all: the smallest (arrival − sent) is the one least delayed by the network, and correcting
    // each message by its own would tear events apart that lie next to one another.
    offsetMs = Math.min(offsetMs, line.offsetMs)
    const decoded = await Promise.all(line.events.map(decodeEvent))
    const found = windows.get(line.windowId) ?? createWindowEvents(line.windowId)
    windows.set(line.windowId, found)
    damaged += decoded.filter((event) => event === null).length
    found.add(decoded.filter((event) => event !== null))
  }

  const read = async (ndjson: string): Promise<Recording> => {
    for (const text of ndjson.split('\n')) {
      const mark = lineMark(text)
      if (text.trim() === '' || seen.has(mark)) continue
      seen.add(mark)
      await addLine(text)
    }
    const sinceMs = latestOf(recent) - overlapMs
    recent = new Map([...recent].filter(([, receivedMs]) => receivedMs >= sinceMs).slice(-mostKnown))
    const shift = Number.isFinite(offsetMs) ? offsetMs : 0
    const assembled = [...windows.values()].map((window) => window.assemble(shift))
    return { windows: assembled.filter((window) => window.events.length > 0), damaged }
  }

  return {
    add(ndjson) {
      // An answer that comes while one is read has those lines as well, which are then met before: it waits for them.
      const recording = reading.then(() => read(ndjson))
      reading = recording.catch(() => undefined)
      return recording
    },
    news() {
      if (recent.size === 0) return {}
      return { since: Math.max(0, latestOf(recent) - overlapMs), known: [...recent.keys()].join(',') }
    },
  }
}

function latestOf(received: ReadonlyMap<string, number>): number {
  let latestMs = 0
  for (const receivedMs of received.values()) latestMs = Math.max(latestMs, receivedMs)
  return latestMs
}

/** The events of one window, as they come. */
interface WindowEvents {
  add(events: readonly RecordedEvent[]): void
  assemble(offsetMs: number): WindowRecording
}

/** What comes behind all that is there is put behind it; only what comes in between has all put in order again. */
function createWindowEvents(windowId: string): WindowEvents {
  const all: RecordedEvent[] = []
  /** As they were put in order last: an event that stays where it is stays the same object. */
  let placed = new Map<RecordedEvent, RecordedEvent>()
  let waiting: RecordedEvent[] = []
  let assembled: WindowRecording = { windowId, events: [] }
  let shiftMs = 0
  return {
    add(events) {
      for (const event of events) {
        all.push(event)
        waiting.push(event)
      }
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
        assembled = { windowId, events: orderEvents(all, place, false) }
      waiting = []
      shiftMs = offsetMs
      return assembled
    },
  }
}

/** Enough of a line to know it again without keeping megabytes. */
function lineMark(text: string): string {
  return `${text.length}:${text.slice(0, 160)}:${text.slice(-80)}`
}

function parseLine(text: string): RecordingLine | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || typeof value.windowId !== 'string' || !Array.isArray(value.events)) return null
    return {
      windowId: value.windowId,
      offsetMs: Number(value.offsetMs) || 0,
      events: value.events,
      tail: String(value.tail),
      receivedMs: Number(value.receivedMs) || 0,
    }
  } catch {
    return null
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

/**
 * Decompresses one rrweb event.
 *
 * @param raw an event as received; with `cv: "2024-10"` some of its fields are gzip, one character a byte
 * @returns   the event, or null when it cannot be read
 */
async function decodeEvent(raw: unknown): Promise<RecordedEvent | null> {
  if (!isObject(raw) || typeof raw.type !== 'number' || typeof raw.timestamp !== 'number') return null
  const event: RecordedEvent = { type: raw.type, timestamp: raw.timestamp, data: raw.data }
  if (raw.cv === undefined) return event
  if (raw.cv !== '2024-10') return null
  try {
    return { ...event, data: await decodeData(event) }
  } catch {
    return null
  }
}

async function decodeData(event: RecordedEvent): Promise<unknown> {
  if (event.type === eventType.fullSnapshot) return gunzipJson(event.data)
  if (!isObject(event.data)) return event.data
  const decoded: Record<string, unknown> = { ...event.data }
  for (const name of compressedFields(event)) {
    if (decoded[name] !== undefined) decoded[name] = await gunzipJson(decoded[name])
  }
  return decoded
}

function compressedFields(event: RecordedEvent): readonly string[] {
  if (sourceOf(event) === source.mutation) return ['texts', 'attributes', 'removes', 'adds']
  if (sourceOf(event) === source.styleSheetRule) return ['adds', 'removes']
  return []
}

async function gunzipJson(value: unknown): Promise<unknown> {
  if (typeof value !== 'string') return value
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0))
  const packed = new Response(bytes).body
  return packed && JSON.parse(await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text())
}
