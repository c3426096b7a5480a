import type { Caller } from '../../../ground/model/caller.ts'
import type { FindSession, FrameCause, FrameName, FrameRecord } from '../../../ground/model/frame.ts'
import type { Rate } from './rate.ts'

/** What keeps the messages of a recorded session's socket. */
export interface SocketFramesDeps {
  /** The request that opened the socket. */
  readonly connectionId: string
  readonly findSession: FindSession
  /** Counts the records of the socket. */
  readonly rate: Rate
  readonly record: (frame: FrameRecord) => void
  readonly newId: () => string
  readonly now: () => Date
}

/** The channel of a message: who its caller is, and its name. */
interface FrameChannel {
  readonly grant: { readonly caller: Caller }
  readonly subTopic: string
}

/** Keeps what one socket sends and receives, where it is of a recorded session; not more than its rate allows. */
export class SocketFrames {
  private readonly deps: SocketFramesDeps
  /** Whether its opening was tied to a session; what its channels' tokens say is another matter. */
  private readonly isTied: boolean
  private skipped = 0

  constructor(deps: SocketFramesDeps) {
    this.deps = deps
    this.isTied = deps.findSession(null, deps.now()) !== null
  }

  /** Keeps a message that the client has sent. @returns how those that it leads to name it */
  sent(channel: FrameChannel, name: FrameName, bytes: number): FrameCause | null {
    return this.keep('sent', channel, name, bytes, null)
  }

  /** Whether the caller's session is one that messages are kept of. */
  isRecorded({ authSessionId }: Caller): boolean {
    const { findSession, now } = this.deps
    return (findSession(authSessionId, now())?.sessionId ?? null) !== null
  }

  /** Keeps a message that the client was sent. */
  received(channel: FrameChannel, name: FrameName, bytes: number, cause: FrameCause | null): void {
    this.keep('received', channel, name, bytes, cause)
  }

  private keep(
    direction: FrameRecord['direction'],
    channel: FrameChannel,
    { kind, event }: FrameName,
    bytes: number,
    cause: FrameCause | null,
  ): FrameCause | null {
    const { userId, authSessionId } = channel.grant.caller
    // Most sockets are asked this for each message that reaches them, and are of no session.
    if (!this.isTied && authSessionId === null) return null
    const { connectionId, findSession, rate, record, newId, now } = this.deps
    const at = now()
    const tag = findSession(authSessionId, at)
    if (tag === null || tag.sessionId === null) return null
    if (!rate.take()) {
      this.skipped += 1
      return null
    }
    const [id, topic] = [newId(), channel.subTopic]
    const { skipped } = this
    this.skipped = 0
    record({ kind, topic, event, bytes, id, at, direction, connectionId, tag, userId, authSessionId, cause, skipped })
    return { id, at }
  }
}
