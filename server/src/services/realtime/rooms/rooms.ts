import { type Broadcast, encodeBroadcast, encodedOnce, encodeMessage, type ServerFrame } from '../wire/encode.ts'
import type { Version } from '../wire/frames.ts'
import { Presence, type PresenceDiff } from './presence.ts'

/** A channel of a socket, as its room sees it. */
export interface Member {
  readonly version: Version
  /** Whether it receives broadcasts. */
  readonly hearsBroadcasts: boolean
  /** Whether it receives changes of presence. */
  readonly hearsPresence: boolean
  /** Whether it was sent a stored broadcast before, whose live copy this is. */
  hasReplayed(id: string): boolean
  send(frame: ServerFrame): void
}

/** A topic in one of its two kinds: a private and a public channel of one name are apart (realtime §4). */
export interface RoomName {
  /** With `realtime:` before it. */
  readonly topic: string
  readonly isPrivate: boolean
}

/** The members of a topic. */
export interface Room<M extends Member> extends RoomName {
  readonly members: ReadonlySet<M>
  readonly presence: Presence<M>
  /** Sends a broadcast to all members but one. */
  broadcast(message: Omit<Broadcast, 'topic'>, except: M | null): void
  /** Sends a message as JSON, as the first clients write broadcasts, to all members but one. */
  relay(payload: object, except: M | null): void
  /** Tells the members a change of presence. */
  tell(diff: PresenceDiff): void
}

/** The rooms that have members. */
export interface Rooms<M extends Member> {
  join(name: RoomName, member: M): Room<M>
  leave(room: Room<M>, member: M): void
  /** The room, where anybody is in it. */
  find(name: RoomName): Room<M> | undefined
  all(): Iterable<Room<M>>
  count(): number
}

const keyOf = ({ topic, isPrivate }: RoomName): string => `${isPrivate ? 'private' : 'public'} ${topic}`

/** The rooms of one process. */
export function createRooms<M extends Member>(newRef: () => string): Rooms<M> {
  const rooms = new Map<string, Room<M> & { readonly members: Set<M> }>()
  return {
    join(name, member) {
      const key = keyOf(name)
      const room = rooms.get(key) ?? createRoom<M>(name, newRef)
      rooms.set(key, room)
      room.members.add(member)
      return room
    },
    leave(room, member) {
      const found = rooms.get(keyOf(room))
      if (found !== room) return
      found.members.delete(member)
      const diff = found.presence.untrack(member)
      if (diff !== null) found.tell(diff)
      if (found.members.size === 0) rooms.delete(keyOf(room))
    },
    find: (name) => rooms.get(keyOf(name)),
    all: () => rooms.values(),
    count: () => rooms.size,
  }
}

function createRoom<M extends Member>(
  { topic, isPrivate }: RoomName,
  newRef: () => string,
): Room<M> & { readonly members: Set<M> } {
  const members = new Set<M>()
  /** Each version's frame is made once, however many members take it. */
  const send = (
    encode: (version: Version) => ServerFrame | null,
    except: M | null,
    hears: 'hearsBroadcasts' | 'hearsPresence',
    storedId: string | null = null,
  ): void => {
    const frameOf = encodedOnce(encode)
    for (const member of members) {
      if (member === except || !member[hears]) continue
      if (storedId !== null && member.hasReplayed(storedId)) continue
      const frame = frameOf(member.version)
      if (frame !== null) member.send(frame)
    }
  }
  const message = (event: string, payload: object) => (version: Version) =>
    encodeMessage(version, { joinRef: null, ref: null, topic, event, payload })
  return {
    topic,
    isPrivate,
    members,
    presence: new Presence<M>(newRef),
    broadcast: (content, except) =>
      send(
        (version) => encodeBroadcast(version, { ...content, topic }),
        except,
        'hearsBroadcasts',
        content.meta?.id ?? null,
      ),
    relay: (payload, except) => send(message('broadcast', payload), except, 'hearsBroadcasts'),
    tell: (diff) => send(message('presence_diff', diff), null, 'hearsPresence'),
  }
}
