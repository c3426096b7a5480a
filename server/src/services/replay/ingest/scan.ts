import { JsonScanner } from '../../../ground/http/json-scan.ts'
import type { RecordedEvent, ScannedEvents } from '../../../ground/model/recording.ts'
import { eventType, latestMs } from './check.ts'

const named = (name: string): Uint8Array => new TextEncoder().encode(name)
const names = { type: named('type'), data: named('data'), timestamp: named('timestamp'), source: named('source') }

/** Events that are few and small, and of whose data a summary needs texts. */
const isParsed = (type: number): boolean =>
  type === eventType.meta || type === eventType.custom || type === eventType.plugin

/**
 * Reads the list of rrweb events that begins at `start` without making values of it: a chunk of 45 KiB takes a tenth
 * of the time that parsing it and writing it again took.
 *
 * @param depth how deep the list may nest
 * @returns     null where something is unusual: then parsing decides
 */
export function scanEvents(bytes: Buffer, start: number, depth: number): ScannedEvents | null {
  const scanner = new JsonScanner(bytes, start, depth)
  const events: RecordedEvent[] = []
  let type = -1
  let timestamp = -1
  let source = -1
  let kind = -1

  const readData = (nameStart: number, nameEnd: number): boolean => {
    if (scanner.isName(nameStart, nameEnd, names.source)) {
      source = scanner.wholeNumber()
      return source !== -1
    }
    // Of other events than the incremental ones it may be anything.
    if (type === eventType.incremental && scanner.isName(nameStart, nameEnd, names.type)) {
      kind = scanner.wholeNumber()
      return kind !== -1
    }
    return scanner.value()
  }
  const readEvent = (nameStart: number, nameEnd: number): boolean => {
    if (scanner.isName(nameStart, nameEnd, names.type)) {
      type = scanner.wholeNumber()
      return type !== -1
    }
    if (scanner.isName(nameStart, nameEnd, names.timestamp)) {
      timestamp = scanner.wholeNumber()
      return timestamp !== -1
    }
    if (!scanner.isName(nameStart, nameEnd, names.data)) return scanner.value()
    // Recorders name the type first; what comes before it could not be read as what it is.
    if (type === -1) return false
    source = -1
    kind = -1
    return type === eventType.incremental && scanner.next() === openBrace ? scanner.object(readData) : scanner.value()
  }

  const isRead = scanner.array(() => {
    type = -1
    timestamp = -1
    source = -1
    kind = -1
    const begin = scanner.at
    if (!scanner.object(readEvent) || type === -1 || timestamp === -1 || timestamp > latestMs) return false
    if (isParsed(type) && scanner.at - begin > longestParsed) return false
    const data = isParsed(type) ? dataOf(bytes.toString('utf8', begin, scanner.at)) : { source, type: kind }
    events.push({ type, timestamp, data })
    return true
  })
  return isRead ? { text: bytes.subarray(start, scanner.at), end: scanner.at, events } : null
}

const openBrace = 0x7b
// A line of the console, a page's address: a large one may be made to cost memory.
const longestParsed = 65_536

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** What a summary asks of an event's data; the rest is not kept. */
function dataOf(event: string): unknown {
  // What the scanner has read over is JSON, and an object.
  const { href, tag, plugin, payload } = fieldsOf((JSON.parse(event) as Fields).data)
  const { href: address, level, payload: words } = fieldsOf(payload)
  return { href, tag, plugin, payload: { href: address, level, ...(level === 'error' ? { payload: words } : {}) } }
}
