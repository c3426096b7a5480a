import type { Channel } from '../channel/channel.ts'
import type { Connection } from '../socket/connection.ts'
import { encodeRaw } from '../wire/encode.ts'
import { framed } from '../wire/framing.ts'
import type { ForRole } from './part.ts'
import { operationName, renderData } from './payload.ts'
import { claimsOf, type Subscription } from './registry.ts'

/** Collects the frames of a batch of changes, and sends each socket all of its own at once. */
export interface Sender {
  /** Adds a change: each channel is sent it once, with the numbers of all its bindings. */
  add(part: ForRole): void
  /** Sends them. @returns the connections that something was sent to */
  send(): readonly Connection<Channel>[]
}

export function createSender(): Sender {
  const frames: Buffer[] = []
  /** The places of each socket's frames in that list. */
  const places = new Map<Connection<Channel>, number[]>()
  return {
    add(part) {
      const { change, cause } = part
      const name = `${change.operation} ${change.schema}.${change.table}`
      const numberFor = numberFrames(part, frames)
      for (const [channel, subscriptions] of readersOf(part)) {
        const known = places.get(channel.connection)
        const place = numberFor(channel, subscriptions)
        if (known === undefined) places.set(channel.connection, [place])
        else known.push(place)
        channel.received('change', name, frames[place]?.length ?? 0, cause)
      }
    },
    send() {
      // Sockets of one user mostly have the same frames: they are put together once.
      const together = new Map<string, Buffer>()
      for (const [connection, own] of places) {
        const name = own.join()
        const bytes = together.get(name) ?? Buffer.concat(own.map((place) => frames[place] ?? Buffer.alloc(0)))
        together.set(name, bytes)
        connection.sendFramed(bytes)
      }
      return [...places.keys()]
    },
  }
}

/** Channels that see the row, with their bindings. One that has left, or has another caller meanwhile, sees nothing. */
function readersOf({ listeners, visibleTo }: ForRole): ReadonlyMap<Channel, readonly Subscription[]> {
  const found = new Map<Channel, Subscription[]>()
  for (const { claims, subscriptions } of listeners) {
    if (visibleTo !== null && !visibleTo.has(claims)) continue
    for (const subscription of subscriptions) {
      const { channel } = subscription
      if (channel.room === null || claimsOf(subscription) !== claims) continue
      const known = found.get(channel)
      if (known === undefined) found.set(channel, [subscription])
      else known.push(subscription)
    }
  }
  return found
}

/** The place in `frames` of a change's frame for a channel; one of equal content is made once. */
function numberFrames({ change, committedAt, facts, asked }: ForRole, frames: Buffer[]) {
  const data = new Map<string, string>()
  const made = new Map<string, number>()
  return ({ topic, version, config }: Channel, subscriptions: readonly Subscription[]): number => {
    const bindings = subscriptions.map(({ binding }) => binding)
    const names = `${config.hasOldChanges} ${bindings.map(({ id }) => id).join()}`
    const frameKey = `${version} ${names} ${topic}`
    const known = made.get(frameKey)
    if (known !== undefined) return known
    // Bindings of one channel share a message: it holds what any of them has asked for.
    const selected = bindings.some((binding) => binding.selected === null)
      ? null
      : [...new Set(bindings.flatMap((binding) => binding.selected ?? []))].sort()
    const dataKey = JSON.stringify(selected)
    const text = data.get(dataKey) ?? renderData(change, facts, { committedAt, selected, asked })
    data.set(dataKey, text)
    const event = config.hasOldChanges ? operationName(change.operation) : 'postgres_changes'
    const ids = bindings.map(({ id }) => id)
    const payload = config.hasOldChanges ? text : `{"ids":${JSON.stringify(ids)},"data":${text}}`
    const place = frames.push(framed(encodeRaw(version, { joinRef: null, ref: null, topic, event }, payload))) - 1
    made.set(frameKey, place)
    return place
  }
}
