import { gunzipSync, strToU8 } from 'fflate'
import {
  eventType,
  isObject,
  type RecordedEvent,
  type Recording,
  type RecordingLine,
  type Stretch,
  source,
  sourceOf,
} from './recording.ts'
import { isPresence } from './timeline.ts'
import { createWindowEvents, type WindowEvents } from './window-events.ts'

/** A message that is here. */
export interface HeldMessage {
  readonly windowId: string
  /** When its first event happened, on the browser's clock. */
  readonly fromMs: number
  /** When its last one did. */
  readonly toMs: number
  /** When the person did something in it; null: they did nothing. */
  readonly active: Stretch | null
  /** It holds a whole page. */
  readonly hasPage: boolean
  /** The length of its line. */
  readonly length: number
}

/** Reads a recording that may still grow: what was read once is neither decompressed nor put in order again. */
export interface RecordingDecoder {
  /**
   * Takes in what the server answered; lines met before are passed over.
   *
   * @param ndjson one `RecordingLine` as JSON a line
   */
  add(ndjson: string): Promise<Recording>
  /** Gives messages up, by their tails; lines of them are taken in again. */
  drop(tails: ReadonlySet<string>): Promise<Recording>
  /** The messages that are here, by their tails. */
  messages(): ReadonlyMap<string, HeldMessage>
  /** From the browser's clock to the server's. */
  offsetMs(): number
  /** What the server is to be asked for: all of it, or what is new. */
  news(): RecordingNews
}

/** Tells the server which messages a reader has, so that it sends the others; empty where there is none. */
export interface RecordingNews {
  /** In milliseconds since 1970: those that arrived then or later. */
  readonly since?: number
  /** But not these: their tails by comma. */
  readonly known?: string
}

/**
 * A part may be stored so long after others that arrived later. One that takes longer is there when the session is opened
 * again.
 */
const overlapMs = 30_000
/** The server takes no more at a time. */
const mostKnown = 200

/** So long lines are read before the page has its turn: half a frame. */
const heldMs = 8

/** Reads lines, and lets what waits for the page's thread go on in between: input, and frames that are drawn. */
async function eachLine(lines: readonly string[], read: (line: string) => void): Promise<void> {
  let begunMs = performance.now()
  for (const line of lines) {
    read(line)
    if (performance.now() - begunMs < heldMs) continue
    await yieldToPage()
    begunMs = performance.now()
  }
}

const yieldToPage = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })

/**
 * A decoder for the recording of one session.
 *
 * Lines become events by window: decompressed, each once, in the order of their time, without what cannot be played
 * because it comes before the window's first full snapshot.
 */
export function createDecoder(): RecordingDecoder {
  /** The tails of the messages by their lines' marks. */
  const seen = new Map<string, string>()
  const messages = new Map<string, HeldMessage>()
  const windows = new Map<string, WindowEvents>()
  /** The parts that arrived last, by their tails. */
  let recent = new Map<string, number>()
  let offsetMs = Number.POSITIVE_INFINITY
  /** Events that could not be read, by the marks of their lines. */
  const damaged = new Map<string, number>()
  let reading: Promise<unknown> = Promise.resolve()

  const addLine = (text: string, mark: string): void => {
    const line = parseLine(text)
    seen.set(mark, line?.tail ?? '')
    if (line === null) {
      damaged.set(mark, 1)
      return
    }
    recent.set(line.tail, line.receivedMs)
    // One offset for all: the smallest (arrival − sent) is the one least delayed by the network, and correcting
    // each message by its own would tear events apart that lie next to one another.
    offsetMs = Math.min(offsetMs, line.offsetMs)
    const decoded = line.events.map(decodeEvent)
    const found = windows.get(line.windowId) ?? createWindowEvents(line.windowId)
    windows.set(line.windowId, found)
    const events = decoded.filter((event) => event !== null)
    messages.set(line.tail, { windowId: line.windowId, length: text.length, ...timesOf(events) })
    damaged.set(mark, decoded.length - events.length)
    found.add(line.tail, events)
  }

  const read = async (ndjson: string): Promise<Recording> => {
    await eachLine(ndjson.split('\n'), (text) => {
      const mark = lineMark(text)
      if (text.trim() !== '' && !seen.has(mark)) addLine(text, mark)
    })
    const sinceMs = latestOf(recent) - overlapMs
    recent = new Map([...recent].filter(([, receivedMs]) => receivedMs >= sinceMs).slice(-mostKnown))
    return assemble()
  }

  const shift = (): number => (Number.isFinite(offsetMs) ? offsetMs : 0)
  const assemble = (): Recording => {
    const assembled = [...windows.values()].map((window) => window.assemble(shift()))
    return {
      windows: assembled.filter((window) => window.events.length > 0),
      damaged: [...damaged.values()].reduce((sum, count) => sum + count, 0),
    }
  }
  /** An answer that comes while one is read has those lines as well, which are then met before: it waits for them. */
  const inTurn = (act: () => Recording | Promise<Recording>): Promise<Recording> => {
    const recording = reading.then(act)
    reading = recording.catch(() => undefined)
    return recording
  }

  return {
    add: (ndjson) => inTurn(() => read(ndjson)),
    drop: (tails) =>
      inTurn(() => {
        for (const [mark, tail] of seen) {
          if (!tails.has(tail)) continue
          seen.delete(mark)
          damaged.delete(mark)
        }
        for (const tail of tails) messages.delete(tail)
        for (const window of windows.values()) window.drop(tails)
        return assemble()
      }),
    messages: () => messages,
    offsetMs: shift,
    news() {
      if (recent.size === 0) return {}
      return { since: Math.max(0, latestOf(recent) - overlapMs), known: [...recent.keys()].join(',') }
    },
  }
}

