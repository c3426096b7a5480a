import { isUtf8 } from 'node:buffer'
import { isHex, JsonScanner } from '../../../ground/http/json-scan.ts'
import { cookielessSentinel } from '../event/event.ts'

/** A body of which each event is regular, read in place. */
export interface ScannedEvents {
  readonly token: string
  /** How many events it holds; one at least. */
  readonly events: number
}

/** Each value takes a byte at least: no more are looked at than may be parsed. */
const mostBytes = 2_000_000
const openBracket = 0x5b
const quote = 0x22
const space = 0x20
const firstBeyondAscii = 0x80

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const snapshot = bytesOf('$snapshot')
const sentinel = bytesOf(cookielessSentinel)

/** Members that decide something; a set of them is the sum of their bits. */
const bits = {
  ...{ batch: 1, token: 2, event: 4, uuid: 8, properties: 16 },
  ...{ eventId: 32, eventDollarId: 64, propertyId: 128, propertyDollarId: 256 },
  unusual: 512,
} as const
const longestName = '$cookieless_mode'.length
const tokenNames = { api_key: bits.token, token: bits.token, $token: bits.token }
const envelopeNames = table({ batch: bits.batch, data: bits.unusual, ...tokenNames })
const eventNames = table({
  ...{ event: bits.event, uuid: bits.uuid, properties: bits.properties },
  ...{ distinct_id: bits.eventId, $distinct_id: bits.eventDollarId },
  ...tokenNames,
})
const propertyNames = table({
  ...{ distinct_id: bits.propertyId, $distinct_id: bits.propertyDollarId, token: bits.token },
  ...{ $ip: bits.unusual, $cookieless_mode: bits.unusual },
})
const needed = bits.event | bits.uuid | bits.properties
const anyId = bits.eventId | bits.eventDollarId | bits.propertyId | bits.propertyDollarId

/**
 * Reads a body of events in place: an envelope with a token and a batch, or a list of events that name one token. Each
 * event has a name, a UUID, properties and a distinct id, names no address, and is neither a recording nor of a visitor
 * without cookies.
 *
 * @returns null for any other body, and where something is unusual (escaped names, members twice): then parsing decides
 */
export function scanEvents(bytes: Buffer, jsonDepth: number): ScannedEvents | null {
  if (bytes.length > mostBytes || !isUtf8(bytes)) return null
  const scan = new EventScan(bytes, jsonDepth)
  return scan.body() ? scan.result() : null
}

class EventScan {
  private readonly json: JsonScanner
  private readonly bytes: Buffer
  private events = 0
  private token: string | null = null
  /** Whether each event names the token. */
  private isList = false
  /** What was met in the event that is read, else in the envelope. */
  private met = 0
  private names = envelopeNames
  private textStart = 0

  constructor(bytes: Buffer, jsonDepth: number) {
    this.bytes = bytes
    this.json = new JsonScanner(bytes, 0, jsonDepth)
  }

  body(): boolean {
    const { json } = this
    this.isList = json.next() === openBracket
    const isRead = this.isList ? json.array(this.event) : this.members(envelopeNames)
    return isRead && json.next() === 0 && json.at === this.bytes.length
  }

  result(): ScannedEvents | null {
    const { token, events } = this
    return token === null || events === 0 ? null : { token, events }
  }

  private batch(): boolean {
    const inEnvelope = this.met
    const isRead = this.json.array(this.event)
    this.met = inEnvelope
    return isRead
  }

  private readonly event = (): boolean => {
    this.met = 0
    this.events += 1
    if (!this.members(eventNames)) return false
    return (this.met & needed) === needed && (this.met & anyId) !== 0 && (!this.isList || (this.met & bits.token) !== 0)
  }

  private members(names: NameTable): boolean {
    const outer = this.names
    this.names = names
    const isRead = this.json.object(this.member)
    this.names = outer
    return isRead
  }

  private readonly member = (nameStart: number, nameEnd: number): boolean => {
    // An escaped name may be any.
    if (this.json.hasEscape) return false
    const bit = this.find(nameStart, nameEnd)
    return bit === 0 ? this.json.value() : this.meaningful(bit)
  }

  /** Reads over the value of a member that decides something; false where it is not what it is in a regular event. */
  private meaningful(bit: number): boolean {
    // Beside an envelope's token those of events say nothing.
    if (bit === bits.token && !this.isList && this.names !== envelopeNames) return this.json.value()
    if (bit === bits.unusual || (this.met & bit) !== 0) return false
    this.met |= bit
    if (bit === bits.batch) return this.batch()
    if (bit === bits.properties) return this.members(propertyNames)
    if (!this.plainText()) return false
    const [start, end] = [this.textStart, this.json.at - 1]
    if (bit === bits.token) return this.isOneToken(start, end)
    if (bit === bits.event) return !this.json.isName(start, end, snapshot)
    return bit === bits.uuid ? isUuidAt(this.bytes, start, end) : this.isId(start, end)
  }

  /** Reads over a text that is not empty and has no escapes. */
  private plainText(): boolean {
    const { json } = this
    if (json.next() !== quote) return false
    this.textStart = json.at + 1
    return json.value() && !json.hasEscape && json.at - 1 > this.textStart
  }

  private isOneToken(start: number, end: number): boolean {
    const token = this.bytes.toString('utf8', start, end)
    this.token ??= token
    return this.token === token
  }

  /** White space around an id is taken off: it begins with what is none. */
  private isId(start: number, end: number): boolean {
    const first = this.bytes[start] ?? 0
    const isCookieless = this.json.isName(start, Math.min(end, start + sentinel.length), sentinel)
    return first > space && first < firstBeyondAscii && !isCookieless
  }

  private find(start: number, end: number): number {
    const length = end - start
    if (length > longestName) return 0
    const one = this.names[placeOf(length, this.bytes[end - 1] ?? 0)]
    return one && this.json.isName(start, end, one.name) ? one.bit : 0
  }
}

const hyphen = 0x2d

function isUuidAt(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== 36) return false
  for (let index = 0; index < 36; index += 1) {
    const byte = bytes[start + index] ?? 0
    const isHyphen = index === 8 || index === 13 || index === 18 || index === 23
    if (isHyphen ? byte !== hyphen : !isHex(byte)) return false
  }
  return true
}

/** Names by their length and last byte, in which no two are alike. */
type NameTable = readonly ({ readonly name: Uint8Array; readonly bit: number } | null)[]

function placeOf(length: number, last: number): number {
  return length * 128 + (last & 127)
}

function table(names: Readonly<Record<string, number>>): NameTable {
  const places: NameTable[number][] = Array.from({ length: placeOf(longestName + 1, 0) }, () => null)
  for (const [text, bit] of Object.entries(names)) {
    const name = bytesOf(text)
    const place = placeOf(name.length, name.at(-1) ?? 0)
    places[place] = { name, bit }
  }
  return places
}
