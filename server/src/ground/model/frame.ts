import type { SessionTag } from './request.ts'

/** What led to a message: a request, a job's run, or a message that another socket sent; and when. */
export interface FrameCause {
  readonly id: string
  readonly at: Date
}

/** What a message of a channel is called. */
export interface FrameName {
  readonly kind: 'broadcast' | 'presence' | 'change'
  /** A broadcast's name; `track`, `untrack` or `diff`; of a change its operation and table. */
  readonly event: string
}

/** What a message of a socket says; its payload is not kept. */
export interface FrameFacts extends FrameName {
  /** The channel's name. */
  readonly topic: string
  readonly bytes: number
}

/** A message that a socket of a recorded session sent or received. */
export interface FrameRecord extends FrameFacts {
  /** UUIDv7. */
  readonly id: string
  readonly at: Date
  readonly direction: 'sent' | 'received'
  /** The request that opened the socket. */
  readonly connectionId: string
  readonly tag: SessionTag
  readonly userId: string | null
  readonly authSessionId: string | null
  /** Null for what was sent, and where nothing is known to have led to it. */
  readonly cause: FrameCause | null
  /** Messages of this socket before it of which no record was kept, for there were too many. */
  readonly skipped: number
}

/** Finds the recorded session that a socket is of at a moment; `authSessionId` is that of its channel's token. */
export type FindSession = (authSessionId: string | null, at: Date) => SessionTag | null
