import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { Grant } from '../caller/token.ts'
import { encodeMessage, type ServerMessage } from '../wire/encode.ts'
import type { ClientFrame, Version } from '../wire/frames.ts'
import type { Rate } from './rate.ts'
import type { SocketFrames } from './socket-frames.ts'

/** What a connection needs besides its socket. */
export interface ConnectionDeps {
  readonly socket: Pick<
    WebSocket,
    'close' | 'terminate' | 'pause' | 'resume' | 'bufferedAmount' | 'readyState' | 'OPEN'
  >
  /** What the socket writes to. */
  readonly transport: Pick<Writable, 'write'>
  readonly version: Version
  /** Of the key or token that the socket was opened with. */
  readonly grant: Grant
  readonly bufferedBytes: number
  /** Counts the messages that the client sends. */
  readonly rate: Rate
  readonly nowMs: () => number
  /** Keeps its messages; null where they are not kept. */
  readonly frames: SocketFrames | null
}

/** A frame, or one that is being read; null is one that is not well formed. */
type Incoming = ClientFrame | Promise<ClientFrame | null>

/** Close codes of RFC 6455 and its registry. */
export const closeCodes = { normal: 1000, goingAway: 1001, tryAgainLater: 1013 } as const

const closeGraceMs = 5000
/** How long others may wait for a client that reads slowly, and of what may wait for it, the part beyond which they do. */
const patienceMs = 500
const drainedShare = 1 / 4
const drainPollMs = 5

/** A client's socket with the channels that it has joined. Its frames are handled one after another, in their order. */
export class Connection<Channel> {
  readonly version: Version
  readonly grant: Grant
  readonly rate: Rate
  readonly frames: SocketFrames | null
  readonly channels = new Map<string, Channel>()
  /** When the client last sent anything, and since when it has no channel; milliseconds of `nowMs`. */
  heardAtMs: number
  withoutChannelSinceMs: number
  private readonly deps: ConnectionDeps
  private readonly waiting: Incoming[] = []
  private isBusy = false
  private isEnding = false
  /** Others have waited for this client: until it has read everything, they do not again. */
  private isWaitedFor = false

  constructor(deps: ConnectionDeps) {
    this.deps = deps
    this.version = deps.version
    this.grant = deps.grant
    this.rate = deps.rate
    this.frames = deps.frames
    this.heardAtMs = deps.nowMs()
    this.withoutChannelSinceMs = this.heardAtMs
  }

  /**
   * Sends frames that stand together as on the wire: one write, which costs more than what is in it. A client that reads too
   * slowly is told so and closed, so that nothing piles up.
   */
  send(wire: Buffer): void {
    const { socket, transport, bufferedBytes } = this.deps
    if (!this.isOpen) return
    // Not by `socket`, which writes a header and the bytes for each of many that are sent one frame. What waits is little
    // as long as the transport asks for more.
    if (!transport.write(wire) && socket.bufferedAmount > bufferedBytes)
      this.close(closeCodes.tryAgainLater, 'The client reads too slowly')
  }

  get isOpen(): boolean {
    const { socket } = this.deps
    return !this.isEnding && socket.readyState === socket.OPEN
  }

  /** How much waits for the client. A frame that is sent to many waits for each of them, and is in memory once. */
  get waitingBytes(): number {
    return this.deps.socket.bufferedAmount
  }

  /** Ends the socket at once, and what waits for it with it. */
  cut(): void {
    this.isEnding = true
    this.deps.socket.terminate()
  }

  /** Resolves when little waits for the client, or others have waited long enough for it. */
  async drained(): Promise<void> {
    const { socket, bufferedBytes, nowMs } = this.deps
    if (socket.bufferedAmount === 0) this.isWaitedFor = false
    const sinceMs = nowMs()
    while (!this.isEnding && !this.isWaitedFor && socket.bufferedAmount > bufferedBytes * drainedShare)
      if (nowMs() - sinceMs > patienceMs) this.isWaitedFor = true
      else await delay(drainPollMs)
  }

  /** Sends one message of the protocol. */
  push(message: ServerMessage): void {
    this.send(encodeMessage(this.version, message).wire)
  }

  /** Answers a frame. */
  reply(
    { joinRef, ref, topic }: Pick<ServerMessage, 'joinRef' | 'ref' | 'topic'>,
    status: 'ok' | 'error',
    response: object,
  ): void {
    this.push({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })
  }

  close(code: number, reason: string): void {
    if (this.isEnding) return
    this.isEnding = true
    const { socket } = this.deps
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), closeGraceMs).unref()
  }

  /** Handles a frame when it is read and those before it are handled; the socket is not read meanwhile. */
  receive(frame: Incoming, handle: (frame: ClientFrame) => void | Promise<void>): void {
    this.heardAtMs = this.deps.nowMs()
    if (this.isBusy) {
      this.waiting.push(frame)
      return
    }
    this.run(frame, handle)
  }

  private run(first: Incoming, handle: (frame: ClientFrame) => void | Promise<void>): void {
    for (let frame: Incoming | undefined = first; frame !== undefined; frame = this.waiting.shift()) {
      const handled =
        frame instanceof Promise ? frame.then((read) => (read === null ? undefined : handle(read))) : handle(frame)
      if (handled === undefined) continue
      this.isBusy = true
      this.deps.socket.pause()
      void handled.finally(() => {
        this.isBusy = false
        this.deps.socket.resume()
        const next = this.waiting.shift()
        if (next !== undefined) this.run(next, handle)
      })
      return
    }
  }
}
