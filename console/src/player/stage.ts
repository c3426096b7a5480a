import { Replayer } from '@rrweb/replay'
import type { eventWithTime } from '@rrweb/types'
import { fitEvent, pageBefore } from './assets.ts'
import { forbidScripts, hasCanvas, watchBlocked } from './frames.ts'
import type { Stage } from './playback.ts'
import { eventType } from './recording.ts'
import type { WindowTimeline } from './timeline.ts'

/** A stage in the page, with what is needed to fit it and to draw over it. */
export interface PageStage extends Stage {
  /** Tells the recorded viewport's size, now and whenever it changes. */
  readonly onSize: (listener: (size: { width: number; height: number }) => void) => void
  /** Tells the origins whose pictures, fonts and styles were not loaded, now and whenever there is another. */
  readonly onBlocked: (listener: (origins: readonly string[]) => void) => void
  readonly close: () => void
}

interface WindowReplay {
  readonly replayer: Replayer
  readonly originMs: number
  readonly playableMs: number
  /** Canvases are drawn in it. */
  readonly drawsCanvas: boolean
  size: { width: number; height: number } | null
  fed: number
  lastAt: number
  endMs: number
}

/**
 * Plays windows with rrweb inside an element, each in a frame of its own, of which one is seen.
 *
 * posthog-js records with a fork of rrweb; once decompressed its events are rrweb's own, and rrweb 2.1 plays them to the
 * letter: at every click of a real recording the page shown is the one the person had before them. The fork's player is
 * published in older versions only. No script runs in rrweb's frame: it is sandboxed without them, and by policy where
 * canvases need that lifted. What it may load is the policy's of the console's page. The pointer is drawn by `overlay.ts`.
 *
 * @param title of the frames
 */
export function createPageStage(root: HTMLElement, title = 'The recorded page'): PageStage {
  const replays = new Map<string, WindowReplay>()
  const listeners = new Set<(size: { width: number; height: number }) => void>()
  const blocked = new Set<string>()
  const blockedListeners = new Set<(origins: readonly string[]) => void>()
  let seen: WindowReplay | null = null
  let running = false

  const replayOf = (recorded: WindowTimeline): WindowReplay => {
    const known = replays.get(recorded.windowId)
    if (known && feed(known, recorded)) return known
    known?.replayer.destroy()
    const replay = createReplay(root, recorded, title)
    replay.replayer.on('resize', (size) => {
      // rrweb's emitter is not typed; this is what it sends with `resize`.
      replay.size = size as { width: number; height: number }
      if (replay === seen) for (const listener of listeners) listener(replay.size)
    })
    watchBlocked(replay.replayer, (origin) => {
      if (blocked.has(origin)) return
      blocked.add(origin)
      for (const listener of blockedListeners) listener([...blocked])
    })
    replays.set(recorded.windowId, replay)
    return replay
  }
  const see = (replay: WindowReplay) => {
    if (seen === replay) return
    if (seen) {
      seen.replayer.pause()
      seen.replayer.wrapper.style.display = 'none'
    }
    seen = replay
    replay.replayer.wrapper.style.display = ''
    if (replay.size) for (const listener of listeners) listener(replay.size)
  }

  return {
    show(recorded, atMs, playing, speed) {
      const replay = replayOf(recorded)
      see(replay)
      // Before its first full snapshot a window has nothing to show: the first picture stands in.
      const offset = Math.max(atMs, replay.playableMs + 1) - replay.originMs
      replay.replayer.setConfig({ speed })
      running = playing && atMs < replay.endMs
      if (running) replay.replayer.play(offset)
      // rrweb applies what happened before a moment: at the end, what happened last belongs to the picture.
      else replay.replayer.pause(atMs >= replay.endMs ? offset + 1 : offset)
    },
    extend(recorded) {
      const known = replays.get(recorded.windowId)
      return known !== undefined && feed(known, recorded)
    },
    setSpeed(speed) {
      seen?.replayer.setConfig({ speed })
    },
    reached() {
      if (!seen || !running) return null
      const ms = seen.replayer.getCurrentTime() + seen.originMs
      if (ms < seen.endMs) return ms
      running = false
      return null
    },
    onSize(listener) {
      listeners.add(listener)
      if (seen?.size) listener(seen.size)
    },
    onBlocked(listener) {
      blockedListeners.add(listener)
    },
    close() {
      for (const replay of replays.values()) replay.replayer.destroy()
      replays.clear()
      listeners.clear()
      blockedListeners.clear()
    },
  }
}

function createReplay(root: HTMLElement, recorded: WindowTimeline, title: string): WindowReplay {
  const drawsCanvas = hasCanvas(recorded.events)
  const replayer = new Replayer(playable(recorded.events, 0), {
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
  const last = recorded.events.at(-1)
  return {
    replayer,
    originMs: recorded.originMs,
    playableMs: recorded.playableMs,
    drawsCanvas,
    size: null,
    fed: recorded.events.length,
    lastAt: last?.timestamp ?? 0,
    endMs: recorded.endMs,
  }
}

/** Gives a replay what its window recorded since; false when the replay must be made anew. */
function feed(replay: WindowReplay, recorded: WindowTimeline): boolean {
  if (recorded.originMs !== replay.originMs || recorded.events.length < replay.fed) return false
  if (recorded.events.length === replay.fed) return true
  const news = recorded.events.slice(replay.fed)
  if (news.some((event) => event.timestamp < replay.lastAt)) return false
  if (!replay.drawsCanvas && hasCanvas(news)) return false
  for (const event of playable(recorded.events, replay.fed)) replay.replayer.addEvent(event)
  replay.fed = recorded.events.length
  replay.lastAt = recorded.events.at(-1)?.timestamp ?? replay.lastAt
  replay.endMs = recorded.endMs
  return true
}

/** rrweb writes `delay` into the events it plays, so it gets copies of its own. Their shape is rrweb's, unread by us. */
function playable(events: WindowTimeline['events'], from: number): eventWithTime[] {
  let href = pageBefore(events, from)
  return events.slice(from).map((event, index) => {
    if (event.type === eventType.meta) href = pageBefore(events, from + index + 1)
    return { ...fitEvent(event, href) }
  }) as eventWithTime[]
}
