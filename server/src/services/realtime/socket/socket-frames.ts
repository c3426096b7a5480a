import type { Caller } from '../../../ground/model/caller.ts'
import type { FindSession, FrameCause, FrameFacts, FrameRecord } from '../../../ground/model/frame.ts'
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

/** Keeps what one socket sends and receives, where it is of a recorded session; not more than its rate allows. */
export class SocketFrames {
  private readonly deps: SocketFramesDeps
  private skipped = 0

  constructor(deps: SocketFramesDeps) {
    this.deps = deps
  }

  /** Keeps a message that the client has sent. @returns how those that it leads to name it */
  sent(caller: Caller, facts: FrameFacts): FrameCause | null {
    return this.keep('sent', caller, facts, null)
  }

  /** Whether the caller's session is one that messages are kept of. */
  isRecorded({ authSessionId }: Caller): boolean {
    const { findSession, now } = this.deps
    return (findSession(authSessionId, now())?.sessionId ?? null) !== null
  }

  /** Keeps a message that the client was sent. */
  received(caller: Caller, facts: FrameFacts, cause: FrameCause | null): void {
    this.keep('received', caller, facts, cause)
  }

  private keep(
    direction: FrameRecord['direction'],
    { userId, authSessionId }: Caller,
    facts: FrameFacts,
    cause: FrameCause | null,
  ): FrameCause | null {
    const { connectionId, findSession, rate, record, newId, now } = this.deps
    const at = now()
    const tag = findSession(authSessionId, at)
    if (tag === null || tag.sessionId === null) return null
    if (!rate.take()) {
      this.skipped += 1
      return null
    }
    const id = newId()
    const { skipped } = this
    this.skipped = 0
    record({ ...facts, id, at, direction, connectionId, tag, userId, authSessionId, cause, skipped })
    return { id, at }
  }
}
