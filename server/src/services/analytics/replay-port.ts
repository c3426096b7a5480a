/** One recording message (`$snapshot`) of a request, checked for what capture itself needs of it. */
export interface SnapshotMessage {
  readonly uuid: string
  readonly distinctId: string
  readonly sessionId: string
  /** The session's id when the client named no window. */
  readonly windowId: string
  readonly sentAtMs: number | null
  /** `$snapshot_data`: rrweb events as received, fields named by `cv` still compressed; scanned, or parsed. */
  readonly events: ScannedEvents | readonly unknown[]
}

export interface SnapshotContext {
  readonly receivedAtMs: number
  readonly userAgent: string | null
}

/** Events that were found in the bytes that say them; what else it holds is the replay room's own. */
export interface ScannedEvents {
  readonly text: Buffer
  /** Where they end in these bytes. */
  readonly end: number
  readonly events: readonly RecordedEvent[]
}

export interface RecordedEvent {
  readonly type: number
  readonly timestamp: number
  readonly data: unknown
}

/** Where recordings are kept; given by the replay room. */
export interface RecordingsPort {
  /** The address of the module that exports `recordings`, whose `scan` and `toLine` work in any thread. */
  readonly module: string
  /** Reads the list of events that begins at `start` without parsing it; null where it must be parsed. */
  scan(bytes: Buffer, start: number, depth: number): ScannedEvents | null
  /** One JSONEachRow line in UTF-8, no newline in it; null when nothing of the message can be kept. */
  toLine(message: SnapshotMessage, context: SnapshotContext): Buffer | null
  /**
   * Stores blocks of such lines, durably; stored again they are the same lines.
   *
   * @param options `onlyFitting` leaves out lines that do not fit, which else refuse all others with them
   */
  store(lines: readonly Buffer[], options?: { readonly onlyFitting: boolean }): Promise<void>
}
