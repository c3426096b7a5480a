import type { FastifyPluginAsync } from 'fastify'
import type { Session, Sql } from '../../engines/postgres/index.ts'
import type { ChangeTransaction } from '../../ground/model/change.ts'
import { createAuthorizer } from './caller/authorize.ts'
import { createTokenReader, type TokenReaderDeps } from './caller/token.ts'
import { createDelivery } from './changes/deliver.ts'
import { createRegistry } from './changes/registry.ts'
import { createSubscriptions } from './changes/subscribe.ts'
import { createFactsReader } from './changes/table-facts.ts'
import { createFindVisible } from './changes/visible.ts'
import { type Channel, topicPrefix } from './channel/channel.ts'
import { createHandler } from './channel/handle.ts'
import { createJoin } from './channel/join.ts'
import { createTokenWatch } from './channel/tokens.ts'
import { realtimePlugin } from './http/plugin.ts'
import { createSockets } from './http/sockets.ts'
import { createReplays, deliverStored } from './messages/stored.ts'
import { createRooms, type Rooms } from './rooms/rooms.ts'
import type { RealtimeSettings } from './settings.ts'

/** What realtime takes of the instance. */
export interface RealtimeDeps extends TokenReaderDeps {
  /** Asks for facts of tables, and for stored broadcasts. */
  readonly sql: Pick<Sql, 'query'>
  /** Runs as the callers' roles. */
  readonly session: Pick<Session, 'run'>
  /** Row changes as they are committed; the stream waits for the promise. What it returns ends the subscription. */
  readonly subscribe: (reader: (transaction: ChangeTransaction) => Promise<void>) => () => void
  readonly settings: RealtimeSettings
  readonly newId: () => string
  readonly log: { error(details: object, message: string): void; warn(details: object, message: string): void }
}

/** Channels over sockets. */
export interface Realtime {
  readonly plugin: FastifyPluginAsync
  counts(): Counts
  /** Closes all sockets, so that their clients connect again. */
  close(): Promise<void>
}

/** What is open at the moment. */
export interface Counts {
  readonly connections: number
  readonly channels: number
  readonly rooms: number
}

/** Channels with broadcast, presence and row changes, for the clients of `/realtime/v1`. */
export function createRealtime(deps: RealtimeDeps): Realtime {
  const { settings, log, now, sql, session, newId } = deps
  const nowMs = (): number => performance.now()
  const rooms = createRooms<Channel>(newId)
  const authorizer = createAuthorizer(session)
  const readToken = createTokenReader(deps)
  const registry = createRegistry()
  const facts = createFactsReader(sql)
  const changes = createSubscriptions({ sql, session, facts, registry, log })
  const delivery = createDelivery({ registry, facts, findVisible: createFindVisible(session), log })
  const drop = createDrop(rooms, nowMs)
  const tokens = createTokenWatch({
    authorizer,
    readToken,
    checkSeconds: settings.tokenCheckSeconds,
    now,
    drop,
    callerChanged: (channel) => {
      channel.unsubscribe?.()
      if (channel.config.changes.length > 0) channel.unsubscribe = changes.subscribe(channel)
    },
  })
  const replays = createReplays(sql)
  const joining = { settings, rooms, authorizer, readToken, changes, replays, nowMs, drop }
  const join = createJoin({ ...joining, newKey: newId, joined: tokens.begin })
  const handle = createHandler({ settings, authorizer, join, drop, refresh: tokens.refresh })
  let unsubscribe: (() => void) | null = null
  const read = (transaction: ChangeTransaction): Promise<void> => {
    deliverStored(rooms, transaction)
    return delivery.take(transaction)
  }
  // While no socket is open, the stream need not come to this thread.
  const used = (isUsed: boolean): void => {
    unsubscribe?.()
    unsubscribe = isUsed ? deps.subscribe(read) : null
  }
  const { opened, connections, close } = createSockets({ settings, handle, drop, used, nowMs, log })
  return {
    plugin: realtimePlugin({
      ...{ readToken, authorizer, opened, log },
      ...{
        frameBytes: settings.frameBytes,
        payloadBytes: settings.payloadBytes,
        batchMessages: settings.batchMessages,
      },
      mayOpen: () => connections.size < settings.connections,
      publish: ({ topic, event, payload, isPrivate }) =>
        rooms.find({ topic: topicPrefix + topic, isPrivate })?.broadcast({ event, payload, meta: null }, null),
    }),
    counts: () => ({
      connections: connections.size,
      channels: [...connections].reduce((sum, { channels }) => sum + channels.size, 0),
      rooms: rooms.count(),
    }),
    close: async () => close(),
  }
}

/** What takes a channel off its socket and its room. */
function createDrop(rooms: Rooms<Channel>, nowMs: () => number): (channel: Channel) => void {
  return (channel) => {
    const { connection, room, topic } = channel
    if (channel.timer !== null) clearTimeout(channel.timer)
    channel.unsubscribe?.()
    channel.unsubscribe = null
    if (room !== null) rooms.leave(room, channel)
    channel.room = null
    if (connection.channels.get(topic) !== channel) return
    connection.channels.delete(topic)
    connection.withoutChannelSinceMs = nowMs()
  }
}
