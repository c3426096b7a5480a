import { Replayer } from '@rrweb/replay'
import type { eventWithTime } from '@rrweb/types'
import { fitEvent, pageBefore } from './assets.ts'
import { forbidScripts, hasCanvas } from './frames.ts'
import { eventType, type RecordedEvent } from './recording.ts'
import type { WindowTimeline } from './timeline.ts'

/** What plays one window, and how much of it rrweb has. */
export interface WindowReplay {
  readonly replayer: Replayer
  readonly originMs: number
  readonly playableMs: number
  /** The instant of the session's start, as the events have it. */
  readonly zero: number
  /** Canvases are drawn in it. */
  readonly drawsCanvas: boolean
  size: { width: number; height: number } | null
  /** The events that rrweb has. */
  events: readonly RecordedEvent[]
  endMs: number
}

/**
 * A frame in which a window is played.
 *
 * @param title of the frame
 */
export function createReplay(root: HTMLElement, recorded: WindowTimeline, title: string): WindowReplay {
  const drawsCanvas = hasCanvas(recorded.events)
  const events = settled(recorded.events)
  const replayer = new Replayer(playable(events, 0), {
    root,
    mouseTail: false,
    showWarning: false,
    triggerFocus: false,
    pauseAnimation: true,
    loadTimeout: 300,
    UNSAFE_replayCanvas: drawsCanvas,
  })
  forbidScripts(replayer)
  replayer.wrapper.style.position = 'relative'
  replayer.iframe.title = title
  replayer.iframe.tabIndex = -1
  // A recording does not say which scheme its visitor preferred. Without a scheme of its own the frame's media queries
  // would be answered with the operator's (Media Queries 5, `prefers-color-scheme`).
  replayer.iframe.style.colorScheme = 'light'
  for (const mouse of replayer.wrapper.querySelectorAll<HTMLElement>('.replayer-mouse')) mouse.style.display = 'none'
  return {
    ...{ replayer, drawsCanvas, events, size: null },
    originMs: recorded.originMs,
    playableMs: recorded.playableMs,
    zero: (recorded.events[0]?.timestamp ?? 0) - recorded.originMs,
    endMs: recorded.endMs,
  }
}

/** Gives a replay what its window recorded since; false when the replay must be made anew. */
export function feed(replay: WindowReplay, recorded: WindowTimeline): boolean {
  const events = settled(recorded.events)
  // What came late stands between others, which nothing that is drawn can be taken back for.
  const goesOn = recorded.originMs === replay.originMs && replay.events.every((event, index) => event === events[index])
  if (!goesOn) return false
  const from = replay.events.length
  if (!replay.drawsCanvas && hasCanvas(events.slice(from))) return false
  // `addEvent` hands them over only after the current task, when the picture may have been moved past them: rrweb then
  // draws them, and all that follows, on a copy that is not shown.
  for (const event of playable(events, from)) replay.replayer.service.send({ type: 'ADD_EVENT', payload: { event } })
  replay.events = events
  replay.endMs = recorded.endMs
  return true
}

/** The events without a last page that is not drawn whole yet: what rrweb seeks, it begins at the last page before it. */
function settled(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const last = events.findLastIndex(({ type }) => type === eventType.meta || isDrawn(type))
  // rrweb cannot start from fewer than two events.
  return last > 1 && events[last]?.type === eventType.meta ? events.slice(0, last) : events
}

const isDrawn = (type: number): boolean => type === eventType.fullSnapshot || type === eventType.incremental

/**
 * Copies for rrweb, which writes `delay` into the events that it plays. Their shape is rrweb's, unread by us. A page begins
 * when it is there whole: large ones take a while to be written down, and nothing could be shown until then.
 */
function playable(events: readonly RecordedEvent[], from: number): eventWithTime[] {
  let href = pageBefore(events, from)
  return events.slice(from).map((event, offset) => {
    const index = from + offset
    if (event.type !== eventType.meta) return { ...fitEvent(event, href) }
    href = pageBefore(events, index + 1)
    // rrweb counts from the first event, and so do we.
    const drawn = index === 0 ? undefined : events.slice(index).find(({ type }) => isDrawn(type))
    return { ...event, timestamp: drawn?.type === eventType.fullSnapshot ? drawn.timestamp : event.timestamp }
  }) as eventWithTime[]
}
