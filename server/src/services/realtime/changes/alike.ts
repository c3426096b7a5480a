import type { Channel } from '../channel/channel.ts'
import type { Binding } from './binding.ts'
import type { Listeners } from './registry.ts'

/** Channels of one caller's claims that are sent frames of equal content for a change. */
export interface Alike extends Pick<Channel, 'topic' | 'version'> {
  /** Those of equal keys are sent equal frames for one change, whatever their claims. */
  readonly key: string
  readonly claims: string
  readonly hasOldChanges: boolean
  readonly bindings: readonly Binding[]
  readonly channels: Channel[]
}

/** Listeners are the same objects for all changes of a table, until a subscription comes or goes. */
const known = new WeakMap<Listeners, readonly Alike[]>()

export function alikeOf(listeners: Listeners): readonly Alike[] {
  const before = known.get(listeners)
  if (before !== undefined) return before
  const byChannel = new Map<Channel, Binding[]>()
  for (const { channel, binding } of listeners.subscriptions) {
    const bindings = byChannel.get(channel)
    if (bindings === undefined) byChannel.set(channel, [binding])
    else bindings.push(binding)
  }
  const byKey = new Map<string, Alike>()
  for (const [channel, bindings] of byChannel) {
    const { topic, version, config } = channel
    const { hasOldChanges } = config
    const key = `${version} ${hasOldChanges} ${bindings.map(({ id }) => id).join()} ${topic}`
    const alike = byKey.get(key)
    if (alike === undefined)
      byKey.set(key, { key, claims: listeners.claims, topic, version, hasOldChanges, bindings, channels: [channel] })
    else alike.channels.push(channel)
  }
  const all = [...byKey.values()]
  known.set(listeners, all)
  return all
}
