import type { FrameCause } from '../../../ground/model/frame.ts'
import type { Channel } from '../channel/channel.ts'
import type { Connection } from '../socket/connection.ts'
import { encodeRaw } from '../wire/encode.ts'
import { type Alike, alikeOf } from './alike.ts'
import type { ForRole } from './part.ts'
import { operationName, renderData } from './payload.ts'

/** Collects the frames of a batch of changes, and sends each socket all of its own at once. */
export interface Sender {
  /** Adds a change: each channel is sent it once, with the numbers of all its bindings. */
  add(part: ForRole): void
  /** Sends them. @returns the connections that something was sent to */
  send(): readonly Connection<Channel>[]
}

/** A frame, and what sockets of recorded sessions keep of it. */
interface Frame {
  readonly bytes: Buffer
  /** The operation and the table. */
  readonly name: string
  readonly cause: FrameCause | null
}

export function createSender(): Sender {
  const frames: Frame[] = []
  /** The places of the frames that channels alike are sent, in that list. */
  const places = new Map<Alike, number[]>()
  return {
    add(part) {
      const { change, cause, listeners, visibleTo } = part
      const name = `${change.operation} ${change.schema}.${change.table}`
      const render = createRender(part)
      const made = new Map<string, number>()
      for (const each of listeners) {
        if (visibleTo !== null && !visibleTo.has(each.claims)) continue
        for (const alike of alikeOf(each)) {
          // One of equal content is made once.
          const place = made.get(alike.key) ?? frames.push({ bytes: render(alike), name, cause }) - 1
          made.set(alike.key, place)
          const known = places.get(alike)
          if (known === undefined) places.set(alike, [place])
          else known.push(place)
        }
      }
    },
    send() {
      const ofConnections = new Map<Connection<Channel>, (readonly number[])[]>()
      for (const [alike, own] of places)
        for (const channel of readersOf(alike)) {
          tell(channel, own, frames)
          const known = ofConnections.get(channel.connection)
          if (known === undefined) ofConnections.set(channel.connection, [own])
          else known.push(own)
        }
      const bytesOf = createTogether(frames)
      for (const [connection, lists] of ofConnections) connection.send(bytesOf(lists))
      return [...ofConnections.keys()]
    },
  }
}

/** Channels that are there yet, and have the caller whose rows were asked about. */
const readersOf = ({ claims, channels }: Alike): readonly Channel[] =>
  channels.filter(({ room, grant }) => room !== null && grant.caller.claimsJson === claims)

function tell(channel: Channel, places: readonly number[], frames: readonly Frame[]): void {
  channel.room?.traffic.sent.add(places.length)
  if (!channel.isRecorded()) return
  for (const place of places) {
    const frame = frames[place]
    if (frame !== undefined) channel.received({ kind: 'change', event: frame.name }, frame.bytes.length, frame.cause)
  }
}

/** Puts frames together as on the wire: those of channels alike once, those of several channels in the order of commits. */
function createTogether(frames: readonly Frame[]) {
  const made = new Map<readonly number[], Buffer>()
  const joined = new Map<string, Buffer>()
  const together = (places: readonly number[]): Buffer =>
    Buffer.concat(places.flatMap((place) => frames[place]?.bytes ?? []))
  return (lists: readonly (readonly number[])[]): Buffer => {
    const [first = []] = lists
    if (lists.length === 1) {
      const bytes = made.get(first) ?? together(first)
      made.set(first, bytes)
      return bytes
    }
    const places = lists.flat().sort((one, other) => one - other)
    const name = places.join()
    const bytes = joined.get(name) ?? together(places)
    joined.set(name, bytes)
    return bytes
  }
}

/** Renders a change for channels; its data is made once for each selection of columns. */
function createRender({ change, committedAt, facts, asked }: ForRole): (alike: Alike) => Buffer {
  const data = new Map<string, string>()
  return ({ topic, version, hasOldChanges, bindings }) => {
    // Bindings of one channel share a message: it holds what any of them has asked for.
    const selected = bindings.some((binding) => binding.selected === null)
      ? null
      : [...new Set(bindings.flatMap((binding) => binding.selected ?? []))].sort()
    const dataKey = JSON.stringify(selected)
    const text = data.get(dataKey) ?? renderData(change, facts, { committedAt, selected, asked })
    data.set(dataKey, text)
    const event = hasOldChanges ? operationName(change.operation) : 'postgres_changes'
    const ids = bindings.map(({ id }) => id)
    const payload = hasOldChanges ? text : `{"ids":${JSON.stringify(ids)},"data":${text}}`
    return encodeRaw(version, { joinRef: null, ref: null, topic, event }, payload).wire
  }
}
