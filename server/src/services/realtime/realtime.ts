import type { FastifyPluginAsync } from 'fastify'
import { type Bus, topicsOf } from '../../engines/bus/index.ts'
import type { Session, Sql } from '../../engines/postgres/index.ts'
import type { ChangeTransaction } from '../../ground/model/change.ts'
import type { FindSession, FrameRecord } from '../../ground/model/frame.ts'
import type { LiveNotices } from '../../ground/model/live.ts'
import type { RequestContext } from '../../ground/model/request.ts'
import { createAuthorizer } from './caller/authorize.ts'
import { createTickets, type TicketKeys, withTickets } from './caller/tickets.ts'
import { createTokenReader, type TokenReaderDeps } from './caller/token.ts'
import { createAskJson } from './changes/asked-json.ts'
import { createDelivery } from './changes/deliver.ts'
import { createGapWatch } from './changes/gaps.ts'
import { createPatterns } from './changes/patterns.ts'
import { createRegistry } from './changes/registry.ts'
import { createSubscriptions } from './changes/subscribe.ts'
import { createFactsReader } from './changes/table-facts.ts'
import { createFindVisible } from './changes/visible.ts'
import { type Channel, topicPrefix } from './channel/channel.ts'
import { createHandler } from './channel/handle.ts'
import { createJoin } from './channel/join.ts'
import { createTokenWatch } from './channel/tokens.ts'
import type { RealtimeInside } from './console/console.ts'
import { realtimePlugin } from './http/plugin.ts'
import { createBodyReader } from './http/read-body.ts'
import { createSockets } from './http/sockets.ts'
import { createPartitions } from './messages/partitions.ts'
import { createReplays, deliverStored } from './messages/stored.ts'
import { createRooms, type Rooms } from './rooms/rooms.ts'
import type { RealtimeSettings } from './settings.ts'
import { createRate } from './socket/rate.ts'
import { SocketFrames } from './socket/socket-frames.ts'
import { createFrameReader, type FrameReaderDeps } from './wire/read-frame.ts'

/** What realtime takes of the instance. */
export interface RealtimeDeps extends TokenReaderDeps, FrameReaderDeps {
  /** Asks for facts of tables, and for stored broadcasts. */
  readonly sql: Pick<Sql, 'query'>
  /** Runs as the callers' roles. */
  readonly session: Pick<Session, 'run'>
  /** Row changes as they are committed; the stream waits for the promise. What it returns ends the subscription. */
  readonly subscribe: (reader: (transaction: ChangeTransaction) => Promise<void>) => () => void
  /** Calls back when row changes did not reach this node; what it returns ends that. */
  readonly onMissed?: (listener: () => void) => () => void
  /** Joins this node with others. */
  readonly bus: Bus
  /** After so long without a word of a node, presence of its members ends. */
  readonly nodeSeconds: number
  /** Hears of members that come and go. */
  readonly live?: LiveNotices
  /** Whether row changes are read at the moment. */
  readonly isStreaming: () => boolean
  /** Finds the recorded session of a socket that a request has opened; null where it is not to be followed. */
  readonly followSocket: (context: RequestContext) => FindSession | null
  /** Keeps a message of a recorded session's socket. */
  readonly frameSeen: (frame: FrameRecord) => void
  readonly settings: RealtimeSettings
  /** Of tickets, with which operators join channels. */
  readonly tickets: TicketKeys
  readonly newId: () => string
  readonly log: { error(details: object, message: string): void; warn(details: object, message: string): void }
}