/** As the server counts it: what a recorder notes of itself is dated back. */
function timesOf(events: readonly RecordedEvent[]): Pick<HeldMessage, 'fromMs' | 'toMs' | 'active' | 'hasPage'> {
  const timed = events.filter(({ type }) => type !== eventType.custom && type !== eventType.plugin)
  const presences = events.filter(isPresence)
  return {
    ...spanOf(timed.length > 0 ? timed : events),
    active: presences.length > 0 ? spanOf(presences) : null,
    hasPage: events.some(({ type }) => type === eventType.fullSnapshot),
  }
}

const spanOf = (events: readonly RecordedEvent[]): Stretch =>
  events.reduce(
    ({ fromMs, toMs }, { timestamp }) => ({ fromMs: Math.min(fromMs, timestamp), toMs: Math.max(toMs, timestamp) }),
    { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY },
  )

function latestOf(received: ReadonlyMap<string, number>): number {
  let latestMs = 0
  for (const receivedMs of received.values()) latestMs = Math.max(latestMs, receivedMs)
  return latestMs
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
 * Decompresses one rrweb event.
 *
 * @param raw an event as received; with `cv: "2024-10"` some of its fields are gzip, one character a byte
 * @returns   the event, or null when it cannot be read
 */
function decodeEvent(raw: unknown): RecordedEvent | null {
  if (!isObject(raw) || typeof raw.type !== 'number' || typeof raw.timestamp !== 'number') return null
  const event: RecordedEvent = { type: raw.type, timestamp: raw.timestamp, data: raw.data }
  if (raw.cv === undefined) return event
  if (raw.cv !== '2024-10') return null
  try {
    return { ...event, data: decodeData(event) }
  } catch {
    return null
  }
}

function decodeData(event: RecordedEvent): unknown {
  if (event.type === eventType.fullSnapshot) return gunzipJson(event.data)
  if (!isObject(event.data)) return event.data
  const decoded: Record<string, unknown> = { ...event.data }
  for (const name of compressedFields(event)) {
    if (decoded[name] !== undefined) decoded[name] = gunzipJson(decoded[name])
  }
  return decoded
}

function compressedFields(event: RecordedEvent): readonly string[] {
  if (sourceOf(event) === source.mutation) return ['texts', 'attributes', 'removes', 'adds']
  if (sourceOf(event) === source.styleSheetRule) return ['adds', 'removes']
  return []
}

/** A page or a change of it that is longer when it is decompressed is damaged, or made to take the browser's memory. */
const mostBytes = 64 * 1024 ** 2
const utf8 = new TextDecoder()

/**
 * Decompresses a field and parses its JSON. A `DecompressionStream` for each field takes several times as long: most are a
 * hundred bytes.
 */
function gunzipJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const bytes = strToU8(value, true)
  // Its last four bytes say how long it is when it is decompressed (RFC 1952).
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true)
  if (length > mostBytes) throw new RangeError(`${length} bytes`)
  return JSON.parse(utf8.decode(gunzipSync(bytes)))
}
