// What `scan-events.ts` reads bodies with, and says what it takes, in AssemblyScript: `npm run generate` compiles it. It looks at
// sixteen bytes of a text at a time. What it takes `JSON.parse` takes, too; it stops at nesting deeper than allowed, at
// escaped surrogates, which ClickHouse's parser refuses as halves, and at white space other than blanks, as a line must not
// be broken.

const space: u32 = 0x20
const quote: u32 = 0x22
const dollar: u32 = 0x24
const plus: u32 = 0x2b
const comma: u32 = 0x2c
const minus: u32 = 0x2d
const point: u32 = 0x2e
const zero: u32 = 0x30
const colon: u32 = 0x3a
const openBracket: u32 = 0x5b
const backslash: u32 = 0x5c
const closeBracket: u32 = 0x5d
const openBrace: u32 = 0x7b
const closeBrace: u32 = 0x7d
const firstBeyondAscii: u32 = 0x80

/** Whose members they are: those of any other object mean nothing. */
const ofEnvelope: u32 = 0
const ofEvent: u32 = 1
const ofProperties: u32 = 2
const ofNone: u32 = 3

/** Members that decide something; a set of them is the sum of their bits. */
const batchBit: u32 = 1
const tokenBit: u32 = 2
const eventBit: u32 = 4
const uuidBit: u32 = 8
const propertiesBit: u32 = 16
const idBits: u32 = 32 | 64 | 128 | 256
const unusualBit: u32 = 512
const needed: u32 = eventBit | uuidBit | propertiesBit

/** A name in its slot: its bit (u16), its length (u16), and from its middle on up to sixteen bytes. */
const slotBytes: usize = 32
/** Names of events that are parsed stand before those of members, then the beginning of a cookieless id. */
const parsedEvents: usize = 5
const cookielessSlot: usize = 5
export const slots: usize = memory.data(32 * 32, 16)
/** For each set of names the slots of its names, by length and last byte; 0 where there is none. */
const placesPerSet: usize = 17 * 128
export const places: usize = memory.data(3 * 17 * 128, 16)
/** Where the body stands, with sixteen zeroes behind it. */
export const body: usize = (__heap_base + 15) & ~15

let at: usize = 0
let hasEscape: bool = false
let depthLeft: i32 = 0
let events: u32 = 0
let isList: bool = false
let met: u32 = 0
let textStart: usize = 0
let tokenStart: usize = 0
let tokenEnd: usize = 0

/** Where the token of the body that was read last begins. */
export function tokenFrom(): usize {
  return tokenStart
}

/** Where it ends. */
export function tokenTo(): usize {
  return tokenEnd
}

/** How many events the body of so many bytes has; 0 where it has to be parsed. */
export function scan(length: usize, depth: i32): u32 {
  at = body
  depthLeft = depth
  events = 0
  met = 0
  tokenEnd = 0
  isList = next() === openBracket
  const isRead = isList ? array(true) : members(ofEnvelope)
  if (!isRead || next() !== 0 || at !== body + length || tokenEnd === 0) return 0
  return events
}

function byteAt(place: usize): u32 {
  return load<u8>(place)
}

function next(): u32 {
  let byte = byteAt(at)
  while (byte === space) {
    at += 1
    byte = byteAt(at)
  }
  return byte
}

function value(): bool {
  const first = next()
  if (first === quote) return text()
  if (first === openBrace) return members(ofNone)
  if (first === openBracket) return array(false)
  if (first === minus || first - zero <= 9) return number()
  return literal(first)
}

/** An array, or the list of the events. */
function array(isOfEvents: bool): bool {
  if (next() !== openBracket || depthLeft === 0) return false
  depthLeft -= 1
  at += 1
  if (next() !== closeBracket) {
    for (;;) {
      if (isOfEvents ? !event() : !value()) return false
      if (next() !== comma) break
      at += 1
    }
    if (next() !== closeBracket) return false
  }
  at += 1
  depthLeft += 1
  return true
}

function event(): bool {
  met = 0
  events += 1
  if (!members(ofEvent)) return false
  return (met & needed) === needed && (met & idBits) !== 0 && (!isList || (met & tokenBit) !== 0)
}

function members(set: u32): bool {
  if (next() !== openBrace || depthLeft === 0) return false
  depthLeft -= 1
  at += 1
  if (next() !== closeBrace) {
    for (;;) {
      if (next() !== quote) return false
      const start = at + 1
      if (!text()) return false
      // An escaped name may be any.
      const bit = set === ofNone ? 0 : hasEscape ? unusualBit : find(set, start, at - 1)
      if (next() !== colon) return false
      at += 1
      if (bit === 0 ? !value() : !meaningful(set, bit)) return false
      if (next() !== comma) break
      at += 1
    }
    if (next() !== closeBrace) return false
  }
  at += 1
  depthLeft += 1
  return true
}

function meaningful(set: u32, bit: u32): bool {
  // Beside an envelope's token those of events say nothing.
  if (bit === tokenBit && !isList && set !== ofEnvelope) return value()
  if (bit === unusualBit || (met & bit) !== 0) return false
  met |= bit
  if (bit === batchBit) {
    const inEnvelope = met
    if (!array(true)) return false
    met = inEnvelope
    return true
  }
  if (bit === propertiesBit) return members(ofProperties)
  if (!plainText()) return false
  const start = textStart
  const end = at - 1
  if (bit === tokenBit) return isOneToken(start, end)
  if (bit === eventBit) return byteAt(start) !== dollar || !isParsedEvent(start, end)
  if (bit === uuidBit) return end - start === 36 && isUuid(start)
  return isId(start, end)
}

/** A text that is not empty and has no escapes. */
function plainText(): bool {
  if (next() !== quote) return false
  textStart = at + 1
  return text() && !hasEscape && at - 1 > textStart
}

