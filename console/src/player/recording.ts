/**
 * The nouns of a recording, as the player knows them.
 *
 * rrweb's events are kept as they were recorded: `data` is read field by field where it is needed and is otherwise
 * handed on to rrweb unseen.
 *
 * @see https://github.com/rrweb-io/rrweb/blob/main/packages/types/src/index.ts
 */
export interface RecordedEvent {
  readonly type: number
  readonly data: unknown
  /** Milliseconds since 1970. Inside a `Recording` on the server's clock, before that on the browser's. */
  readonly timestamp: number
}

/** One stored message of a recording, as the server hands it out: a line of NDJSON. */
export interface RecordingLine {
  readonly windowId: string
  /** To be added to each timestamp to read it on the server's clock. */
  readonly offsetMs: number
  readonly events: readonly unknown[]
  /** Tells it from others that arrived at the time. */
  readonly tail: string
  /** When it arrived, in milliseconds since 1970. */
  readonly receivedMs: number
}

/** A stretch of time, in milliseconds on the clock of what it is a part of. */
export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** What one browser window recorded, in order, on the server's clock. */
export interface WindowRecording {
  readonly windowId: string
  /** Those that are here. */
  readonly events: readonly RecordedEvent[]
  /** When it cannot be shown yet, as something that the picture is drawn from is not here; by time. */
  readonly missing?: readonly Stretch[]
  /** When the person did something in what is not here. */
  readonly active?: readonly Stretch[]
  /** From its first message to its last, where not all of them are here. */
  readonly extent?: Stretch
}

/** A whole session's recording. */
export interface Recording {
  readonly windows: readonly WindowRecording[]
  /** Events that could not be read and were left out. */
  readonly damaged: number
}

/** rrweb's event types. */
export const eventType = { dom: 0, load: 1, fullSnapshot: 2, incremental: 3, meta: 4, custom: 5, plugin: 6 } as const

/** rrweb's sources of incremental events, those the player looks into. */
export const source = {
  mutation: 0,
  mouseMove: 1,
  mouseInteraction: 2,
  scroll: 3,
  viewportResize: 4,
  input: 5,
  touchMove: 6,
  media: 7,
  styleSheetRule: 8,
  canvas: 9,
  font: 10,
  drag: 12,
  styleDeclaration: 13,
  adoptedStyleSheet: 15,
} as const

/** Narrows an unknown value to an object whose fields may be read. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** The `source` of an incremental event; -1 for any other. */
export function sourceOf(event: RecordedEvent): number {
  if (event.type !== eventType.incremental || !isObject(event.data)) return -1
  return typeof event.data.source === 'number' ? event.data.source : -1
}
