import { Replayer } from '@rrweb/replay'
import { EventType, type eventWithTime } from '@rrweb/types'
import { fitEvent, pageBefore } from './assets.ts'
import { forbidScripts, hasCanvas } from './frames.ts'
import { eventType, type RecordedEvent } from './recording.ts'
import type { WindowTimeline } from './timeline.ts'

/** What plays one window, and how much of it rrweb has. */
export interface WindowReplay {
  readonly replayer: Replayer
  /** Session time from which rrweb counts. */
  readonly originMs: number
  playableMs: number
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
  const zero = zeroOf(recorded)
  const origin = Math.min(zero, events[0]?.timestamp ?? zero) - leadMs
  const replayer = new Replayer([originAt(origin), ...playable(events, new Set(events))], {
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
    ...{ replayer, drawsCanvas, events, zero, size: null },
    originMs: origin - zero,
    playableMs: recorded.playableMs,
    endMs: recorded.endMs,
  }
}

/** rrweb counts from its first event. A recording whose beginning is read later would move all that stands. */
const leadMs = 60 * 60_000

/** An event that draws nothing, as the first. */
const originAt = (timestamp: number): eventWithTime => ({
  ...{ type: EventType.Custom, timestamp },
  data: { tag: 'origin', payload: null },
})

/** The instant of the session's start, as the events have it. */
const zeroOf = ({ events, originMs }: WindowTimeline): number => (events[0]?.timestamp ?? 0) - originMs

/** Gives a replay what its window has more of, and answers with it; null when the replay must be made anew. */
export function feed(replay: WindowReplay, recorded: WindowTimeline): readonly RecordedEvent[] | null {
  const events = settled(recorded.events)
  const news = addedTo(replay.events, events)
  const reachesBack = (news?.[0]?.timestamp ?? Number.POSITIVE_INFINITY) <= replay.originMs + replay.zero
  if (news === null || reachesBack || zeroOf(recorded) !== replay.zero) return null
  if (!replay.drawsCanvas && hasCanvas(news)) return null
  if (isPassedOver(replay.replayer, events, news)) return null
  give(replay.replayer, playable(events, new Set(news)))
  replay.events = events
  replay.playableMs = recorded.playableMs
  replay.endMs = recorded.endMs
  return news
}

/** Whether some of the news belongs to the page that is drawn, before what was drawn of it last: rrweb would not go back for it. */
function isPassedOver(
  { service }: Replayer,
  events: readonly RecordedEvent[],
  news: readonly RecordedEvent[],
): boolean {
  const drawnAt = service.state.context.lastPlayedEvent?.timestamp ?? Number.NEGATIVE_INFINITY
  const page = events.findLast(({ type, timestamp }) => type === eventType.fullSnapshot && timestamp <= drawnAt)
  return news.some(({ timestamp }) => timestamp <= drawnAt && timestamp >= (page?.timestamp ?? timestamp))
}

/** What stands in a list besides those of another, in their order; null where one of these is not in it. */
function addedTo(known: readonly RecordedEvent[], events: readonly RecordedEvent[]): readonly RecordedEvent[] | null {
  let place = 0
  const added = events.filter((event) => {
    if (event !== known[place]) return true
    place += 1
    return false
  })
  return place === known.length ? added : null
}

/**
 * Hands events over at once: `addEvent` does it only after the current task, when the picture may have been moved past them. Those
 * that lie before the picture are put into the list that rrweb seeks in, for it would draw them, and all that follows, on a copy
 * that is not shown.
 */
function give({ service, timer }: Replayer, added: readonly eventWithTime[]): void {
  const { baselineTime, events } = service.state.context
  const isPlaying = timer.isActive()
  const ahead = added.filter((event) => isPlaying && event.timestamp >= baselineTime)
  for (const event of added) if (!isPlaying || event.timestamp < baselineTime) events.push(event)
  if (ahead.length < added.length) events.sort((one, other) => one.timestamp - other.timestamp)
  for (const event of ahead) service.send({ type: 'ADD_EVENT', payload: { event } })
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
 *
 * @param wanted those of the events that are copied
 */
function playable(events: readonly RecordedEvent[], wanted: ReadonlySet<RecordedEvent>): eventWithTime[] {
  let href: string | null = null
  return events.flatMap((event, index) => {
    if (event.type === eventType.meta) href = pageBefore(events, index + 1)
    if (!wanted.has(event)) return []
    if (event.type !== eventType.meta) return [{ ...fitEvent(event, href) }]
    const drawn = events.slice(index).find(({ type }) => isDrawn(type))
    return [{ ...event, timestamp: drawn?.type === eventType.fullSnapshot ? drawn.timestamp : event.timestamp }]
  }) as eventWithTime[]
}
