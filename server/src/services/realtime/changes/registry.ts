import type { Channel } from '../channel/channel.ts'
import type { Binding } from './binding.ts'
import { type LiveChange, operationName } from './payload.ts'

/** A request for changes whose channel has joined. */
export interface Subscription {
  readonly channel: Channel
  readonly binding: Binding
}

/** Subscriptions of callers with the same claims: one question to the database is about all of them. */
export interface Listeners {
  readonly claims: string
  readonly subscriptions: readonly Subscription[]
}

/** Those of one role that ask for a kind of change of a table. */
export interface Audience {
  readonly role: string
  readonly listeners: readonly Listeners[]
  readonly hasConditions: boolean
}

/** A table whose changes are asked for; null stands for any name. */
export interface AskedTable extends Pick<Binding, 'schema' | 'table'> {
  readonly events: Binding['event'][]
  readonly subscriptions: number
  /** Those of them with a filter. */
  readonly filtered: number
}

/** The subscriptions of this process, found by table. */
export interface Registry {
  add(subscription: Subscription): void
  remove(subscription: Subscription): void
  /** Those that ask for changes of a table; the same object until one is added or removed. */
  of(change: Pick<LiveChange, 'schema' | 'table' | 'operation'>): readonly Audience[]
  /** What is asked for by table. */
  tables(): readonly AskedTable[]
  /** All channels with subscriptions. */
  channels(): ReadonlySet<Channel>
}

const keyOf = (schema: string | null, table: string | null): string => JSON.stringify([schema, table])

/** The claims of a subscription's caller. */
const claimsOf = ({ channel }: Subscription): string => channel.grant.caller.claimsJson

export function createRegistry(): Registry {
  const byTable = new Map<string, Set<Subscription>>()
  /** Made when a change asks for them, and again after any subscription has come or gone. */
  const audiences = new Map<string, readonly Audience[]>()
  let count = 0
  return {
    add(subscription) {
      const key = keyOf(subscription.binding.schema, subscription.binding.table)
      const known = byTable.get(key) ?? new Set()
      byTable.set(key, known.add(subscription))
      audiences.clear()
      count += 1
    },
    remove(subscription) {
      const key = keyOf(subscription.binding.schema, subscription.binding.table)
      const known = byTable.get(key)
      if (known?.delete(subscription) !== true) return
      audiences.clear()
      count -= 1
      if (known.size === 0) byTable.delete(key)
    },
    of({ schema, table, operation }) {
      if (count === 0) return []
      const name = JSON.stringify([schema, table, operation])
      const made = audiences.get(name)
      if (made !== undefined) return made
      const keys = [keyOf(schema, table), keyOf(schema, null), keyOf(null, table), keyOf(null, null)]
      const event = operationName(operation)
      const found = audiencesOf(
        keys
          .flatMap((key) => [...(byTable.get(key) ?? [])])
          .filter(({ binding }) => binding.event === '*' || binding.event === event),
      )
      audiences.set(name, found)
      return found
    },
    tables: () => [...byTable.values()].flatMap(tableOf),
    channels: () => new Set([...byTable.values()].flatMap((ofTable) => [...ofTable].map(({ channel }) => channel))),
  }
}

function tableOf(subscriptions: ReadonlySet<Subscription>): AskedTable[] {
  const bindings = [...subscriptions].map(({ binding }) => binding)
  return bindings.slice(0, 1).map(({ schema, table }) => ({
    ...{ schema, table, subscriptions: bindings.length },
    events: [...new Set(bindings.map(({ event }) => event))],
    filtered: bindings.filter(({ conditions }) => conditions.length > 0).length,
  }))
}

function audiencesOf(subscriptions: readonly Subscription[]): readonly Audience[] {
  return [...groupBy(subscriptions, ({ channel }) => channel.grant.caller.role)].map(([role, ofRole]) => ({
    role,
    listeners: [...groupBy(ofRole, claimsOf)].map(([claims, each]) => ({ claims, subscriptions: each })),
    hasConditions: ofRole.some(({ binding }) => binding.conditions.length > 0),
  }))
}

/** Things by a key of theirs, in their order. */
export function groupBy<Each>(all: readonly Each[], key: (each: Each) => string): ReadonlyMap<string, Each[]> {
  const groups = new Map<string, Each[]>()
  for (const each of all) {
    const name = key(each)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [each])
    else group.push(each)
  }
  return groups
}
