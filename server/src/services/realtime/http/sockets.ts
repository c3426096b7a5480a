import { getHeapStatistics } from 'node:v8'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Channel } from '../channel/channel.ts'
import type { HandleFrame } from '../channel/handle.ts'
import type { RealtimeSettings } from '../settings.ts'
import { Connection, closeCodes } from '../socket/connection.ts'
import { createRate } from '../socket/rate.ts'
import type { SocketFrames } from '../socket/socket-frames.ts'
import type { ClientFrame } from '../wire/frames.ts'
import type { ReadFrame } from '../wire/read-frame.ts'
import { bytesOf, type OpenedSocket } from './websocket.ts'

/** The dependencies of `createSockets`. */
export interface SocketsDeps {
  readonly settings: RealtimeSettings
  readonly readFrame: ReadFrame
  readonly handle: HandleFrame
  /** Takes a channel off its socket and its room. */
  readonly drop: (channel: Channel) => void
  /** Called when the first socket opens, and when the last one has closed. */
  readonly used: (isUsed: boolean) => void
  /** What keeps the messages of a socket that a request has opened; null where they are not kept. */
  readonly followFrames: (context: RequestContext) => SocketFrames | null
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
  readonly log: { error(details: object, message: string): void }
}

/** The sockets that are open. */
export interface Sockets {
  opened(socket: OpenedSocket): void
  readonly connections: ReadonlySet<Connection<Channel>>
  /** Closes them all with a reason; their clients connect again, and join their channels. */
  closeAll(reason: string): void
  /** As `closeAll`, and looks after no further ones. */
  close(): void
}

const sweepMs = 5000
const watchMs = 200
/** The rate of messages is an average over so many seconds. */
const rateSeconds = 10

/** Looks after sockets: reads their frames, and closes those that are silent or of no use. */
export function createSockets(deps: SocketsDeps): Sockets {
  const { settings, drop, used, nowMs } = deps
  const connections = new Set<Connection<Channel>>()

  const sweep = setInterval(() => {
    const atMs = nowMs()
    for (const connection of connections) {
      const { heardAtMs, withoutChannelSinceMs, channels } = connection
      if (atMs - heardAtMs > settings.idleSeconds * 1000) connection.close(closeCodes.normal, 'No heartbeat')
      else if (channels.size === 0 && atMs - withoutChannelSinceMs > settings.withoutChannelSeconds * 1000)
        connection.close(closeCodes.normal, 'No channel')
    }
  }, sweepMs).unref()

  const watch = setInterval(() => {
    const tooMany = getHeapStatistics().external_memory - settings.buffersBytes
    if (tooMany > 0) cutSlowest(connections, tooMany)
  }, watchMs).unref()

  const closeAll = (reason: string): void => {
    for (const connection of connections) connection.close(closeCodes.goingAway, reason)
  }
  return {
    connections,
    closeAll,
    opened({ socket, transport, version, grant, context }) {
      const rate = createRate(settings.messagesPerSecond * rateSeconds, rateSeconds * 1000, nowMs)
      const { bufferedBytes } = settings
      const frames = deps.followFrames(context)
      const connection = new Connection<Channel>({
        ...{ socket, transport, version, grant, bufferedBytes, rate, nowMs, frames },
      })
      connections.add(connection)
      if (connections.size === 1) used(true)
      socket.on('error', () => socket.terminate())
      socket.on('close', () => {
        connections.delete(connection)
        for (const channel of [...connection.channels.values()]) drop(channel)
        if (connections.size === 0) used(false)
      })
      socket.on('message', (data, isBinary) => {
        const read = deps.readFrame(version, bytesOf(data), isBinary)
        const frame = read instanceof Promise ? read.catch((error: unknown) => unread(deps, connection, error)) : read
        if (frame !== null) connection.receive(frame, (each) => handleGuarded(deps, connection, each))
      })
    },
    close() {
      clearInterval(sweep)
      clearInterval(watch)
      closeAll('The server is going away')
    },
  }
}

/** Ends the sockets for which most waits, until so much less does. */
function cutSlowest(connections: ReadonlySet<Connection<Channel>>, bytes: number): void {
  let left = bytes
  const slow = [...connections].filter(({ waitingBytes }) => waitingBytes > 0)
  for (const connection of slow.sort((one, other) => other.waitingBytes - one.waitingBytes)) {
    if (left <= 0) return
    left -= connection.waitingBytes
    connection.cut()
  }
}

/** More large frames have come than threads read: their client comes again. */
function unread({ log }: SocketsDeps, connection: Connection<Channel>, error: unknown): null {
  log.error({ err: error }, 'realtime: a large frame was not read')
  connection.close(closeCodes.tryAgainLater, 'Too many large messages at a time')
  return null
}

/** A fault of ours ends the channel in which it comes up; its client joins again. */
function handleGuarded(
  { handle, drop, log }: SocketsDeps,
  connection: Connection<Channel>,
  frame: ClientFrame,
): void | Promise<void> {
  const failed = (error: unknown): void => {
    const { topic, event } = frame
    log.error({ err: error, topic, event }, 'realtime: a frame failed')
    const channel = connection.channels.get(topic)
    const joinRef = channel?.joinRef ?? frame.joinRef
    connection.push({ joinRef, ref: null, topic, event: 'phx_error', payload: {} })
    if (channel !== undefined) drop(channel)
  }
  try {
    return handle(connection, frame)?.catch(failed)
  } catch (error) {
    return failed(error)
  }
}
