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

/** Where recordings are kept; given by the replay room. */
export interface RecordingsPort {
  /** One JSONEachRow line, no newline in it; null when nothing of the message can be kept. */
  toLine(message: SnapshotMessage, context: SnapshotContext): string | null
  /**
   * Stores blocks of such lines, durably; stored again they are the same lines.
   *
   * @param options `onlyFitting` leaves out lines that do not fit, which else refuse all others with them
   */
  store(lines: readonly Buffer[], options?: { readonly onlyFitting: boolean }): Promise<void>
}
