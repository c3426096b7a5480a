import type { JsonObject } from '../../../ground/json/object.ts'
import type { FrameCause, FrameName } from '../../../ground/model/frame.ts'
import { type Broadcast, encodeBroadcast, encodeBytes, encodedOnce, encodeRaw } from '../wire/encode.ts'
import type { Version } from '../wire/frames.ts'
import type { ServerFrame } from '../wire/framing.ts'
import type { RoomMessage } from './messages.ts'
import { Presence, type PresenceDeps } from './presence.ts'
import type { PresenceDelta, PresenceDiff } from './presence-state.ts'
import { Traffic } from './traffic.ts'

/** A channel of a socket, as its room sees it. */
export interface Member {
  readonly version: Version
  /** Whether it receives broadcasts. */
  readonly hearsBroadcasts: boolean
  /** Whether it receives changes of presence. */
  readonly hearsPresence: boolean
  /** Whether it was sent a stored broadcast before, whose live copy this is. */
  hasReplayed(id: string): boolean
  /** @param storedId of a stored broadcast */
  send(frame: ServerFrame, storedId: string | null): void
  /** Called for each message that it was sent, with what led to it where that is known. */
  received(name: FrameName, bytes: number, cause: FrameCause | null): void
}

/** A topic in one of its two kinds: a private and a public channel of one name are apart (realtime §4). */
export interface RoomName {
  /** With `realtime:` before it. */
  readonly topic: string
  readonly isPrivate: boolean
}

/** A broadcast whose topic is the room's. */
export type RoomBroadcast = Pick<Broadcast, 'event' | 'payload'>

/** The whole payload of a message, JSON as the first clients write broadcasts or bytes, and the name that stands in it. */
export type Relayed = RoomBroadcast

/** The members of a topic. */
export interface Room<M extends Member> extends RoomName {
  readonly members: Set<M>
  readonly presence: Presence<M>
  /** Of the members of this node, and of what this node has sent to the room for others. */
  readonly traffic: Traffic
  /** Sends a broadcast to all members but one, those of other nodes as well. */
  broadcast(message: RoomBroadcast, except: M | null, cause: FrameCause | null): void
  /** Sends a message on as it came to all members but one: JSON as the first clients write broadcasts, or bytes. */
  relay(message: Relayed, except: M | null, cause: FrameCause | null): void
  /** Sets what a member tracks, and tells all members. */
  track(member: M, key: string, payload: JsonObject, cause: FrameCause | null): void
  untrack(member: M, cause: FrameCause | null): void
  /** Sends a stored broadcast to the members of this node: each node reads it from the change stream. */
  deliver(message: Omit<Broadcast, 'topic'>, cause: FrameCause | null): void
  /** Takes in what another node says; returns what is to be said to the others then. */
  receive(from: string, message: RoomMessage): RoomMessage | null
  /** Takes away what the members of a node track. */
  forget(node: string): void
}

/** What a room takes of its node. */
export interface RoomDeps extends PresenceDeps {
  readonly node: string
  /** Called when presences are others. */
  readonly changed: () => void
  /** Tells the other nodes. */
  readonly publish: (message: RoomMessage) => void
}

