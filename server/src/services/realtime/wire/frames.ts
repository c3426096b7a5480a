import { type JsonObject, objectOf, textOf } from '../../../ground/json/object.ts'

/** Versions of the Phoenix serializer that clients speak (realtime §2). */
export const versions = ['1.0.0', '2.0.0'] as const
/** One of `versions`. */
export type Version = (typeof versions)[number]

/** A reference that a client gives its frames: answers carry it as it came. */
export type Ref = string | null

/** Where a frame belongs. */
export interface FrameHead {
  readonly joinRef: Ref
  readonly ref: Ref
  readonly topic: string
}

/** The payload of a broadcast: JSON text as the sender wrote it, or bytes. */
export interface BroadcastPayload {
  readonly isJson: boolean
  readonly bytes: Buffer
}

/** A frame that a client sent. */
export type ClientFrame =
  | (FrameHead & {
      readonly kind: 'message'
      readonly event: string
      readonly payload: JsonObject
      /** Characters of the frame as a whole. */
      readonly length: number
    })
  /** A broadcast as text: `payload` is that of the frame as JSON, `name` the event's that stands in it. */
  | (FrameHead & {
      readonly kind: 'text broadcast'
      readonly event: 'broadcast'
      readonly name: string
      readonly payload: Buffer
    })
  /** A broadcast in its binary form. */
  | (FrameHead & { readonly kind: 'user broadcast'; readonly event: string; readonly payload: BroadcastPayload })
  /** A broadcast in Phoenix's own binary form: bytes without a name. */
  | (FrameHead & { readonly kind: 'bytes'; readonly event: 'broadcast'; readonly bytes: Buffer })

/** Reads a text frame; null for one that is not well formed. */
export function decodeText(version: Version, text: string): ClientFrame | null {
  const parsed = parseJson(text)
  const [joinRef, ref, topic, event, payload] = version === '2.0.0' ? arrayParts(parsed) : objectParts(parsed)
  if (!isRef(joinRef) || !isRef(ref) || typeof topic !== 'string' || typeof event !== 'string') return null
  const found = objectOf(payload)
  if (found === null) return null
  const head = { joinRef, ref, topic }
  if (event !== 'broadcast') return { ...head, kind: 'message', event, payload: found, length: text.length }
  return {
    ...head,
    kind: 'text broadcast',
    event,
    name: textOf(found.event) ?? '',
    payload: Buffer.from(JSON.stringify(found)),
  }
}

const isRef = (value: unknown): value is Ref => value === null || typeof value === 'string'

function arrayParts(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length >= 5 ? value : []
}

function objectParts(value: unknown): readonly unknown[] {
  const found = objectOf(value)
  if (found === null) return []
  return [found.join_ref ?? null, found.ref ?? null, found.topic, found.event, found.payload]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const pushKind = 0
const userBroadcastPushKind = 3
const jsonEncoding = 1

/** The bytes of a binary frame that are JSON; none where its payload is bytes. */
export function jsonOf(bytes: Buffer): Buffer {
  const isJson = bytes[0] === userBroadcastPushKind && bytes[6] === jsonEncoding
  return bytes.subarray(isJson ? (readParts(bytes, 1, 5, 1)?.end ?? bytes.length) : bytes.length)
}

/** Reads a binary frame; null for one of another kind, one that is cut short, and one whose JSON is not well formed. */
export function decodeBinary(bytes: Buffer): ClientFrame | null {
  if (bytes[0] === userBroadcastPushKind) return userBroadcastPush(bytes)
  if (bytes[0] !== pushKind) return null
  const read = readParts(bytes, 1, 4)
  if (read === null) return null
  const [joinRef = '', ref = '', topic = '', event = ''] = read.texts
  const head = { joinRef: joinRef || null, ref: ref || null, topic }
  if (event === 'broadcast') return { ...head, kind: 'bytes', event, bytes: bytes.subarray(read.end) }
  // No other event of the protocol has a payload of bytes.
  return { ...head, kind: 'message', event, payload: {}, length: bytes.length }
}

function userBroadcastPush(bytes: Buffer): ClientFrame | null {
  const read = readParts(bytes, 1, 5, 1)
  if (read === null) return null
  const [joinRef = '', ref = '', topic = '', event = ''] = read.texts
  const isJson = bytes[6] === jsonEncoding
  const payload = bytes.subarray(read.end)
  if (isJson && parseJson(payload.toString()) === undefined) return null
  return {
    kind: 'user broadcast',
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event,
    payload: { isJson, bytes: payload },
  }
}

/** Reads texts whose lengths stand, a byte each, before `extra` further bytes and then the texts themselves. */
function readParts(
  bytes: Buffer,
  at: number,
  count: number,
  extra = 0,
): { readonly texts: readonly string[]; readonly end: number } | null {
  if (bytes.length < at + count + extra) return null
  let end = at + count + extra
  const texts: string[] = []
  for (let index = 0; index < count; index += 1) {
    const length = bytes[at + index] ?? 0
    texts.push(bytes.toString('utf8', end, end + length))
    end += length
  }
  return end > bytes.length ? null : { texts, end }
}
