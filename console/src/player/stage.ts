import { watchBlocked } from './frames.ts'
import type { Stage } from './playback.ts'
import { eventType } from './recording.ts'
import type { WindowTimeline } from './timeline.ts'
import { createReplay, feed, type WindowReplay } from './window-replay.ts'

/** A stage in the page, with what is needed to fit it and to draw over it. */
export interface PageStage extends Stage {
  /** Tells the recorded viewport's size, now and whenever it changes. */
  readonly onSize: (listener: (size: { width: number; height: number }) => void) => void
  /** Tells the origins whose pictures, fonts and styles were not loaded, now and whenever there is another. */
  readonly onBlocked: (listener: (origins: readonly string[]) => void) => void
  readonly close: () => void
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
  const blocked = collectBlocked()
  let seen: WindowReplay | null = null
  let running = false
  /** It plays, but what was recorded is over: the picture stands, and rrweb draws nothing more by itself. */
  let hasRunOut = false

  const replayOf = (recorded: WindowTimeline): WindowReplay => {
    const known = replays.get(recorded.windowId)
    if (known && feed(known, recorded) !== null) return known
    known?.replayer.destroy()
    const replay = createReplay(root, recorded, title)
    replay.replayer.on('resize', (size) => {
      // rrweb's emitter is not typed; this is what it sends with `resize`.
      replay.size = size as { width: number; height: number }
      if (replay === seen) for (const listener of listeners) listener(replay.size)
    })
    replay.replayer.on('finish', () => {
      if (replay === seen && running) playOn(replay)
    })
    watchBlocked(replay.replayer, blocked.add)
    replays.set(recorded.windowId, replay)
    return replay
  }
  const see = (replay: WindowReplay) => {
    if (seen === replay) return
    if (seen) putAway(seen)
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
      hasRunOut = playing && !running
      if (running) replay.replayer.play(offset)
      // rrweb applies what happened before a moment: at the end, what happened last belongs to the picture.
      else replay.replayer.pause(atMs >= replay.endMs ? offset + 1 : offset)
    },
    extend(recorded) {
      const known = replays.get(recorded.windowId)
      return known !== undefined && growsBehind(known, recorded) && !hasRunOut
    },
    hold() {
      if (running) seen?.replayer.pause()
      running = false
    },
    setSpeed(speed) {
      seen?.replayer.setConfig({ speed })
    },
    reached() {
      if (!seen || !running) return null
      const ms = seen.replayer.getCurrentTime() + seen.originMs
      if (ms < seen.endMs) return ms
      running = false
      hasRunOut = true
      return null
    },
    onSize(listener) {
      listeners.add(listener)
      if (seen?.size) listener(seen.size)
    },
    onBlocked: blocked.onMore,
    close() {
      for (const replay of replays.values()) replay.replayer.destroy()
      replays.clear()
      listeners.clear()
      blocked.close()
    },
  }
}

function putAway({ replayer }: WindowReplay): void {
  replayer.pause()
  replayer.wrapper.style.display = 'none'
}

/** rrweb ends a playback some time after its last event was drawn, also one that was begun anew meanwhile. */
function playOn({ replayer, originMs, endMs }: WindowReplay): void {
  const offset = replayer.getCurrentTime()
  if (offset + originMs < endMs) replayer.play(offset)
}

/** Origins that the policy of the console's page kept the recorded pages from. */
function collectBlocked() {
  const origins = new Set<string>()
  const listeners = new Set<(origins: readonly string[]) => void>()
  return {
    add(origin: string): void {
      if (origins.has(origin)) return
      origins.add(origin)
      for (const listener of listeners) listener([...origins])
    },
    onMore(listener: (origins: readonly string[]) => void): void {
      listeners.add(listener)
    },
    close: () => listeners.clear(),
  }
}

/**
 * Gives a replay what its window has more of, and answers whether the picture stays right: rrweb draws what comes as its time
 * comes, and not what lies between the last page and the picture.
 */
function growsBehind(replay: WindowReplay, recorded: WindowTimeline): boolean {
  const drawnAt = replay.replayer.getCurrentTime() + replay.originMs + replay.zero
  const news = feed(replay, recorded)
  if (news === null) return false
  const page = recorded.events.findLast(
    ({ type, timestamp }) => type === eventType.fullSnapshot && timestamp <= drawnAt,
  )
  return news.every(({ timestamp }) => timestamp >= drawnAt || (page !== undefined && timestamp < page.timestamp))
}
