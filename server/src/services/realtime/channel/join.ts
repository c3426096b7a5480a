import { setTimeout as delay } from 'node:timers/promises'
import type { JsonObject } from '../../../ground/json/object.ts'
import type { Topic } from '../../../ground/model/topic.ts'
import { type Authorizer, PoliciesNotAsked } from '../caller/authorize.ts'
import { type Grant, isWithin, type ReadToken } from '../caller/token.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { RealtimeSettings } from '../settings.ts'
import { type Connection, closeCodes } from '../socket/connection.ts'
import { createRate, type Rate } from '../socket/rate.ts'
import type { FrameHead } from '../wire/frames.ts'
import { allPermissions, Channel, type Permissions, topicPrefix } from './channel.ts'
import { type JoinPayload, parseJoinPayload } from './join-payload.ts'

/** Row changes for a channel. */
export interface ChangeSubscriptions {
  /** Each request as the client wrote it, with the id by which changes name it. */
  identify(requests: readonly JsonObject[]): readonly JsonObject[]
  /** Subscribes a channel that has joined, and tells it how that went; what it returns ends the subscription. */
  subscribe(channel: Channel): () => void
}

/** Stored broadcasts for a channel. */
export interface Replays {
  /** @throws JoinRefusal where the request for them is not good */
  read(channel: Channel): Promise<(channel: Channel) => void>
}

/** The dependencies of `createJoin`. */
export interface JoinDeps {
  readonly settings: RealtimeSettings
  readonly rooms: Rooms<Channel>
  readonly authorizer: Authorizer
  readonly readToken: ReadToken
  readonly changes: ChangeSubscriptions
  readonly replays: Replays
  readonly nowMs: () => number
  /** Where the processes tell each other of joins, whose rate is one for all. */
  readonly joins: Topic<number>
  readonly now: () => Date
  /** Whether row changes are read at the moment. */
  readonly isStreaming: () => boolean
  readonly newKey: () => string
  /** Called for each channel that has joined. */
  readonly joined: (channel: Channel) => void
  /** Takes a channel off its room. */
  readonly drop: (channel: Channel) => void
  readonly log: { warn(details: object, message: string): void }
}

/** Why a channel is not joined, as its reply says it. */
export class JoinRefusal extends Error {
  /** Whether the socket is closed with it; its client connects again, each time later. */
  readonly closes: boolean

  constructor(message: string, closes = false) {
    super(message)
    this.closes = closes
  }
}

/** What a client says when it joins, and how long its frame was. */
export interface JoinRequest {
  readonly payload: JsonObject
  readonly length: number
}

const noDatabase = 'UnableToConnectToProject: Realtime was unable to connect to the project database'

/** Joins a channel, and answers the frame that asked for it (realtime §3). */
export type Join = (connection: Connection<Channel>, head: FrameHead, request: JoinRequest) => Promise<void>

/** What joins channels. */
export function createJoin(deps: JoinDeps): Join {
  const joins = createRate(deps.settings.joinsPerSecond, 1000, deps.nowMs, deps.joins)
  return async (connection, head, { payload, length }) => {
    const subTopic = head.topic.slice(topicPrefix.length)
    const config = parseJoinPayload(payload, subTopic)
    try {
      checkSize(deps.settings, config, length)
      const channel = await open(deps, joins, connection, { head, subTopic, config })
      const released = standIn(deps, channel)
      const release = released === null ? null : await released
      enter(deps, channel, head)
      release?.()
    } catch (error) {
      if (error instanceof PoliciesNotAsked) deps.log.warn({ err: error }, `realtime: a join failed: ${error.message}`)
      else if (!(error instanceof JoinRefusal)) throw error
      const reason = error instanceof JoinRefusal ? error.message : noDatabase
      connection.reply({ ...head, joinRef: head.joinRef ?? head.ref }, 'error', { reason })
      if (error instanceof JoinRefusal && error.closes) connection.close(closeCodes.normal, 'Too many joins')
    }
  }
}

/**
 * Puts a channel into its room ahead of its answer, after which nothing may be missed: other nodes' broadcasts come to the
 * room by then, and one that is stored after those from before were read, and comes before the channel has joined, is kept.
 *
 * @returns what sends the broadcasts from before, and then those that came meanwhile; null where there is nothing to wait for
 */
function standIn({ rooms, replays }: JoinDeps, channel: Channel): Promise<() => void> | null {
  const { topic, config } = channel
  const room = rooms.join({ topic, isPrivate: config.isPrivate }, channel)
  const reached = rooms.reached(room)
  if (reached === null && config.replay === null) return null
  channel.hold()
  const read = async (): Promise<() => void> => {
    const [replay] = await Promise.all([config.replay === null ? null : replays.read(channel), reached])
    return () => {
      replay?.(channel)
      channel.release()
    }
  }
  return read().catch((error: unknown) => {
    rooms.leave(room, channel)
    throw error
  })
}

