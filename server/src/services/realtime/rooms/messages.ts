import type { FrameCause } from '../../../ground/model/frame.ts'
import type { BroadcastPayload } from '../wire/frames.ts'
import type { PresenceDelta, PresenceState } from './presence-state.ts'

/** What nodes tell each other of a room. */
export type RoomMessage =
  | {
      readonly kind: 'broadcast'
      readonly event: string
      readonly payload: BroadcastPayload
      readonly cause: FrameCause | null
    }
  /** A broadcast that goes on as it came: JSON as the first clients write it, or bytes. */
  | {
      readonly kind: 'relay'
      readonly event: string
      readonly payload: BroadcastPayload
      readonly cause: FrameCause | null
    }
  | { readonly kind: 'presence'; readonly delta: PresenceDelta; readonly cause: FrameCause | null }
  /** All that the members of a node track. */
  | { readonly kind: 'state'; readonly clock: number; readonly state: PresenceState }
  /** Asks a node for its state, or all of them. */
  | { readonly kind: 'ask'; readonly node: string | null }

const lengthBytes = 4
const nothing = Buffer.alloc(0)

/** The length of the head (4 bytes), the head as JSON, then the payload as it is. */
export function encodeRoomMessage(message: RoomMessage): Buffer {
  const { head, body } = parts(message)
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, body])
}

function parts(message: RoomMessage): { readonly head: object; readonly body: Buffer } {
  if (message.kind === 'broadcast' || message.kind === 'relay') {
    const { kind, event, payload, cause } = message
    return { head: { kind, event, isJson: payload.isJson, cause }, body: payload.bytes }
  }
  return { head: message, body: nothing }
}

/** The head as our own code has written it. */
type Head =
  | {
      readonly kind: 'broadcast' | 'relay'
      readonly event: string
      readonly isJson: boolean
      readonly cause: CauseText | null
    }
  | { readonly kind: 'presence'; readonly delta: PresenceDelta; readonly cause: CauseText | null }
  | Exclude<RoomMessage, { kind: 'broadcast' | 'relay' | 'presence' }>

/** A cause in JSON. */
interface CauseText {
  readonly id: string
  readonly at: string
}

const causeOf = (text: CauseText | null): FrameCause | null => text && { id: text.id, at: new Date(text.at) }

export function decodeRoomMessage(bytes: Buffer): RoomMessage {
  const headEnd = lengthBytes + bytes.readUInt32BE(0)
  const head = JSON.parse(bytes.toString('utf8', lengthBytes, headEnd)) as Head
  const body = bytes.subarray(headEnd)
  switch (head.kind) {
    case 'broadcast':
    case 'relay': {
      const { kind, event, isJson, cause } = head
      return { kind, event, payload: { isJson, bytes: body }, cause: causeOf(cause) }
    }
    case 'presence':
      return { ...head, cause: causeOf(head.cause) }
    default:
      return head
  }
}
