/** One recording message (`$snapshot`) of a request, checked for what capture itself needs of it. */
export interface SnapshotMessage {
  readonly uuid: string
  readonly distinctId: string
  readonly sessionId: string
  /** The session's id when the client named no window. */
  readonly windowId: string
  readonly sentAtMs: number | null
  /** `$snapshot_data`: rrweb events as received, fields named by `cv` still compressed. */
  readonly events: readonly unknown[]
}

export interface SnapshotContext {
  readonly receivedAtMs: number
  readonly userAgent: string | null
}

/**
 * Renders a message as one JSONEachRow line (no newline in or behind it) of the table `snapshots`; null when it is not
 * a recording that can be kept. Given by the replay room.
 */
export type ToSnapshotLine = (message: SnapshotMessage, context: SnapshotContext) => string | null
