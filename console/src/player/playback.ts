import { browserFrames, type Frames } from './animation-frames.ts'
import { createScrubbing } from './scrubbing.ts'
import { idleAt, missingAt, sceneAt, type Timeline, type WindowTimeline } from './timeline.ts'

/** How fast a recording may be played. */
export const speeds = [0.5, 1, 2, 4, 8, 16] as const

/** A speed of `speeds`. */
export type Speed = (typeof speeds)[number]

/** The state of the playback. */
export interface PlaybackState {
  /** Session time. */
  readonly nowMs: number
  readonly playing: boolean
  /** A picture was drawn. */
  readonly drawn: boolean
  /** What the picture of the moment is drawn from is not here yet: the last one stays. */
  readonly waiting: boolean
  readonly speed: Speed
  readonly skipIdle: boolean
  /** The playback keeps to the end of a recording that grows. */
  readonly following: boolean
  /** The window that is shown. */
  readonly windowId: string | null
  /** The tab that stays shown; null: the tab that the person looked at. */
  readonly pinnedId: string | null
}

/** Draws a window's page as it was at a moment. */
export interface Stage {
  /** Shows a window as it was; when playing it goes on by itself from there. */
  show(recorded: WindowTimeline, atMs: number, playing: boolean, speed: number): void
  setSpeed(speed: number): void
  /** Takes in what the window shown has recorded since, the picture staying; false when it must be shown anew. */
  extend(recorded: WindowTimeline): boolean
  /** What plays stops, and the picture stays. */
  hold(): void
  /** Session time the picture has really reached, while it plays; null when it stands. */
  reached(): number | null
}

/** The clock of a session: the one place that knows which moment is shown. */
export interface Playback {
  readonly state: () => PlaybackState
  /** Session time of the end; 0 before there is a recording. */
  readonly endMs: () => number
  readonly subscribe: (changed: () => void) => () => void
  readonly seek: (ms: number) => void
  /** Seeks along with a pointer: the picture follows as quickly as it can be drawn. */
  readonly scrub: (ms: number) => void
  readonly play: () => void
  readonly pause: () => void
  readonly setSpeed: (speed: Speed) => void
  readonly setSkipIdle: (skip: boolean) => void
  /** Goes to the end and stays there as the recording grows, until something else is done. */
  readonly follow: () => void
  readonly unfollow: () => void
  /** Shows one window throughout; null: the one that the person had before them. */
  readonly pin: (windowId: string | null) => void
  /** The recording, or more of it. What is shown stays. */
  readonly load: (timeline: Timeline) => void
  /** Hands the picture to a stage until the returned function is called. */
  readonly attach: (stage: Stage) => () => void
  readonly close: () => void
}

/** Idle stretches keep a little at both ends, so that a skip is seen and not a cut. */
const IDLE_LEAD_MS = 800

/** What is new is played within so long, faster than it happened where it must be. */
const CATCH_UP_MS = 400
/** Of what lies further back than can be played in that time, only the end is shown. */
const FASTEST = 16

const nothing: Timeline = { windows: [], scenes: [], idle: [], durationMs: 0, recordedMs: 0 }

/** The next frame of a playing recording. */
type Step =
  | { readonly kind: 'plays'; readonly toMs: number }
  | { readonly kind: 'skips'; readonly toMs: number }
  | { readonly kind: 'ends'; readonly toMs: number }

function planStep(timeline: Timeline, ms: number, { skipIdle, following }: PlaybackState): Step {
  const endMs = following ? timeline.recordedMs : timeline.durationMs
  if (ms >= endMs) return { kind: 'ends', toMs: endMs }
  // What is followed is played fast enough as it is.
  const idle = skipIdle && !following ? idleAt(timeline, ms) : undefined
  const skips = idle && ms > idle.fromMs + IDLE_LEAD_MS && ms < idle.toMs - IDLE_LEAD_MS
  return skips ? { kind: 'skips', toMs: idle.toMs - IDLE_LEAD_MS } : { kind: 'plays', toMs: ms }
}

/** How a moment is shown. */
interface Showing {
  readonly playing: boolean
  readonly speed: number
}

/** The picture: the stage that is attached, and the window that it shows. */
function createPicture() {
  let stage: Stage | null = null
  let shown: WindowTimeline | null = null
  let hasDrawn = false
  return {
    /** Moves the picture to `ms`; `again` also when the window on the stage stays. */
    present(recorded: WindowTimeline | null, ms: number, { playing, speed }: Showing, again: boolean) {
      if (recorded !== null && stage !== null) {
        const stays = !again && recorded.windowId === shown?.windowId && (recorded === shown || stage.extend(recorded))
        if (!stays) stage.show(recorded, ms, playing, speed)
        hasDrawn = true
      }
      shown = recorded
    },
    hasDrawn: () => hasDrawn,
    hold: () => stage?.hold(),
    attach(next: Stage) {
      stage = next
      shown = null
    },
    detach(one: Stage) {
      if (stage === one) stage = null
      shown = null
    },
    setSpeed: (speed: number) => stage?.setSpeed(speed),
    reached: () => stage?.reached() ?? null,
  }
}

