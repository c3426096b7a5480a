import { type Bus, onEnded } from '../../../engines/bus/index.ts'
import type { RoomMessage } from './messages.ts'
import type { Member, Room } from './room.ts'

/** The dependencies of `createPeers`. */
export interface PeersDeps<M extends Member> {
  readonly bus: Bus
  readonly nodeSeconds: number
  readonly nowMs: () => number
  readonly publish: (subject: string, message: RoomMessage) => void
  /** The rooms of this node. */
  readonly rooms: () => Iterable<{ readonly room: Room<M>; readonly subject: string }>
}

/** What a node says of itself, several times within `nodeSeconds`. */
type NodeMessage =
  /** The clocks of the rooms in which its members track anything. */
  { readonly clocks: Readonly<Record<string, number>> } | { readonly isGone: true }

const subject = 'realtime.nodes'
const beatsWithin = 4

/** Keeps presence of other nodes true: finds what was missed, and nodes that are gone. */
export function createPeers<M extends Member>({ bus, nodeSeconds, nowMs, publish, rooms }: PeersDeps<M>) {
  const heardAtMs = new Map<string, number>()
  const say = (message: () => NodeMessage): void => bus.publish(subject, () => Buffer.from(JSON.stringify(message())))
  const clocks = (): NodeMessage => {
    const tracking = [...rooms()].filter(({ room }) => room.presence.clock > 0)
    return { clocks: Object.fromEntries(tracking.map((each) => [each.subject, each.room.presence.clock])) }
  }
  const forget = (node: string): void => {
    heardAtMs.delete(node)
    for (const { room } of rooms()) room.forget(node)
  }
  const compare = (node: string, said: Readonly<Record<string, number>>): void => {
    for (const { room, subject: ofRoom } of rooms()) {
      const clock = said[ofRoom] ?? 0
      if (room.presence.remote.clockOf(node) === clock) continue
      // A node without members in a room does not listen to it any more.
      if (clock === 0) room.forget(node)
      else publish(ofRoom, { kind: 'ask', node })
    }
  }
  const unsubscribe = bus.subscribe(subject, ({ from, bytes }) => {
    const message = JSON.parse(bytes.toString()) as NodeMessage
    if ('isGone' in message) return forget(from)
    heardAtMs.set(from, nowMs())
    compare(from, message.clocks)
  })
  const unhear = onEnded(bus, forget)
  const unlisten = bus.onMissed(() => {
    say(clocks)
    for (const { subject: ofRoom } of rooms()) publish(ofRoom, { kind: 'ask', node: null })
  })
  const beat = setInterval(
    () => {
      say(clocks)
      const longAgo = nowMs() - nodeSeconds * 1000
      for (const [node, atMs] of heardAtMs) if (atMs < longAgo) forget(node)
    },
    (nodeSeconds * 1000) / beatsWithin,
  ).unref()
  return {
    heard(node: string): void {
      heardAtMs.set(node, nowMs())
    },
    nodes: (): readonly string[] => [...heardAtMs.keys()],
    close(): void {
      clearInterval(beat)
      say(() => ({ isGone: true }))
      unsubscribe()
      unhear()
      unlisten()
    },
  }
}
