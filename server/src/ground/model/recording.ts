import type { ErrorLine, SessionSign } from './session.ts'

/** An rrweb event, as far as keeping it needs to know it. */
export interface RecordedEvent {
  readonly type: number
  /** Milliseconds since 1970 on the browser's clock. */
  readonly timestamp: number
  /** A text where the whole of it is compressed. */
  readonly data: unknown
}

/** A recording's events found in the bytes that hold them. */
export interface ScannedEvents {
  /** The list's JSON text, as it was sent. */
  readonly text: Buffer
  /** Where it ends in the bytes that were read. */
  readonly end: number
  /** Its events, each with as much of its data as a summary needs. */
  readonly events: readonly RecordedEvent[]
}

/** One `$snapshot` message of a request, checked for what capture itself needs of it. */
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

/** What the request that carried a message says of it. */
export interface SnapshotContext {
  readonly receivedAtMs: number
  readonly userAgent: string | null
}

/** A stored message of a recording: rrweb events as received, some fields perhaps still compressed (`cv`). */
export interface RecordedMessage {
  readonly windowId: string
  /** Add to each event's timestamp for the server's clock. */
  readonly offsetMs: number
  readonly events: readonly unknown[]
}

/** A message as it is read back, with what its reader may ask for later ones by. */
export interface StoredMessage extends RecordedMessage {
  /** The last 12 digits of its id. */
  readonly tail: string
  /** When it arrived, in milliseconds since 1970. */
  readonly receivedMs: number
}

/** The messages of a recording that a reader does not have. */
export interface NewMessages {
  /** Only those that arrived then or later. */
  readonly since: Date
  /** Of these the reader has some already: their `tail`s. */
  readonly known: readonly string[]
}

/**
 * A stretch of a recording, in milliseconds after its first message began: the messages that begin in it. Counted on the
 * browser's clock, it means the same however well that clock is known.
 */
export interface RecordedStretch {
  readonly fromMs: number
  /** The first that does not belong to it. */
  readonly toMs: number
  /** With what the picture at `fromMs` is drawn from: each window's messages since its last whole page. */
  readonly withPage: boolean
}

/** What earlier answers said of a recording's times. */
export interface RecordingClock {
  /** When its first message began on the browser's clock, in milliseconds since 1970. */
  readonly begunMs: number
  /** From the browser's clock to the server's. */
  readonly offsetMs: number
}

/** Which messages of a recording a reader asks for; all of them where nothing is named. */
export interface WantedMessages {
  /** Only those that the reader does not have. */
  readonly news?: NewMessages | undefined
  readonly stretch?: RecordedStretch | undefined
  /** What the reader knows of it is not looked up again. */
  readonly clock?: RecordingClock | undefined
}

/**
 * What is known of a message without its events, or of those of one minute of a window in a recording of very many. Times are in
 * milliseconds after the recording's first message began.
 */
export interface RecordingPart {
  readonly windowId: string
  /** Of a single message the last 12 digits of its id; else empty. */
  readonly tail: string
  readonly messages: number
  readonly fromMs: number
  /** When its last message begins. */
  readonly lastFromMs: number
  readonly toMs: number
  /** Where the person's activity in it begins and ends; null without activity. */
  readonly active: { readonly fromMs: number; readonly toMs: number } | null
  /** It is a single message, which holds a whole page. */
  readonly hasPage: boolean
  /** Of its events' text, as it was sent. */
  readonly bytes: number
}

/** A recording by its messages, or by its minutes, in the order in which they begin. */
export interface RecordingOutline {
  /** When the first message began on the browser's clock, in milliseconds since 1970. */
  readonly begunMs: number
  readonly parts: readonly RecordingPart[]
  /** There are more parts than are listed. */
  readonly isCut: boolean
}

/** What the recordings know of one session. Instants are on the server's clock, corrected by the smallest offset. */
export interface RecordingSummary {
  readonly sessionId: string
  readonly distinctId: string
  readonly startedAt: Date
  readonly endedAt: Date
  /** When the person last did something in the page, at the earliest when it was opened. */
  readonly lastActiveAt: Date
  readonly activeMs: number
  readonly pages: number
  readonly clicks: number
  readonly consoleErrors: number
  /** The first of them. */
  readonly errorLines: readonly ErrorLine[]
  readonly firstUrl: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly device: string | null
  /** Who sent them, by tab and id of the browser. */
  readonly signs: readonly SessionSign[]
}

/**
 * The form of a recording as a file: lines of JSON packed by gzip. The first is a `RecordingFileHead`, then come the timeline's
 * moments, then the messages as they are stored, and last a `RecordingFileEnd`, without which the file is not whole. A
 * release refuses a form that it does not know.
 */
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

/** A moment at which a page was before a visitor. */
export interface PageObservation {
  readonly sessionId: string
  readonly windowId: string
  /** By the browser's clock, in milliseconds since 1970. */
  readonly clientMs: number
  /** Of the viewport, in pixels. */
  readonly width: number
  readonly height: number
}

/** What draws a page as it was at a moment. */
export interface PagePicture {
  readonly sessionId: string
  readonly windowId: string
  readonly width: number
  readonly height: number
  /** The moment by the clock of the messages, in milliseconds since 1970. */
  readonly atMs: number
  /** NDJSON of `StoredMessage`, from a full snapshot of the page up to the moment. */
  readonly messages: string
}