/** A channel keeps what it was joined with, and asks the database about each of its row changes. @throws JoinRefusal */
function checkSize({ joinBytes, changesPerChannel }: RealtimeSettings, { changes }: JoinPayload, length: number): void {
  if (length > joinBytes) throw new JoinRefusal(`JoinTooLarge: A join has at most ${joinBytes} bytes`)
  if (changes.length > changesPerChannel)
    throw new JoinRefusal(`TooManyChanges: A channel asks for at most ${changesPerChannel} row changes`)
}

interface Wish {
  readonly head: FrameHead
  readonly subTopic: string
  readonly config: JoinPayload
}

/** Checks the limits, the token and the policies. @throws JoinRefusal */
async function open(
  { settings, authorizer, readToken, nowMs, now, newKey }: JoinDeps,
  joins: Rate,
  connection: Connection<Channel>,
  { head, subTopic, config }: Wish,
): Promise<Channel> {
  if (subTopic === '') throw new JoinRefusal('TopicNameRequired: You must provide a topic name')
  if (!joins.take()) throw new JoinRefusal('ClientJoinRateLimitReached: Too many joins per second', true)
  const { channels } = connection
  if (channels.size >= settings.channelsPerConnection && !channels.has(head.topic))
    throw new JoinRefusal('ChannelRateLimitReached: Too many channels')
  const grant = grantOf(readToken, config.accessToken, connection.grant)
  if (settings.privateOnly && !config.isPrivate)
    throw new JoinRefusal('PrivateOnly: This project only allows private channels')
  if (!isWithin(grant.only, { topic: subTopic, isPrivate: config.isPrivate }))
    throw new JoinRefusal('Unauthorized: The ticket is for another channel')
  const permissions = config.isPrivate ? await readPermissions(authorizer, grant, subTopic) : allPermissions()
  return new Channel({
    connection,
    topic: head.topic,
    joinRef: head.joinRef ?? head.ref,
    config,
    grant,
    permissions,
    presenceKey: config.presenceKey ?? newKey(),
    presenceRate: createRate(settings.presenceCalls, presenceStretchMs, nowMs),
    joinedAt: now(),
  })
}

const presenceStretchMs = 30_000

/** The token of the join; a project's key, or none, leaves the connection's. */
function grantOf(readToken: ReadToken, token: string | null, own: Grant): Grant {
  if (token === null || token.startsWith('sb_')) return own
  const read = readToken(token)
  if (read.kind === 'refused') throw new JoinRefusal(`${read.refusal.code}: ${read.refusal.message}`)
  return read.grant
}

/** What the caller may in a private channel. @throws JoinRefusal where it may read nothing */
async function readPermissions(authorizer: Authorizer, { caller }: Grant, subTopic: string): Promise<Permissions> {
  const read = await authorizer.mayRead(caller, subTopic)
  if (!read.broadcast && !read.presence)
    throw new JoinRefusal(`Unauthorized: You do not have permissions to read from this Channel topic: ${subTopic}`)
  return { read, write: { broadcast: null, presence: null } }
}

/** Puts a channel into its room, answers, and says what comes next: presence, then row changes. */
function enter({ rooms, changes, joined, drop, isStreaming }: JoinDeps, channel: Channel, head: FrameHead): void {
  const { connection, topic, config } = channel
  channel.room = rooms.join({ topic, isPrivate: config.isPrivate }, channel)
  // It has closed meanwhile, and with it all channels that had joined.
  if (!connection.isOpen) {
    drop(channel)
    return
  }
  const before = connection.channels.get(topic)
  if (before !== undefined) {
    before.push('phx_close', {})
    drop(before)
  }
  connection.channels.set(topic, channel)
  const response = { postgres_changes: changes.identify(config.changes) }
  connection.reply({ ...head, joinRef: channel.joinRef }, 'ok', response)
  if (channel.hearsPresence) channel.push('presence_state', channel.room.presence.state(), null)
  if (config.changes.length > 0) channel.unsubscribe = changes.subscribe(channel)
  if (config.replicationReady) void tellWhenReady(channel, isStreaming)
  joined(channel)
}

const readyPollMs = 50
const readyWithinMs = 60_000

/** Tells the channel that what SQL sends reaches it from now on, once that is so (realtime §3). */
async function tellWhenReady(channel: Channel, isStreaming: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isStreaming() && waitedMs < readyWithinMs; waitedMs += readyPollMs)
    await delay(readyPollMs, undefined, { ref: false })
  if (channel.room === null) return
  if (isStreaming()) channel.tell('system', 'ok', 'Replication connection established')
  else channel.tell('system', 'error', 'Replication connection is not established')
}
