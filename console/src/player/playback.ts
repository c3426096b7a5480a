import { idleAt, sceneAt, type Timeline, type WindowTimeline } from './timeline.ts'

/** How fast a recording may be played. */
export const speeds = [0.5, 1, 2, 4, 8, 16] as const

/** A speed of `speeds`. */
export type Speed = (typeof speeds)[number]

/** Where playing stands. */
export interface PlaybackState {
  /** Session time. */
  readonly nowMs: number
  readonly playing: boolean
  readonly speed: Speed
  readonly skipIdle: boolean
  /** The window that is shown. */
  readonly windowId: string | null
}

/** What shows the page: given a window and a moment it draws them. */
export interface Stage {
  /** Shows a window as it was; when playing it goes on by itself from there. */
  show(recorded: WindowTimeline, atMs: number, playing: boolean, speed: number): void
  setSpeed(speed: number): void
  /** Takes in what the window shown has recorded since, the picture staying; false when it must be shown anew. */
  extend(recorded: WindowTimeline): boolean
  /** Session time the picture has really reached, while it plays; null when it stands. */
  reached(): number | null
}

/** The clock of a session: the one place that knows which moment is shown. */
export interface Playback {
  readonly state: () => PlaybackState
  readonly subscribe: (changed: () => void) => () => void
  readonly seek: (ms: number) => void
  readonly play: () => void
  readonly pause: () => void
  readonly setSpeed: (speed: Speed) => void
  readonly setSkipIdle: (skip: boolean) => void
  /** The recording, or more of it. What is shown stays. */
  readonly load: (timeline: Timeline) => void
  /** Hands the picture to a stage until the returned function is called. */
  readonly attach: (stage: Stage) => () => void
  readonly close: () => void
}

interface Frames {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly request: (step: () => void) => number
  readonly cancel: (handle: number) => void
}

const browserFrames: Frames = {
  now: () => performance.now(),
  request: (step) => requestAnimationFrame(step),
  cancel: (handle) => cancelAnimationFrame(handle),
}

/** Idle stretches keep a little at both ends, so that a skip is seen and not a cut. */
const IDLE_LEAD_MS = 800

const nothing: Timeline = { windows: [], scenes: [], idle: [], durationMs: 0 }

/**
 * Makes the clock of one session.
 *
 * @param startMs where it stands at first, in session time
 * @param frames  the browser's frames; given in tests
 */
export function createPlayback(startMs: number, frames: Frames = browserFrames): Playback {
  let timeline = nothing
  let stage: Stage | null = null
  let shown: WindowTimeline | null = null
  let state: PlaybackState = { nowMs: startMs, playing: false, speed: 1, skipIdle: true, windowId: null }
  let handle = 0
  let frameAt = 0
  const watchers = new Set<() => void>()

  const set = (change: Partial<PlaybackState>) => {
    state = { ...state, ...change }
    for (const changed of watchers) changed()
  }
  /** Moves the picture to `ms`; `again` also when the same window goes on being shown. */
  const present = (ms: number, again: boolean) => {
    const recorded = sceneAt(timeline, ms)?.recorded ?? null
    if (recorded !== null && stage !== null) {
      const stays = !again && recorded.windowId === shown?.windowId && (recorded === shown || stage.extend(recorded))
      if (!stays) stage.show(recorded, ms, state.playing, state.speed)
    }
    shown = recorded
    set({ nowMs: ms, windowId: recorded?.windowId ?? null })
  }
  const step = () => {
    const passedMs = (frames.now() - frameAt) * state.speed
    frameAt = frames.now()
    // The picture leads where it plays: what is drawn and what the tracks say must be the same moment.
    const ms = stage?.reached() ?? state.nowMs + passedMs
    const idle = state.skipIdle ? idleAt(timeline, ms) : undefined
    if (ms >= timeline.durationMs) {
      set({ playing: false })
      present(timeline.durationMs, true)
      return
    }
    if (idle && ms > idle.fromMs + IDLE_LEAD_MS && ms < idle.toMs - IDLE_LEAD_MS) {
      present(idle.toMs - IDLE_LEAD_MS, true)
    } else {
      present(ms, false)
    }
    handle = frames.request(step)
  }
  const stop = () => frames.cancel(handle)

  return {
    state: () => state,
    subscribe(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    seek(ms) {
      present(Math.min(Math.max(0, ms), timeline.durationMs || ms), true)
      frameAt = frames.now()
    },
    play() {
      if (state.playing || timeline.scenes.length === 0) return
      set({ playing: true })
      frameAt = frames.now()
      present(state.nowMs >= timeline.durationMs - 1 ? 0 : state.nowMs, true)
      handle = frames.request(step)
    },
    pause() {
      if (!state.playing) return
      stop()
      set({ playing: false })
      present(state.nowMs, true)
    },
    setSpeed(speed) {
      set({ speed })
      stage?.setSpeed(speed)
    },
    setSkipIdle(skipIdle) {
      set({ skipIdle })
    },
    load(next) {
      timeline = next
      // A link's moment may lie behind the end. What the length is, is known with the first scene.
      const ms = timeline.scenes.length > 0 ? Math.min(state.nowMs, timeline.durationMs) : state.nowMs
      present(ms, false)
    },
    attach(next) {
      stage = next
      shown = null
      present(state.nowMs, true)
      return () => {
        if (stage === next) stage = null
        shown = null
      }
    },
    close() {
      stop()
      state = { ...state, playing: false }
      watchers.clear()
    },
  }
}
