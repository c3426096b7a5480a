import { isObject, textOf } from '../../../ground/json/object.ts'
import type { FrameCause } from '../../../ground/model/frame.ts'
import type { Authorizer, Extension } from '../caller/authorize.ts'
import type { Room } from '../rooms/room.ts'
import type { RealtimeSettings } from '../settings.ts'
import type { Connection } from '../socket/connection.ts'
import { createRate, type Rate } from '../socket/rate.ts'
import type { BroadcastPayload, ClientFrame, FrameHead } from '../wire/frames.ts'
import { type Channel, topicPrefix } from './channel.ts'
import type { Join } from './join.ts'

/** The dependencies of `createHandler`. */
export interface HandlerDeps {
  readonly settings: RealtimeSettings
  readonly authorizer: Authorizer
  readonly join: Join
  /** Takes a channel off its socket and its room. */
  readonly drop: (channel: Channel) => void
  /** Gives a channel another token. */
  readonly refresh: (channel: Channel, token: string) => void | Promise<void>
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
}

/** What handlers of messages need: the rate of presence is one for all sockets. */
interface Handling extends HandlerDeps {
  readonly presenceRate: Rate
}

type MessageFrame = Extract<ClientFrame, { kind: 'message' }>

/** Handles the frames of a connection. A promise is returned where what follows has to wait. */
export type HandleFrame = (connection: Connection<Channel>, frame: ClientFrame) => void | Promise<void>

/** What clients may say in a channel (realtime §2 to realtime §5). */
export function createHandler(given: HandlerDeps): HandleFrame {
  const deps = { ...given, presenceRate: createRate(given.settings.presencePerSecond, 1000, given.nowMs) }
  return (connection, frame) => {
    const { topic, event } = frame
    const isMessage = frame.kind === 'message'
    if (isMessage && topic === 'phoenix' && event === 'heartbeat') return connection.reply(frame, 'ok', {})
    if (!topic.startsWith(topicPrefix)) return connection.reply(frame, 'error', { reason: 'unmatched topic' })
    if (isMessage && event === 'phx_join') return deps.join(connection, frame, frame)
    const channel = connection.channels.get(topic)
    if (channel === undefined && event === 'phx_leave') return connection.reply(frame, 'ok', {})
    if (channel === undefined) return connection.reply(frame, 'error', { reason: 'unmatched topic' })
    if (!connection.rate.take()) return overLimit(deps, channel, 'Too many messages per second')
    if (frame.kind === 'text broadcast')
      return broadcast(deps, channel, frame, incoming(frame.name, { isJson: true, bytes: frame.payload }, 'relay'))
    if (frame.kind === 'user broadcast')
      return broadcast(deps, channel, frame, incoming(frame.event, frame.payload, 'broadcast'))
    if (frame.kind === 'bytes')
      return broadcast(deps, channel, frame, incoming('', { isJson: false, bytes: frame.bytes }, 'relay'))
    return handleMessage(deps, channel, frame)
  }
}

function handleMessage(deps: Handling, channel: Channel, frame: MessageFrame): void | Promise<void> {
  const { event, payload } = frame
  switch (event) {
    case 'phx_leave':
      // It was said of an earlier channel of the topic, which this one has replaced.
      if (frame.joinRef !== null && frame.joinRef !== channel.joinRef) return undefined
      channel.connection.reply({ ...frame, joinRef: channel.joinRef }, 'ok', {})
      channel.push('phx_close', {})
      return deps.drop(channel)
    case 'access_token':
      return typeof payload.access_token === 'string' ? deps.refresh(channel, payload.access_token) : undefined
    case 'presence':
      return presence(deps, channel, frame)
    default:
      return undefined
  }
}

/** A broadcast as it came in: its name and size, and what hands it to the room. */
interface Incoming {
  readonly name: string
  readonly bytes: number
  readonly send: (channel: Channel, cause: FrameCause | null) => void
}

const exceptOf = (channel: Channel): Channel | null => (channel.config.self ? null : channel)