/** The state of a playback, its picture, and the frames that move both on. */
function createClock(startMs: number, frames: Frames) {
  let timeline = nothing
  let state: PlaybackState = {
    ...{ nowMs: startMs, playing: false, drawn: false, waiting: false, speed: 1, skipIdle: true, following: false },
    ...{ windowId: null, pinnedId: null },
  }
  /** How fast it plays now: while it follows, as fast as it must. */
  let rate = 1
  let handle = 0
  let frameAt = 0
  const picture = createPicture()
  const watchers = new Set<() => void>()

  const set = (change: Partial<PlaybackState>) => {
    state = { ...state, ...change }
    for (const changed of watchers) changed()
  }
  const present = (ms: number, again: boolean) => {
    const pinned = timeline.windows.find(({ windowId }) => windowId === state.pinnedId)
    const recorded = pinned ?? sceneAt(timeline, ms)?.recorded ?? null
    const waiting = recorded !== null && missingAt(recorded, ms) !== undefined
    if (waiting) picture.hold()
    else picture.present(recorded, ms, { playing: state.playing, speed: rate }, again || state.waiting)
    set({ nowMs: ms, windowId: recorded?.windowId ?? null, waiting, drawn: picture.hasDrawn() })
  }
  const advance = () => {
    const passedMs = (frames.now() - frameAt) * rate
    frameAt = frames.now()
    // While it plays, the picture sets the time: what is drawn and what the tracks say must be one moment.
    const step = planStep(timeline, picture.reached() ?? state.nowMs + passedMs, state)
    if (step.kind === 'ends') set({ playing: false })
    present(step.toMs, step.kind !== 'plays')
    // What is waited for is played on when it is loaded.
    if (step.kind !== 'ends' && !state.waiting) handle = frames.request(advance)
  }
  return {
    ...{ picture, watchers, set, present },
    state: () => state,
    timeline: () => timeline,
    setTimeline(next: Timeline) {
      timeline = next
    },
    setRate(next: number) {
      rate = next
    },
    /** Time passes from now on. */
    mark() {
      frameAt = frames.now()
    },
    run(fromMs: number) {
      frames.cancel(handle)
      set({ playing: true })
      frameAt = frames.now()
      present(fromMs, true)
      if (!state.waiting) handle = frames.request(advance)
    },
    stop() {
      frames.cancel(handle)
    },
  }
}

/** Keeps to the end of a recording that grows. */
function createFollowing({ state, timeline, set, present, setRate, run, stop }: ReturnType<typeof createClock>) {
  return {
    /** Plays what is new. */
    catchUp() {
      const { recordedMs, scenes } = timeline()
      const behindMs = recordedMs - state().nowMs
      if (scenes.length === 0 || behindMs <= 0) return
      const jumps = behindMs > CATCH_UP_MS * FASTEST
      setRate(jumps ? 1 : Math.max(1, behindMs / CATCH_UP_MS))
      run(jumps ? recordedMs - CATCH_UP_MS : state().nowMs)
    },
    end() {
      if (!state().following) return
      setRate(state().speed)
      stop()
      set({ following: false, playing: false })
      present(state().nowMs, true)
    },
  }
}

/**
 * The clock of one session.
 *
 * @param startMs where it stands at first, in session time
 * @param frames  the browser's frames; given in tests
 */
export function createPlayback(startMs: number, frames: Frames = browserFrames): Playback {
  const clock = createClock(startMs, frames)
  const { picture, watchers, set, present, state } = clock
  const following = createFollowing(clock)
  const scrubbing = createScrubbing(frames, (ms) => (state().playing ? clock.run(ms) : present(ms, true)))
  const within = (ms: number) => Math.min(Math.max(0, ms), clock.timeline().durationMs || ms)
  return {
    state,
    endMs: () => clock.timeline().durationMs,
    subscribe(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    follow() {
      if (state().following) return
      set({ following: true })
      following.catchUp()
    },
    unfollow: following.end,
    seek(ms) {
      scrubbing.stop()
      following.end()
      present(within(ms), true)
      clock.mark()
    },
    scrub(ms) {
      following.end()
      clock.stop()
      set({ nowMs: within(ms) })
      scrubbing.to(within(ms))
    },
    play() {
      scrubbing.stop()
      following.end()
      const { durationMs, scenes } = clock.timeline()
      if (state().playing || scenes.length === 0) return
      clock.run(state().nowMs >= durationMs - 1 ? 0 : state().nowMs)
    },
    pause() {
      following.end()
      if (!state().playing) return
      clock.stop()
      set({ playing: false })
      present(state().nowMs, true)
    },
    setSpeed(speed) {
      following.end()
      clock.setRate(speed)
      set({ speed })
      picture.setSpeed(speed)
    },
    setSkipIdle: (skipIdle) => set({ skipIdle }),
    pin(pinnedId) {
      set({ pinnedId })
      present(state().nowMs, true)
    },
    load(timeline) {
      clock.setTimeline(timeline)
      const { nowMs, waiting } = state()
      // A link's moment may lie behind the end. What the length is, is known with the first scene.
      present(timeline.scenes.length > 0 ? Math.min(nowMs, timeline.durationMs) : nowMs, false)
      if (waiting && state().playing && !state().waiting) clock.run(state().nowMs)
      if (state().following) following.catchUp()
    },
    attach(stage) {
      picture.attach(stage)
      present(state().nowMs, true)
      return () => picture.detach(stage)
    },
    close() {
      scrubbing.stop()
      clock.stop()
      watchers.clear()
      set({ playing: false })
    },
  }
}
