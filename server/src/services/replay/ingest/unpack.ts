import { gunzipSync } from 'node:zlib'
import { JsonScanner } from '../../../ground/http/json-scan.ts'
import { measureJson } from '../../../ground/http/json-size.ts'
import { isObject, type JsonObject } from '../../../ground/json/object.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { eventType } from './check.ts'

/** The packing of posthog-js (analytics §6.3): gzip of JSON as the characters U+0000 to U+00FF, within JSON. */
const packing = '2024-10'
const packingName = new TextEncoder().encode('cv')
/** By the source of an incremental event: 0 are changes of the page, 8 those of its style sheets. */
const packedFields: ReadonlyMap<unknown, readonly string[]> = new Map([
  [0, ['texts', 'attributes', 'removes', 'adds']],
  [8, ['adds', 'removes']],
])

/** A message is unpacked to so much at most; its further events stay as they are. */
export const longestMessage = 16 * 1024 * 1024
/** Those who read recordings take no larger page from a packed field either. */
const pageLimits = { depth: 1100, values: 200_000 }

/** Rendered by `renderLine`: what stands behind it is the last member. */
const dataStart = Buffer.from(',"data":')
const closing = Buffer.from('}')
const quote = 0x22

/** Whether anything in these bytes looks packed. */
export const mayBePacked = (bytes: Buffer): boolean => bytes.includes(packing)

/**
 * Unpacks the events of a line of `snapshots` that their browser packed. What is packed one by one no codec packs better:
 * unpacked, a recording takes a third of the room, and what is masked in it is found. An event that cannot be read stays as
 * it is, as do the bytes of those that are not packed.
 *
 * @param mostBytes what its packed events may come to
 */
export function unpackLine(line: Buffer, mostBytes: number): Buffer {
  const start = line.indexOf(dataStart) + dataStart.length
  if (start < dataStart.length || !mayBePacked(line.subarray(start))) return line
  const data = line.subarray(start, -closing.length)
  // Events that were written anew stand in the line as a text.
  const isText = data[0] === quote
  const events = isText ? Buffer.from(String(JSON.parse(data.toString()))) : data
  const unpacked = unpackEvents(events, Math.min(mostBytes, longestMessage))
  if (unpacked === null) return line
  return Buffer.concat([
    line.subarray(0, start),
    isText ? Buffer.from(JSON.stringify(unpacked.toString())) : unpacked,
    closing,
  ])
}

/** The list of events with those unpacked that can be; null where there are none. */
function unpackEvents(events: Buffer, mostBytes: number): Buffer | null {
  const scanner = new JsonScanner(events, 0, pageLimits.depth)
  const pieces: Buffer[] = []
  let copied = 0
  let left = mostBytes

  const readEvent = (): boolean => {
    const start = scanner.at
    let isPacked = false
    const isRead = scanner.object((nameStart, nameEnd) => {
      isPacked ||= scanner.isName(nameStart, nameEnd, packingName)
      return scanner.value()
    })
    const plain = isRead && isPacked ? unpackEvent(events.toString('utf8', start, scanner.at), left) : null
    if (plain !== null) {
      left -= plain.length
      pieces.push(events.subarray(copied, start), plain)
      copied = scanner.at
    }
    return isRead
  }

  if (!scanner.array(readEvent) || pieces.length === 0) return null
  return Buffer.concat([...pieces, events.subarray(copied)])
}

function unpackEvent(text: string, mostBytes: number): Buffer | null {
  const { cv, ...event } = JSON.parse(text) as JsonObject
  const data = cv === packing ? unpackData(event, mostBytes) : undefined
  if (data === undefined) return null
  const plain = Buffer.from(stringifyWellFormed({ ...event, data }))
  return plain.length > mostBytes ? null : plain
}

/** The data of an event, unpacked; undefined where it cannot be. */
function unpackData({ type, data }: JsonObject, mostBytes: number): unknown {
  if (type === eventType.fullSnapshot) return unpackField(data, mostBytes)
  if (type !== eventType.incremental || !isObject(data)) return undefined
  const plain: Record<string, unknown> = { ...data }
  for (const name of packedFields.get(data.source) ?? []) {
    if (plain[name] === undefined) continue
    plain[name] = unpackField(plain[name], mostBytes)
    if (plain[name] === undefined) return undefined
  }
  return plain
}

function unpackField(field: unknown, mostBytes: number): unknown {
  if (typeof field !== 'string') return field
  try {
    const json = gunzipSync(Buffer.from(field, 'latin1'), { maxOutputLength: Math.max(1, mostBytes) }).toString()
    return measureJson(json, pageLimits) === 'within' ? JSON.parse(json) : undefined
  } catch {
    return undefined
  }
}
