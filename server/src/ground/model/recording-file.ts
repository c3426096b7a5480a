/**
 * A recording as a file: lines of JSON packed by gzip. The first is a `RecordingFileHead`, then come the timeline's moments, then
 * the messages as they are stored, and last a `RecordingFileEnd`, without which the file is not whole.
 */

/** The form that this release writes; one that it does not know, it refuses. */
export const recordingFileVersion = 1

/** The first line: which session it is, and what was known of it. */
export interface RecordingFileHead {
  readonly clewRecording: typeof recordingFileVersion
  readonly sessionId: string
  /** ISO 8601. */
  readonly exportedAt: string
  /** Whether values of rows are in the timeline, which not every operator may read. */
  readonly values: boolean
  /** The session's `SessionDetail` without its moments. */
  readonly detail: object
}

/** The line of a moment begins so; the moment, and a closing brace follow. */
export const momentLineStart = '{"moment":'

/** What a line of a message says before its `events`, rrweb's as they were recorded, which stand last. */
export interface MessageLineHead {
  /** The message's id. */
  readonly message: string
  readonly distinctId: string
  /** By the browser's clock, in milliseconds since 1970; null where it did not say. */
  readonly sentAtMs: number | null
  readonly userAgent: string
  readonly windowId: string
  /** The last 12 digits of its id. */
  readonly tail: string
  /** When it arrived, in milliseconds since 1970. */
  readonly receivedMs: number
  /** Add to each event's timestamp for the server's clock. */
  readonly offsetMs: number
}

/** The last line. */
export interface RecordingFileEnd {
  readonly end: { readonly moments: number; readonly messages: number }
}
