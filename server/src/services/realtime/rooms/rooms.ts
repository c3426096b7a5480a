import { createHash } from 'node:crypto'
import type { Bus } from '../../../engines/bus/index.ts'
import type { FrameCause } from '../../../ground/model/frame.ts'
import { decodeRoomMessage, encodeRoomMessage, type RoomMessage } from './messages.ts'
import { createPeers } from './peers.ts'
import { createRoom, type Member, type Relayed, type Room, type RoomBroadcast, type RoomName } from './room.ts'
import { turnMs } from './traffic.ts'

/** The rooms that have members on this node. */
export interface Rooms<M extends Member> {
  join(name: RoomName, member: M): Room<M>
  /** Resolves once what members say on other nodes comes to a room of this one; null where it does already. */
  reached(room: Room<M>): Promise<void> | null
  leave(room: Room<M>, member: M): void
  /** The room, where a member of this node is in it. */
  find(name: RoomName): Room<M> | undefined
  /** Sends a broadcast to the members of a room on all nodes. */
  broadcast(name: RoomName, message: RoomBroadcast, cause: FrameCause | null): void
  /** All of them. */
  all(): readonly Room<M>[]
  /** The other nodes that were heard lately. */
  nodes(): readonly string[]
  /** Likewise, as a message that is JSON as a whole. */
  relay(name: RoomName, message: Relayed, cause: FrameCause | null): void
  count(): number
  /** Tells the other nodes that this one is gone. */
  close(): void
}

/** The dependencies of `createRooms`. */
export interface RoomsDeps {
  readonly newRef: () => string
  readonly bus: Bus
  /** After so long without a word of a node, what its members track is taken away. */
  readonly nodeSeconds: number
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
  /** Called when members or presences are others, and with each part of the minute in which messages are counted. */
  readonly changed: () => void
}

interface OpenRoom<M extends Member> {
  readonly room: Room<M>
  readonly subject: string
  readonly close: () => void
  reached: Promise<void> | null
}

/** The room, which knows no more of what it has waited for. */
function untilReached<M extends Member>(opened: OpenRoom<M>): OpenRoom<M> {
  void opened.reached?.then(() => {
    opened.reached = null
  })
  return opened
}

/** Topics may be long, and of any characters: the bus knows a room by a hash of its name. */
const subjectOf = ({ topic, isPrivate }: RoomName): string =>
  `realtime.room.${createHash('sha256').update(keyOf({ topic, isPrivate })).digest('base64url')}`

const keyOf = ({ topic, isPrivate }: RoomName): string => `${isPrivate ? 'private' : 'public'} ${topic}`

/** The rooms of a node, joined with those of other nodes by the bus. */
export function createRooms<M extends Member>({ newRef, bus, nodeSeconds, nowMs, changed }: RoomsDeps): Rooms<M> {
  const rooms = new Map<string, OpenRoom<M>>()
  let clock = 0
  const nextClock = (): number => {
    clock += 1
    return clock
  }
  let isClosed = false
  // Once it has said that it is gone, a node says no more.
  const publish = (subject: string, message: RoomMessage): void => {
    if (!isClosed) bus.publish(subject, () => encodeRoomMessage(message))
  }
  const peers = createPeers({ bus, nodeSeconds, nowMs, publish, rooms: () => rooms.values() })

  const turning = setInterval(() => {
    for (const { room } of rooms.values()) room.traffic.turn()
    changed()
  }, turnMs).unref()

  const open = (name: RoomName): OpenRoom<M> => {
    const subject = subjectOf(name)
    const room = createRoom<M>(name, {
      newRef,
      nextClock,
      changed,
      node: bus.node,
      publish: (message) => publish(subject, message),
    })
    const close = bus.subscribe(subject, ({ from, bytes }) => {
      peers.heard(from)
      const said = room.receive(from, decodeRoomMessage(bytes))
      if (said !== null) publish(subject, said)
    })
    publish(subject, { kind: 'ask', node: null })
    return untilReached<M>({ room, subject, close, reached: bus.subscribed?.() ?? null })
  }

  return {
    join(name, member) {
      const key = keyOf(name)
      const found = rooms.get(key) ?? open(name)
      rooms.set(key, found)
      found.room.members.add(member)
      changed()
      return found.room
    },
    reached: (room) => rooms.get(keyOf(room))?.reached ?? null,
    leave(room, member) {
      const found = rooms.get(keyOf(room))
      if (found?.room !== room) return
      room.members.delete(member)
      room.untrack(member, null)
      changed()
      if (room.members.size > 0) return
      found.close()
      rooms.delete(keyOf(room))
    },
    find: (name) => rooms.get(keyOf(name))?.room,
    broadcast(name, message, cause) {
      const found = rooms.get(keyOf(name))
      if (found !== undefined) found.room.broadcast(message, null, cause)
      else publish(subjectOf(name), { kind: 'broadcast', ...message, cause })
    },
    all: () => [...rooms.values()].map(({ room }) => room),
    nodes: peers.nodes,
    relay(name, message, cause) {
      const found = rooms.get(keyOf(name))
      if (found !== undefined) found.room.relay(message, null, cause)
      else publish(subjectOf(name), { kind: 'relay', ...message, cause })
    },
    count: () => rooms.size,
    close() {
      clearInterval(turning)
      peers.close()
      isClosed = true
    },
  }
}
