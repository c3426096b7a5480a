import type { RowChange } from '../../../ground/model/change.ts'
import type { Channel } from '../channel/channel.ts'
import type { Binding } from './binding.ts'

/** A request for changes whose channel has joined. */
export interface Subscription {
  readonly channel: Channel
  readonly binding: Binding
}

/** The subscriptions of this process, found by table. */
export interface Registry {
  add(subscription: Subscription): void
  remove(subscription: Subscription): void
  /** Those that ask for changes of a table. */
  of(change: Pick<RowChange, 'schema' | 'table'>): readonly Subscription[]
  count(): number
}

const keyOf = (schema: string | null, table: string | null): string => JSON.stringify([schema, table])

export function createRegistry(): Registry {
  const byTable = new Map<string, Set<Subscription>>()
  let count = 0
  return {
    add(subscription) {
      const key = keyOf(subscription.binding.schema, subscription.binding.table)
      const known = byTable.get(key) ?? new Set()
      byTable.set(key, known.add(subscription))
      count += 1
    },
    remove(subscription) {
      const key = keyOf(subscription.binding.schema, subscription.binding.table)
      const known = byTable.get(key)
      if (known?.delete(subscription) !== true) return
      count -= 1
      if (known.size === 0) byTable.delete(key)
    },
    of({ schema, table }) {
      if (count === 0) return []
      const keys = [keyOf(schema, table), keyOf(schema, null), keyOf(null, table), keyOf(null, null)]
      return keys.flatMap((key) => [...(byTable.get(key) ?? [])])
    },
    count: () => count,
  }
}
