import { Replayer } from '@rrweb/replay'
import type { eventWithTime } from '@rrweb/types'
import { fitEvent, pageBefore } from './assets.ts'
import { forbidScripts, hasCanvas, watchBlocked } from './frames.ts'
import type { Stage } from './playback.ts'
import { eventType } from './recording.ts'
import type { Track } from './tracks.ts'

/** A stage in the page, with what is needed to fit it and to draw over it. */
export interface PageStage extends Stage {
  /** Tells the recorded viewport's size, now and whenever it changes. */
  readonly onSize: (listener: (size: { width: number; height: number }) => void) => void
  /** Tells the origins whose pictures, fonts and styles were not loaded, now and whenever there is another. */
  readonly onBlocked: (listener: (origins: readonly string[]) => void) => void
  readonly close: () => void
}

interface Film {
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
 */
export function createPageStage(root: HTMLElement): PageStage {
  const films = new Map<string, Film>()
  const listeners = new Set<(size: { width: number; height: number }) => void>()
  const blocked = new Set<string>()
  const blockedListeners = new Set<(origins: readonly string[]) => void>()
  let seen: Film | null = null
  let running = false

  const filmOf = (track: Track): Film => {
    const known = films.get(track.windowId)
    if (known && feed(known, track)) return known
    known?.replayer.destroy()
    const film = makeFilm(root, track)
    film.replayer.on('resize', (size) => {
      // rrweb's emitter is not typed; this is what it sends with `resize`.
      film.size = size as { width: number; height: number }
      if (film === seen) for (const listener of listeners) listener(film.size)
    })
    watchBlocked(film.replayer, (origin) => {
      if (blocked.has(origin)) return
      blocked.add(origin)
      for (const listener of blockedListeners) listener([...blocked])
    })
    films.set(track.windowId, film)
    return film
  }
  const see = (film: Film) => {
    if (seen === film) return
    if (seen) {
      seen.replayer.pause()
      seen.replayer.wrapper.style.display = 'none'
    }
    seen = film
    film.replayer.wrapper.style.display = ''
    if (film.size) for (const listener of listeners) listener(film.size)
  }

  return {
    show(track, atMs, playing, speed) {
      const film = filmOf(track)
      see(film)
      // Before its first full snapshot a window has nothing to show: the first picture stands in.
      const offset = Math.max(atMs, film.playableMs + 1) - film.originMs
      film.replayer.setConfig({ speed })
      running = playing && atMs < film.endMs
      if (running) film.replayer.play(offset)
      else film.replayer.pause(offset)
    },
    extend(track) {
      const known = films.get(track.windowId)
      return known !== undefined && feed(known, track)
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
      for (const film of films.values()) film.replayer.destroy()
      films.clear()
      listeners.clear()
      blockedListeners.clear()
    },
  }
}

function makeFilm(root: HTMLElement, track: Track): Film {
  const drawsCanvas = hasCanvas(track.events)
  const replayer = new Replayer(playable(track.events, 0), {
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
  replayer.iframe.title = 'The recorded page'
  replayer.iframe.tabIndex = -1
  for (const mouse of replayer.wrapper.querySelectorAll<HTMLElement>('.replayer-mouse')) mouse.style.display = 'none'
  const last = track.events.at(-1)
  return {
    replayer,
    originMs: track.originMs,
    playableMs: track.playableMs,
    drawsCanvas,
    size: null,
    fed: track.events.length,
    lastAt: last?.timestamp ?? 0,
    endMs: track.endMs,
  }
}

/** Gives a film what its window recorded since; false when the film must be made anew. */
function feed(film: Film, track: Track): boolean {
  if (track.originMs !== film.originMs || track.events.length < film.fed) return false
  if (track.events.length === film.fed) return true
  const news = track.events.slice(film.fed)
  if (news.some((event) => event.timestamp < film.lastAt)) return false
  if (!film.drawsCanvas && hasCanvas(news)) return false
  for (const event of playable(track.events, film.fed)) film.replayer.addEvent(event)
  film.fed = track.events.length
  film.lastAt = track.events.at(-1)?.timestamp ?? film.lastAt
  film.endMs = track.endMs
  return true
}

/** rrweb writes `delay` into the events it plays, so it gets copies of its own. Their shape is rrweb's, unread by us. */
function playable(events: Track['events'], from: number): eventWithTime[] {
  let href = pageBefore(events, from)
  return events.slice(from).map((event, index) => {
    if (event.type === eventType.meta) href = pageBefore(events, from + index + 1)
    return { ...fitEvent(event, href) }
  }) as eventWithTime[]
}
