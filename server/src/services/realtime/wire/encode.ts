import type { BroadcastPayload, Ref, Version } from './frames.ts'
import { framed, type ServerFrame } from './framing.ts'

/** A message of the protocol. */
export interface ServerMessage {
  readonly joinRef: Ref
  readonly ref: Ref
  readonly topic: string
  readonly event: string
  readonly payload: object
}

/** Writes a message as text. */
export const encodeMessage = (version: Version, { payload, ...head }: ServerMessage): ServerFrame =>
  encodeRaw(version, head, JSON.stringify(payload))

/** Writes a message whose payload is JSON already. */
export function encodeRaw(
  version: Version,
  head: Omit<ServerMessage, 'payload'>,
  payload: string | Buffer,
): ServerFrame {
  const { joinRef, ref, topic, event } = head
  const [before, behind] =
    version === '2.0.0'
      ? [`[${JSON.stringify(joinRef)},${JSON.stringify(ref)},${JSON.stringify(topic)},${JSON.stringify(event)},`, ']']
      : [
          `{"topic":${JSON.stringify(topic)},"event":${JSON.stringify(event)},"payload":`,
          `,"ref":${JSON.stringify(ref)},"join_ref":${JSON.stringify(joinRef)}}`,
        ]
  if (typeof payload === 'string') return framed('text', [Buffer.from(before + payload + behind)])
  return framed('text', [Buffer.from(before), payload, Buffer.from(behind)])
}

/** A broadcast on its way to the members of a room. */
export interface Broadcast {
  readonly topic: string
  readonly event: string
  readonly payload: BroadcastPayload
  /** What the server tells of it, such as the id of a stored one; null for nothing. */
  readonly meta: { readonly id: string; readonly replayed?: true } | null
}

/** Writes a broadcast for sockets of a version; null where it has no form that they read (bytes, in version 1.0.0). */
export function encodeBroadcast(version: Version, broadcast: Broadcast): ServerFrame | null {
  const { topic, event, payload, meta } = broadcast
  const binary = version === '2.0.0' ? encodeUserBroadcast(broadcast) : null
  // As text where its head is too long for the binary form.
  if (binary !== null || !payload.isJson) return binary
  const metaText = meta === null ? '' : `,"meta":${JSON.stringify(meta)}`
  const text = `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payload.bytes.toString()}${metaText}}`
  return encodeRaw(version, { joinRef: null, ref: null, topic, event: 'broadcast' }, text)
}

const broadcastKind = 2
const userBroadcastKind = 4
const longestPart = 255

/** Header: kind, lengths of topic, event and metadata, encoding, then those three; the payload follows (realtime §2). */
function encodeUserBroadcast({ topic, event, payload, meta }: Broadcast): ServerFrame | null {
  const parts = [topic, event, meta === null ? '' : JSON.stringify(meta)].map((text) => Buffer.from(text))
  if (parts.some(({ length }) => length > longestPart)) return null
  const lengths = parts.map(({ length }) => length)
  const header = Buffer.from([userBroadcastKind, ...lengths, payload.isJson ? 1 : 0])
  return framed('binary', [header, ...parts, payload.bytes])
}

/** Writes a broadcast of bytes that have no name: kind, lengths of topic and event, then those two and the bytes. */
export function encodeBytes(version: Version, topic: string, bytes: Buffer): ServerFrame | null {
  const parts = [topic, 'broadcast'].map((text) => Buffer.from(text))
  if (version === '1.0.0' || parts.some(({ length }) => length > longestPart)) return null
  const header = Buffer.from([broadcastKind, ...parts.map(({ length }) => length)])
  return framed('binary', [header, ...parts, bytes])
}

/** Makes the frame of a version once, however many sockets take it. */
export function encodedOnce(
  encode: (version: Version) => ServerFrame | null,
): (version: Version) => ServerFrame | null {
  const made = new Map<Version, ServerFrame | null>()
  // Nearly always all are of one version, for which a look into a map would be a good part of the work.
  let last: { readonly version: Version; readonly frame: ServerFrame | null } | null = null
  return (version) => {
    if (last?.version === version) return last.frame
    const known = made.get(version)
    const frame = known === undefined ? encode(version) : known
    made.set(version, frame)
    last = { version, frame }
    return frame
  }
}
