import type { WebSocket } from 'ws'
import type { Grant } from '../caller/token.ts'
import { encodeMessage, type ServerFrame, type ServerMessage } from '../wire/encode.ts'
import type { ClientFrame, Version } from '../wire/frames.ts'
import type { Rate } from './rate.ts'

/** What a connection needs besides its socket. */
export interface ConnectionDeps {
  readonly socket: Pick<WebSocket, 'send' | 'close' | 'terminate' | 'pause' | 'resume' | 'bufferedAmount'>
  readonly version: Version
  /** Of the key or token that the socket was opened with. */
  readonly grant: Grant
  readonly bufferedBytes: number
  /** Counts the messages that the client sends. */
  readonly rate: Rate
  readonly nowMs: () => number
}

/** Close codes of RFC 6455 and its registry. */
export const closeCodes = { normal: 1000, goingAway: 1001, tryAgainLater: 1013 } as const

const closeGraceMs = 5000

/** A client's socket with the channels that it has joined. Its frames are handled one after another, in their order. */
export class Connection<Channel> {
  readonly version: Version
  readonly grant: Grant
  readonly rate: Rate
  readonly channels = new Map<string, Channel>()
  /** When the client last sent anything, and since when it has no channel; milliseconds of `nowMs`. */
  heardAtMs: number
  withoutChannelSinceMs: number
  private readonly deps: ConnectionDeps
  private readonly waiting: ClientFrame[] = []
  private isBusy = false
  private isEnding = false

  constructor(deps: ConnectionDeps) {
    this.deps = deps
    this.version = deps.version
    this.grant = deps.grant
    this.rate = deps.rate
    this.heardAtMs = deps.nowMs()
    this.withoutChannelSinceMs = this.heardAtMs
  }

  /** Sends a frame. A client that reads too slowly is told so and closed, so that nothing piles up. */
  send({ bytes, isBinary }: ServerFrame): void {
    if (this.isEnding) return
    const { socket, bufferedBytes } = this.deps
    socket.send(bytes, { binary: isBinary })
    if (socket.bufferedAmount > bufferedBytes) this.close(closeCodes.tryAgainLater, 'The client reads too slowly')
  }

  /** Sends one message of the protocol. */
  push(message: ServerMessage): void {
    this.send(encodeMessage(this.version, message))
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

  /** Handles a frame when those before it are handled; the socket is not read meanwhile. */
  receive(frame: ClientFrame, handle: (frame: ClientFrame) => void | Promise<void>): void {
    this.heardAtMs = this.deps.nowMs()
    if (this.isBusy) {
      this.waiting.push(frame)
      return
    }
    this.run(frame, handle)
  }

  private run(first: ClientFrame, handle: (frame: ClientFrame) => void | Promise<void>): void {
    for (let frame: ClientFrame | undefined = first; frame !== undefined; frame = this.waiting.shift()) {
      const handled = handle(frame)
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