export function createRoom<M extends Member>({ topic, isPrivate }: RoomName, deps: RoomDeps): Room<M> {
  const members = new Set<M>()
  const presence = new Presence<M>(deps)
  const traffic = new Traffic()
  const { deliver, relay, tell: send } = createFanOut(topic, members, traffic)
  const tell = (diff: PresenceDiff, cause: FrameCause | null): void => {
    send(diff, cause)
    deps.changed()
  }
  const changed = (delta: PresenceDelta | null, cause: FrameCause | null): void => {
    if (delta === null) return
    traffic.said.add(1)
    tell(delta, cause)
    deps.publish({ kind: 'presence', delta, cause })
  }
  const tellChange = (diff: PresenceDiff | null): void => {
    if (diff !== null) tell(diff, null)
  }
  return {
    topic,
    isPrivate,
    members,
    presence,
    traffic,
    broadcast(message, except, cause) {
      traffic.said.add(1)
      deliver({ ...message, meta: null }, except, cause)
      deps.publish({ kind: 'broadcast', ...message, cause })
    },
    relay(message, except, cause) {
      traffic.said.add(1)
      relay(message, except, cause)
      deps.publish({ kind: 'relay', ...message, cause })
    },
    track: (member, key, payload, cause) => changed(presence.track(member, key, payload), cause),
    untrack: (member, cause) => changed(presence.untrack(member), cause),
    deliver: (message, cause) => deliver(message, null, cause),
    receive(from, message) {
      switch (message.kind) {
        case 'broadcast':
          deliver({ event: message.event, payload: message.payload, meta: null }, null, message.cause)
          return null
        case 'relay':
          relay(message, null, message.cause)
          return null
        case 'presence': {
          if (!presence.remote.apply(from, message.delta)) return { kind: 'ask', node: from }
          tell(message.delta, message.cause)
          return null
        }
        case 'state':
          if (presence.remote.clockOf(from) !== message.clock)
            tellChange(presence.remote.replace(from, message.clock, message.state))
          return null
        case 'ask':
          return answer(message.node, deps.node, presence)
        default:
          return message satisfies never
      }
    },
    forget: (node) => tellChange(presence.remote.forget(node)),
  }
}

/** A node that tracks nothing need not say so, unless it is asked itself. */
function answer<M>(asked: string | null, node: string, presence: Presence<M>): RoomMessage | null {
  const isMeant = asked === node || (asked === null && presence.clock > 0)
  return isMeant ? { kind: 'state', clock: presence.clock, state: presence.ownState() } : null
}

/** What a message is called where it is kept. */
interface Sent extends FrameName {
  /** Of a stored broadcast. */
  readonly storedId?: string | null
}

/** Sends to the members of this node; each version's frame is made once, however many take it. */
function createFanOut<M extends Member>(topic: string, members: ReadonlySet<M>, traffic: Traffic) {
  const send = (
    message: Sent,
    encode: (version: Version) => ServerFrame | null,
    except: M | null,
    cause: FrameCause | null,
  ): void => {
    const { storedId = null } = message
    const isPresence = message.kind === 'presence'
    const frameOf = encodedOnce(encode)
    let sent = 0
    for (const member of members) {
      if (member === except || !(isPresence ? member.hearsPresence : member.hearsBroadcasts)) continue
      if (storedId !== null && member.hasReplayed(storedId)) continue
      const frame = frameOf(member.version)
      if (frame === null) continue
      member.send(frame, storedId)
      member.received(message, frame.length, cause)
      sent += 1
    }
    traffic.sent.add(sent)
  }
  const message = (event: string, payload: string | Buffer) => (version: Version) =>
    encodeRaw(version, { joinRef: null, ref: null, topic, event }, payload)
  return {
    deliver: (content: Omit<Broadcast, 'topic'>, except: M | null, cause: FrameCause | null): void =>
      send(
        { kind: 'broadcast', event: content.event, storedId: content.meta?.id ?? null },
        (version) => encodeBroadcast(version, { ...content, topic }),
        except,
        cause,
      ),
    relay: ({ event, payload: { isJson, bytes } }: Relayed, except: M | null, cause: FrameCause | null): void =>
      send(
        { kind: 'broadcast', event },
        isJson ? message('broadcast', bytes) : (version) => encodeBytes(version, topic, bytes),
        except,
        cause,
      ),
    tell: ({ joins, leaves }: PresenceDiff, cause: FrameCause | null): void =>
      send(
        { kind: 'presence', event: 'diff' },
        message('presence_diff', JSON.stringify({ joins, leaves })),
        null,
        cause,
      ),
  }
}
