import type { WebSocket } from 'ws'
import type { LiveTopic } from '../../ground/model/live.ts'
import { type LiveErrorCode, liveError } from './errors.ts'
import { readFrame } from './frame.ts'
import type { Notices } from './notices.ts'
import type { LiveSettings } from './settings.ts'

/** The dependencies of a `Tab`. */
export interface TabDeps {
  readonly socket: Pick<WebSocket, 'send' | 'close' | 'terminate' | 'ping' | 'bufferedAmount' | 'readyState' | 'OPEN'>
  /** The console's session that opened it. */
  readonly sessionId: string
  readonly notices: Pick<Notices, 'watch'>
  readonly settings: LiveSettings
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
}

/** Close codes: of RFC 6455 and its registry, and one of our own for a session that has ended. */
export const closeCodes = { goingAway: 1001, refused: 1008, tryAgainLater: 1013, signedOut: 4401 } as const

/** The rate of messages is an average over so many seconds. */
const rateSeconds = 10
const closeGraceMs = 2000

/** A tab of the console: what it watches, and the notices on their way to it. */
export class Tab {
  readonly sessionId: string
  /** When it last said or answered anything; milliseconds of `nowMs`. */
  heardAtMs: number
  private readonly deps: TabDeps
  private readonly watched = new Map<LiveTopic, () => void>()
  private changed = new Set<LiveTopic>()
  private countedFromMs = 0
  private counted = 0
  private isClosing = false

  constructor(deps: TabDeps) {
    this.deps = deps
    this.sessionId = deps.sessionId
    this.heardAtMs = deps.nowMs()
  }

  /** Takes a message. One that is not understood closes the connection: it is of no console. */
  receive(text: string | null): void {
    const { topicsPerConnection } = this.deps.settings
    this.heard()
    if (this.isClosing) return
    const frame = text === null ? null : readFrame(text, topicsPerConnection)
    if (!this.mayGoOn()) this.refuse('CLEW_LIVE_TOO_MANY_FRAMES')
    else if (frame?.kind === 'watch') this.watch(frame.topics)
    else this.refuse(frame?.code ?? 'CLEW_LIVE_BAD_FRAME')
  }

  /** Notes a sign of life. */
  heard(): void {
    this.heardAtMs = this.deps.nowMs()
  }

  /** Asks for one. */
  ping(): void {
    if (this.deps.socket.readyState === this.deps.socket.OPEN) this.deps.socket.ping()
  }

  /** Watches nothing more. */
  leave(): void {
    for (const end of this.watched.values()) end()
    this.watched.clear()
    this.changed.clear()
  }

  close(code: number, reason: string): void {
    const { socket } = this.deps
    if (this.isClosing) return
    this.isClosing = true
    this.leave()
    socket.close(code, reason)
    // A client that does not answer the close frame is gone.
    setTimeout(() => socket.terminate(), closeGraceMs).unref()
  }

  private refuse(code: LiveErrorCode): void {
    this.close(closeCodes.refused, `${code}: ${liveError.entries[code].message}`)
  }

  private mayGoOn(): boolean {
    const nowMs = this.deps.nowMs()
    if (nowMs - this.countedFromMs >= rateSeconds * 1000) {
      this.countedFromMs = nowMs
      this.counted = 0
    }
    this.counted += 1
    return this.counted <= this.deps.settings.framesPerSecond * rateSeconds
  }

  private watch(topics: ReadonlySet<LiveTopic>): void {
    for (const [topic, end] of this.watched) {
      if (topics.has(topic)) continue
      end()
      this.watched.delete(topic)
      this.changed.delete(topic)
    }
    for (const topic of topics)
      if (!this.watched.has(topic))
        this.watched.set(
          topic,
          this.deps.notices.watch(topic, () => this.notice(topic)),
        )
    // What is new from here on is told: what was read before may miss something.
    this.send({ watching: [...topics] })
  }

  /** Notices of one turn of the event loop are one message. */
  private notice(topic: LiveTopic): void {
    if (this.changed.size === 0) setImmediate(() => this.flush())
    this.changed.add(topic)
  }

  private flush(): void {
    const changed = [...this.changed]
    this.changed = new Set()
    if (changed.length > 0) this.send({ changed })
  }

  private send(message: object): void {
    const { socket, settings } = this.deps
    if (this.isClosing || socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > settings.bufferedBytes) {
      this.isClosing = true
      this.leave()
      // It does not read: a close frame would wait behind all the rest.
      socket.terminate()
    } else socket.send(JSON.stringify(message))
  }
}
