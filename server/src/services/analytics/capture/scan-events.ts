import { isUtf8 } from 'node:buffer'
import { cookielessSentinel } from '../event/event.ts'
import { eventScan } from './event-scan.gen.ts'

/** A body of which each event is regular, read in place. */
export interface ScannedEvents {
  readonly token: string
  /** How many events it holds; one at least. */
  readonly events: number
}

/** Each value takes a byte at least: no more are looked at than may be parsed. */
const mostBytes = 2_000_000
/** Each level takes a part of the stack; what nests deeper is parsed. */
const deepest = 500
/** So much of what stands behind a text may be read with it. */
const zeroesBehind = 16
const pageBytes = 65_536

/** Members that decide something, by the bits that `server/wasm/event-scan.ts` knows; a set of them is their sum. */
const bits = {
  ...{ batch: 1, token: 2, event: 4, uuid: 8, properties: 16 },
  ...{ eventId: 32, eventDollarId: 64, propertyId: 128, propertyDollarId: 256 },
  unusual: 512,
} as const
const tokenNames = { api_key: bits.token, token: bits.token, $token: bits.token }
/** Those of envelopes, of events, of their properties: in each set no two names are alike in length and last letter. */
const nameSets: readonly Readonly<Record<string, number>>[] = [
  { batch: bits.batch, data: bits.unusual, ...tokenNames },
  {
    ...{ event: bits.event, uuid: bits.uuid, properties: bits.properties },
    ...{ distinct_id: bits.eventId, $distinct_id: bits.eventDollarId },
    ...tokenNames,
  },
  {
    ...{ distinct_id: bits.propertyId, $distinct_id: bits.propertyDollarId, token: bits.token },
    ...{ $ip: bits.unusual, $cookieless_mode: bits.unusual },
  },
]
/**
 * Names of events that are parsed: recordings, and those that are refused where they ask for no person. Then the beginning of
 * ids that are not kept.
 */
const refusedTexts = [
  ...['$snapshot', '$identify', '$create_alias', '$groupidentify', '$merge_dangerously'],
  cookielessSentinel,
]

/**
 * Reads a body of events in place: an envelope with a token and a batch, or a list of events that name one token. Each
 * event has a name, a UUID, properties and a distinct id, names no address, and is neither a recording, nor tells who a visitor
 * is, nor of a visitor without cookies.
 *
 * @returns null for any other body, and where something is unusual (escaped names, members twice): then parsing decides
 */
export function scanEvents(bytes: Buffer, jsonDepth: number): ScannedEvents | null {
  if (bytes.length > mostBytes || !isUtf8(bytes)) return null
  loaded ??= load()
  return loaded(bytes, Math.min(jsonDepth, deepest))
}

/** Loaded with the first body: it takes a millisecond, and memory. */
let loaded: ReturnType<typeof load> | null = null

/** What `server/wasm/event-scan.ts` exports; places are addresses in its memory. */
interface EventScan {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly slots: { readonly value: number }
  readonly places: { readonly value: number }
  readonly body: { readonly value: number }
  scan(bytes: number, depth: number): number
  tokenFrom(): number
  tokenTo(): number
}

/** What is used of WebAssembly: the types of Node name no values of it. */
interface Compiler {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

function load(): (bytes: Buffer, depth: number) => ScannedEvents | null {
  const { WebAssembly: compiler } = globalThis as unknown as { readonly WebAssembly: Compiler }
  const module = new compiler.Module(Buffer.from(eventScan, 'base64'))
  const compiled = new compiler.Instance(module).exports as EventScan
  const { memory, body } = compiled
  writeNames(compiled)
  let view = Buffer.from(memory.buffer)
  const start = body.value
  return (bytes, depth) => {
    const end = start + bytes.length
    const missing = end + zeroesBehind - view.length
    if (missing > 0) {
      memory.grow(Math.ceil(missing / pageBytes))
      view = Buffer.from(memory.buffer)
    }
    view.set(bytes, start)
    view.fill(0, end, end + zeroesBehind)
    const events = compiled.scan(bytes.length, depth)
    if (events === 0) return null
    return { token: view.toString('utf8', compiled.tokenFrom(), compiled.tokenTo()), events }
  }
}

const slotBytes = 32
const longestName = 16

/** Writes what the scan looks for: each name into a slot, and by its length and last letter where that is. */
function writeNames({ memory, slots, places }: EventScan): void {
  const view = Buffer.from(memory.buffer)
  let slot = 0
  const write = (name: string, bit: number): number => {
    const at = slots.value + slot * slotBytes
    const known = name.slice(0, longestName)
    view.writeUInt16LE(bit, at)
    view.writeUInt16LE(known.length, at + 2)
    view.write(known, at + longestName, 'latin1')
    return slot++
  }
  for (const text of refusedTexts) write(text, 0)
  for (const [set, names] of nameSets.entries())
    for (const [name, bit] of Object.entries(names)) {
      const place = (set * (longestName + 1) + name.length) * 128 + (name.charCodeAt(name.length - 1) & 127)
      view.writeUInt8(write(name, bit), places.value + place)
    }
}
