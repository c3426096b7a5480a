import {
  eventType,
  isObject,
  type RecordedEvent,
  type Recording,
  source,
  sourceOf,
  type WindowRecording,
} from './recording.ts'

/** A stretch of session time, in milliseconds since the session's start. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** One window's recording on the session's time axis. */
export interface WindowTimeline {
  readonly windowId: string
  readonly events: readonly RecordedEvent[]
  /** Session time of the first event; rrweb counts from there. May lie before the session's start. */
  readonly originMs: number
  /** Session time of the first full snapshot: nothing can be shown before. */
  readonly playableMs: number
  /** Session time of the last thing that happened in the page. */
  readonly endMs: number
  /** When it cannot be shown yet; by time. */
  readonly missing: readonly Span[]
  /** When the person did something in what is not here yet. */
  readonly active: readonly Span[]
}

/** Which window the person had in front of them, and when. */
export interface Scene extends Span {
  readonly recorded: WindowTimeline
}

/** A recording laid out on the session's time axis: 0 is the session's start, on the server's clock. */
export interface Timeline {
  readonly windows: readonly WindowTimeline[]
  readonly scenes: readonly Scene[]
  /** Stretches in which the person did nothing. */
  readonly idle: readonly Span[]
  readonly durationMs: number
  /** Session time of the last thing that was recorded. */
  readonly recordedMs: number
}

const IDLE_AFTER_MS = 10_000

const activeSources: ReadonlySet<number> = new Set([
  source.mouseMove,
  source.mouseInteraction,
  source.scroll,
  source.viewportResize,
  source.input,
  source.touchMove,
  source.media,
  source.drag,
])

/**
 * Lays a recording out on the session's time axis.
 *
 * @param recording  decoded, on the server's clock
 * @param startedAt  the session's start on the server's clock, milliseconds since 1970
 * @param durationMs the session's length; the timeline is at least this long
 */
export function layOut(recording: Recording, startedAt: number, durationMs: number): Timeline {
  const windows = recording.windows.flatMap((window) => layOutWindow(window, startedAt))
  const recordedMs = Math.max(...windows.map((recorded) => recorded.endMs), 0)
  const length = Math.max(durationMs, recordedMs)
  const presences = presencesOf(windows, startedAt)
  return {
    windows,
    scenes: findScenes(presences, length),
    idle: findIdle(presences, length),
    durationMs: length,
    recordedMs,
  }
}

function layOutWindow(window: WindowRecording, startedAt: number): readonly WindowTimeline[] {
  const { windowId, events, extent, missing = [], active = [] } = window
  const snapshot = events.find((event) => event.type === eventType.fullSnapshot)
  const [first] = events
  // rrweb cannot start from fewer than two events.
  if (missing.length === 0 && (snapshot === undefined || events.length < 2)) return []
  const inSession = ({ fromMs, toMs }: Span): Span => ({ fromMs: fromMs - startedAt, toMs: toMs - startedAt })
  const beginMs = extent?.fromMs ?? first?.timestamp ?? startedAt
  // Of a window whose beginning is not here its first message is taken to have a page.
  const isBegun = missing[0] === undefined || missing[0].fromMs > beginMs
  return [
    {
      ...{ windowId, events },
      originMs: (first?.timestamp ?? beginMs) - startedAt,
      playableMs: (isBegun && snapshot !== undefined ? snapshot.timestamp : beginMs) - startedAt,
      endMs: Math.max(endOf(events), extent?.toMs ?? 0) - startedAt,
      missing: missing.map(inSession),
      active: active.map(inSession),
    },
  ]
}

/** Markers (types 5 and 6) are written late and backdated: they say nothing about how long a session lasted. */
function endOf(events: readonly RecordedEvent[]): number {
  const last = events.findLast((event) => event.type !== eventType.custom && event.type !== eventType.plugin)
  return last?.timestamp ?? events.at(-1)?.timestamp ?? 0
}

/** True when the event shows that a person is in front of this window. */
export function isPresence(event: RecordedEvent): boolean {
  if (activeSources.has(sourceOf(event))) return true
  return event.type === eventType.custom && isObject(event.data) && event.data.tag === 'window visible'
}

/** When the person was in front of a window. */
interface Presence extends Span {
  readonly recorded: WindowTimeline
}

/** By time: to the event in what is here, by message in what is not. A window that is opened is looked at. */
function presencesOf(windows: readonly WindowTimeline[], startedAt: number): readonly Presence[] {
  const presences: Presence[] = []
  for (const recorded of windows) {
    presences.push({ recorded, fromMs: recorded.playableMs, toMs: recorded.playableMs })
    for (const span of recorded.active) presences.push({ recorded, ...span })
    for (const event of recorded.events) {
      if (!isPresence(event)) continue
      const atMs = event.timestamp - startedAt
      presences.push({ recorded, fromMs: atMs, toMs: atMs })
    }
  }
  return presences.sort((a, b) => a.fromMs - b.fromMs)
}

function findScenes(presences: readonly Presence[], lengthMs: number): readonly Scene[] {
  const scenes: Scene[] = []
  for (const { fromMs, recorded } of presences) {
    const current = scenes.at(-1)
    if (current === undefined) {
      scenes.push({ recorded, fromMs: 0, toMs: lengthMs })
    } else if (current.recorded !== recorded && fromMs >= recorded.playableMs) {
      scenes[scenes.length - 1] = { ...current, toMs: Math.max(fromMs, current.fromMs) }
      scenes.push({ recorded, fromMs: Math.max(fromMs, current.fromMs), toMs: lengthMs })
    }
  }
  return scenes
}

function findIdle(presences: readonly Presence[], lengthMs: number): readonly Span[] {
  if (presences.length === 0) return []
  const idle: Span[] = []
  let lastMs = 0
  for (const { fromMs, toMs } of presences) {
    if (fromMs - lastMs > IDLE_AFTER_MS) idle.push({ fromMs: lastMs, toMs: fromMs })
    lastMs = Math.max(lastMs, toMs)
  }
  return lengthMs - lastMs > IDLE_AFTER_MS ? [...idle, { fromMs: lastMs, toMs: lengthMs }] : idle
}

/** The scene at a moment; the last one after the end, undefined when nothing was recorded. */
export function sceneAt(timeline: Timeline, atMs: number): Scene | undefined {
  return timeline.scenes.findLast((scene) => scene.fromMs <= atMs) ?? timeline.scenes[0]
}

/** The idle stretch a moment lies in. */
export function idleAt(timeline: Timeline, atMs: number): Span | undefined {
  return timeline.idle.find((span) => span.fromMs <= atMs && atMs < span.toMs)
}

/** The stretch in which a window cannot be shown yet that a moment lies in. */
export function missingAt({ missing }: WindowTimeline, atMs: number): Span | undefined {
  return missing.find((span) => span.fromMs <= atMs && atMs < span.toMs)
}