const incoming = (event: string, payload: BroadcastPayload, way: 'broadcast' | 'relay'): Incoming => ({
  name: event,
  bytes: payload.bytes.length,
  send: (channel, cause) => channel.room?.[way]({ event, payload }, exceptOf(channel), cause),
})

/** Sends a broadcast to the room where its sender may; what may not be sent is dropped in silence (realtime §4). */
function broadcast(
  deps: HandlerDeps,
  channel: Channel,
  head: FrameHead,
  { name, bytes, send }: Incoming,
): void | Promise<void> {
  const { ack } = channel.config
  const answer = (status: 'ok' | 'error', response: object): void => {
    if (ack) channel.connection.reply({ ...head, joinRef: channel.joinRef }, status, response)
  }
  if (bytes > deps.settings.payloadBytes) return answer('error', { reason: 'payload_size_exceeded' })
  return whenAllowed(deps, channel, 'broadcast', (isAllowed) => {
    if (!isAllowed) return
    send(channel, channel.sent({ kind: 'broadcast', event: name }, bytes))
    answer('ok', {})
  })
}

/** Calls back with whether the channel's caller may write, at once where that is known. */
function whenAllowed(
  { authorizer }: HandlerDeps,
  channel: Channel,
  extension: Extension,
  then: (isAllowed: boolean) => void,
): void | Promise<void> {
  const { permissions, grant, subTopic } = channel
  const known = permissions.write[extension]
  if (known !== null) return then(known)
  return authorizer.mayWrite(grant.caller, subTopic, extension).then((isAllowed) => {
    permissions.write[extension] = isAllowed
    then(isAllowed)
  })
}

/** Tracks or untracks the channel's presence (realtime §5). */
function presence(deps: Handling, channel: Channel, frame: MessageFrame): void | Promise<void> {
  const { payload = {} } = frame.payload
  const event = textOf(frame.payload.event)?.toLowerCase()
  const head = { ...frame, joinRef: channel.joinRef }
  const refuse = (reason: string): void => channel.connection.reply(head, 'error', { reason })
  if (event !== 'track' && event !== 'untrack') return refuse('Unknown presence event')
  if (!channel.presenceRate.take()) return overLimit(deps, channel, 'Client presence rate limit exceeded')
  if (!isObject(payload)) return refuse('Presence track payload must be a map')
  const bytes = Buffer.byteLength(JSON.stringify(payload))
  if (bytes > deps.settings.payloadBytes) return overLimit(deps, channel, 'Track message size exceeded')
  if (event === 'track' && !deps.presenceRate.take())
    return overLimit(deps, channel, 'Too many presence messages per second')
  return whenAllowed(deps, channel, 'presence', (isAllowed) => {
    const { room } = channel
    if (!isAllowed || room === null)
      return refuse(`You do not have permissions to track presence in this Channel topic: ${channel.subTopic}`)
    if (event === 'track' && isFull(deps.settings, room.presence, channel, bytes))
      return refuse('Too many presences in this channel')
    channel.hasPresence = true
    channel.connection.reply(head, 'ok', {})
    const cause = channel.sent({ kind: 'presence', event }, bytes)
    if (event === 'track') room.track(channel, channel.presenceKey, payload, cause)
    else room.untrack(channel, cause)
  })
}

/** Whether a room has no place for what a member wants to track: its state is sent to all who join. */
const isFull = (
  { presenceKeys, presenceBytes }: RealtimeSettings,
  presence: Room<Channel>['presence'],
  channel: Channel,
  bytes: number,
): boolean =>
  (!presence.has(channel) && presence.size >= presenceKeys) || presence.lengthWithout(channel) + bytes > presenceBytes

/** Tells the client the limit, and closes the channel, which the client does not join again by itself. */
function overLimit({ drop }: HandlerDeps, channel: Channel, message: string): void {
  channel.tell('system', 'error', message)
  channel.push('phx_close', {})
  drop(channel)
}