/** Channels over sockets. */
export interface Realtime {
  readonly plugin: FastifyPluginAsync
  /** What the console's part shows, and joins with. */
  readonly inside: RealtimeInside
  counts(): Counts
  /** Looks after the partitions of messages from now on; what it returns ends that. */
  begin(): () => void
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
  const changed = (): void => deps.live?.announce('realtime')
  const rooms = createRooms<Channel>({ newRef: newId, bus: deps.bus, nodeSeconds: deps.nodeSeconds, nowMs, changed })
  const authorizer = createAuthorizer(session)
  const tickets = createTickets(deps.tickets, now)
  const readKey = createTokenReader(deps)
  const readToken = withTickets(readKey, tickets)
  const registry = createRegistry()
  const facts = createFactsReader(sql)
  const patterns = createPatterns(session, settings.filterPatternMs)
  const changes = createSubscriptions({ sql, session, facts, patterns, registry, log })
  const findVisible = createFindVisible({ session, nowMs, log })
  const asking = { facts, patterns, findVisible, askJson: createAskJson(session) }
  const delivery = createDelivery({ registry, ...asking, nowMs, log })
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
  const replays = createReplays(sql, log)
  const join = createJoin({
    ...{ settings, rooms, authorizer, readToken, changes, replays, nowMs, now, drop, log },
    ...{ joins: topicsOf(deps.bus)<number>('realtime.joins') },
    ...{ isStreaming: deps.isStreaming, newKey: newId, joined: tokens.begin },
  })
  const handle = createHandler({ settings, authorizer, join, drop, refresh: tokens.refresh, nowMs })
  const partitions = createPartitions({ sql, now, days: settings.messageDays, log })
  const gaps = createGapWatch({ sql, registry, log })
  const read = (transaction: ChangeTransaction): Promise<void> => {
    deliverStored(rooms, transaction)
    return delivery.take(transaction)
  }
  const used = createUse(() => [deps.subscribe(read), gaps.begin()])
  const { opened, connections, closeAll, close } = createSockets({
    ...{ settings, handle, drop, used, nowMs, log },
    readFrame: createFrameReader(deps),
    followFrames: createFollowFrames(deps, nowMs),
  })
  // A client that joins again says what it has, and asks for what it shows.
  const unlisten = deps.onMissed?.(() => closeAll('Changes were missed: join again'))
  const { frameBytes, payloadBytes, batchMessages } = settings
  const handshake = { opened, frameBytes, mayOpen: () => connections.size < settings.connections }
  return {
    inside: {
      ...{ tickets, rooms, registry, settings, newId, handshake, bus: deps.bus },
      connections: () => connections.size,
    },
    plugin: realtimePlugin({
      ...{ ...handshake, readToken: readKey, authorizer, log, payloadBytes, batchMessages },
      readBody: createBodyReader(deps),
      publish: ({ topic, event, payload, isPrivate }, cause) =>
        rooms.broadcast({ topic: topicPrefix + topic, isPrivate }, { event, payload }, cause),
      relay: ({ topic, event, payload, isPrivate }, cause) =>
        rooms.relay({ topic: topicPrefix + topic, isPrivate }, { event, payload }, cause),
    }),
    counts: () => ({
      connections: connections.size,
      channels: [...connections].reduce((sum, { channels }) => sum + channels.size, 0),
      rooms: rooms.count(),
    }),
    begin: partitions.begin,
    async close() {
      unlisten?.()
      rooms.close()
      close()
    },
  }
}

/** What begins when the first socket opens, and ends with the last: without one, the stream need not come to this thread. */
function createUse(begin: () => readonly (() => void)[]): (isUsed: boolean) => void {
  let ends: readonly (() => void)[] = []
  return (isUsed) => {
    for (const end of ends) end()
    ends = isUsed ? begin() : []
  }
}

/** The rate of records is an average over so many seconds. */
const recordSeconds = 10

/** What keeps the messages of sockets, as many as the setting allows. */
function createFollowFrames(
  { followSocket, frameSeen, settings, newId, now }: RealtimeDeps,
  nowMs: () => number,
): (context: RequestContext) => SocketFrames | null {
  const most = settings.recordedMessagesPerSecond * recordSeconds
  return (context) => {
    const findSession = most === 0 ? null : followSocket(context)
    if (findSession === null) return null
    const rate = createRate(most, recordSeconds * 1000, nowMs)
    return new SocketFrames({ connectionId: context.id, findSession, rate, record: frameSeen, newId, now })
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