function isOneToken(start: usize, end: usize): bool {
  if (tokenEnd === 0) {
    tokenStart = start
    tokenEnd = end
    return true
  }
  return end - start === tokenEnd - tokenStart && memory.compare(start, tokenStart, end - start) === 0
}

/** Of a longer name the first sixteen bytes count. */
function isParsedEvent(start: usize, end: usize): bool {
  const knownEnd = end - start > 16 ? start + 16 : end
  for (let slot: usize = 0; slot < parsedEvents; slot += 1) if (isName(slot, start, knownEnd)) return true
  return false
}

/** White space around an id is taken off: it begins with what is none. */
function isId(start: usize, end: usize): bool {
  const first = byteAt(start)
  return first > space && first < firstBeyondAscii && !(end - start >= 16 && isName(cookielessSlot, start, start + 16))
}

function isHexOrHyphen(chunk: v128): bool {
  const digits = i8x16.lt_u(i8x16.sub(chunk, i8x16.splat(0x30)), i8x16.splat(10))
  const letters = i8x16.lt_u(i8x16.sub(v128.or(chunk, i8x16.splat(0x20)), i8x16.splat(0x61)), i8x16.splat(6))
  const hyphens = i8x16.eq(chunk, i8x16.splat(0x2d))
  return i8x16.all_true(v128.or(v128.or(digits, letters), hyphens))
}

function hyphensOf(chunk: v128): i32 {
  return i8x16.bitmask(i8x16.eq(chunk, i8x16.splat(0x2d)))
}

/** Hyphens stand at 8, 13, 18 and 23 of its 36 bytes. */
function isUuid(start: usize): bool {
  const first = v128.load(start)
  const second = v128.load(start, 16)
  const last = v128.load(start, 20)
  if (hyphensOf(first) !== 0x2100 || hyphensOf(second) !== 0x84 || hyphensOf(last) !== 0x8) return false
  return isHexOrHyphen(first) && isHexOrHyphen(second) && isHexOrHyphen(last)
}

/** Whether these bytes are the name of a slot. */
function isName(slot: usize, start: usize, end: usize): bool {
  const known = slots + slot * slotBytes
  const length = u32(end - start)
  if (length !== load<u16>(known, 2)) return false
  const same = i8x16.bitmask(i8x16.eq(v128.load(start), v128.load(known, 16)))
  const mask = (1 << length) - 1
  return (same & mask) === mask
}

function find(set: u32, start: usize, end: usize): u32 {
  const length = end - start
  if (length > 16 || length === 0) return 0
  const place = usize(set) * placesPerSet + length * 128 + usize(byteAt(end - 1) & 127)
  const slot = load<u8>(places + place)
  if (slot === 0 || !isName(slot, start, end)) return 0
  return load<u16>(slots + usize(slot) * slotBytes)
}

/** Reads over a text whose quote is the next byte, as the functions below read over what begins there. */
function text(): bool {
  let place = at + 1
  hasEscape = false
  while (true) {
    const chunk = v128.load(place)
    const ends = i8x16.eq(chunk, i8x16.splat(0x22))
    const escapes = i8x16.eq(chunk, i8x16.splat(0x5c))
    const controls = i8x16.lt_u(chunk, i8x16.splat(0x20))
    const marks = i8x16.bitmask(v128.or(v128.or(ends, escapes), controls))
    if (marks === 0) {
      place += 16
      continue
    }
    place += usize(ctz(marks))
    const byte = byteAt(place)
    if (byte === quote) {
      at = place + 1
      return true
    }
    const length = byte === backslash ? escapeLength(place) : 0
    if (length === 0) return false
    hasEscape = true
    place += length
  }
}

/** How long the escape is that begins here; 0 for what is none, or half of a surrogate pair. */
function escapeLength(place: usize): usize {
  const kind = byteAt(place + 1)
  if (kind !== 0x75) {
    // " \ / b f n r t
    const isOne = kind === quote || kind === backslash || kind === 0x2f || kind === 0x62 || kind === 0x66
    return isOne || kind === 0x6e || kind === 0x72 || kind === 0x74 ? 2 : 0
  }
  for (let index: usize = 2; index < 6; index += 1) if (!isHex(byteAt(place + index))) return 0
  const isSurrogate = (byteAt(place + 2) | 0x20) === 0x64 && byteAt(place + 3) >= 0x38
  return isSurrogate ? 0 : 6
}

function isHex(byte: u32): bool {
  return byte - zero <= 9 || (byte | 0x20) - 0x61 <= 5
}

function number(): bool {
  if (byteAt(at) === minus) at += 1
  const leads = byteAt(at) === zero
  const whole = digits()
  if (whole === 0 || (leads && whole > 1)) return false
  if (byteAt(at) === point) {
    at += 1
    if (digits() === 0) return false
  }
  if ((byteAt(at) | 0x20) === 0x65) {
    at += 1
    const sign = byteAt(at)
    if (sign === plus || sign === minus) at += 1
    if (digits() === 0) return false
  }
  return isEndOfPlain()
}

function digits(): usize {
  const start = at
  while (byteAt(at) - zero <= 9) at += 1
  return at - start
}

function literal(first: u32): bool {
  const word = load<u32>(at)
  if (first === 0x74 && word === 0x65757274) at += 4
  else if (first === 0x6e && word === 0x6c6c756e) at += 4
  else if (first === 0x66 && load<u32>(at, 1) === 0x65736c61) at += 5
  else return false
  return isEndOfPlain()
}

function isEndOfPlain(): bool {
  const byte = byteAt(at)
  return byte === comma || byte === closeBrace || byte === closeBracket || byte === space
}
