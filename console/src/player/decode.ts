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

/** Reads a recording that may still grow: what was read once is not decompressed again. */
export interface RecordingDecoder {
  /**
   * Takes in the recording as the server answered it, from its first line on; lines met before are passed over.
   *
   * @param ndjson the whole answer: one `RecordingLine` as JSON a line
   */
  add(ndjson: string): Promise<Recording>
}

/**
 * A decoder for the recording of one session.
 *
 * Lines become events by window: decompressed, each once, in the order of their time, without what cannot be played
 * because it comes before the window's first full snapshot.
 */
export function createDecoder(): RecordingDecoder {
  const seen = new Set<string>()
  const byWindow = new Map<string, RecordedEvent[]>()
  let offsetMs = Number.POSITIVE_INFINITY
  let damaged = 0
  return {
    async add(ndjson) {
      for (const text of ndjson.split('\n')) {
        const mark = lineMark(text)
        if (text.trim() === '' || seen.has(mark)) continue
        seen.add(mark)
        const line = parseLine(text)
        if (line === null) {
          damaged += 1
          continue
        }
        // One offset for all: the smallest (arrival − sent) is the one least delayed by the network, and correcting
        // each message by its own would tear events apart that lie next to one another.
        offsetMs = Math.min(offsetMs, line.offsetMs)
        const decoded = await Promise.all(line.events.map(decodeEvent))
        const events = byWindow.get(line.windowId) ?? []
        for (const event of decoded) {
          if (event === null) damaged += 1
          else events.push(event)
        }
        byWindow.set(line.windowId, events)
      }
      const shift = Number.isFinite(offsetMs) ? offsetMs : 0
      const windows = [...byWindow].map(([windowId, events]) => assembleWindow(windowId, events, shift))
      return { windows: windows.filter((window) => window.events.length > 0), damaged }
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
    return { windowId: value.windowId, offsetMs: Number(value.offsetMs) || 0, events: value.events }
  } catch {
    return null
  }
}

/** Orders one window's events, drops those met twice and those that nothing can be applied to. */
function assembleWindow(windowId: string, events: readonly RecordedEvent[], offsetMs: number): WindowRecording {
  const sorted = events.toSorted((a, b) => a.timestamp - b.timestamp)
  const decoded: RecordedEvent[] = []
  let sameTime = new Set<string>()
  let time = Number.NaN
  let playable = false
  for (const event of sorted) {
    if (event.timestamp !== time) {
      time = event.timestamp
      sameTime = new Set()
    }
    const identity = `${event.type}${JSON.stringify(event.data)}`
    if (sameTime.has(identity)) continue
    sameTime.add(identity)
    if (event.type === eventType.fullSnapshot) playable = true
    if (event.type === eventType.incremental && !playable) continue
    decoded.push({ ...event, timestamp: event.timestamp + offsetMs })
  }
  return { windowId, events: decoded }
}

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
