import type { RecordingNews } from '../decode.ts'
import type { Recording, Stretch } from '../recording.ts'
import { createHeld, type Held, type RecordingClock, type Standing } from './held.ts'
import type { Outline } from './outline.ts'

/** So much text of a recording is kept; of a longer one what lies furthest from the playhead is read again when it is sought. */
const keptLength = 64 * 1024 ** 2
/** The first read ahead; each further one may be twice as long, so that what comes next is soon here. */
const firstAheadBytes = 256 * 1024
const mostAheadBytes = 4 * 1024 ** 2

/** What a reader asks of the server. */
export interface ReaderSource {
  /** The lines that are shown first. */
  readonly first: () => Promise<string>
  /** Nothing stands before them. */
  readonly isFromStart: boolean
  readonly outline: () => Promise<Outline>
  /**
   * Lines of the messages that begin in a stretch, in milliseconds after the recording's first message began.
   *
   * @param clock what is known of the recording's times
   */
  readonly read: (stretch: Stretch, clock: RecordingClock | undefined, signal: AbortSignal) => Promise<string>
  /** Lines of what arrived since. */
  readonly news: (news: RecordingNews, signal: AbortSignal) => Promise<string>
}

/** What is here of a recording; `error` says why there is not more. */
export interface ReadingState {
  readonly recording: Recording | null
  readonly error: Error | null
}

/** Reads a recording by the minute: first what is looked at, then what comes next, and the rest while it fits. */
export interface RecordingReader {
  readonly state: () => ReadingState
  readonly subscribe: (changed: () => void) => () => void
  /** Reads until `close`; after a failure from `retry` on. */
  readonly open: () => void
  /** The playback stands there now. Nothing is read ahead before it is known. */
  readonly follow: (standing: Standing) => void
  /** Reads what arrived since the latest that is here, once the first lines are. */
  readonly grow: (signal: AbortSignal) => Promise<void>
  readonly retry: () => void
  readonly close: () => void
}

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/**
 * A reader of one session's recording.
 *
 * @param keeps the length of the text that it keeps
 */
export function createReader(source: ReaderSource, keeps = keptLength): RecordingReader {
  const held = createHeld(source.isFromStart, keeps)
  const { state, subscribe, set } = createWatched<ReadingState>({ recording: null, error: null })
  let isOutlined = false
  let standing: Standing | null = null
  let aheadBytes = firstAheadBytes
  let closing = new AbortController()
  let begun: Promise<unknown> = Promise.resolve()
  let taking: Promise<unknown> = Promise.resolve()
  /** The read that is under way. */
  let current: { readonly isWanted: boolean; readonly abort: AbortController } | null = null

  /** One after another: what is here later has all that was here before. */
  const take = (lines: string, stretch: Stretch | null, standing: Standing | null): Promise<void> => {
    const taken = taking.then(async () => set({ recording: await held.take(lines, stretch, standing) }))
    taking = taken.catch(() => undefined)
    return taken
  }
  const next = (): NextRead | null =>
    standing === null || closing.signal.aborted ? null : nextRead(held, standing, aheadBytes)
  const readOn = async () => {
    if (current !== null || state().error !== null) return
    for (let read = next(); read !== null; read = next()) {
      const abort = new AbortController()
      current = { isWanted: read.isWanted, abort }
      try {
        const lines = await source.read(read.stretch, held.clock(), AbortSignal.any([closing.signal, abort.signal]))
        await take(lines, read.stretch, read.standing)
        if (!read.isWanted) aheadBytes = Math.min(aheadBytes * 2, mostAheadBytes)
      } catch (error) {
        // What is looked at goes before what is read ahead.
        if (!abort.signal.aborted && !closing.signal.aborted) return set({ error: errorOf(error) })
      } finally {
        current = null
      }
    }
  }
  const first = async () => state().recording ?? set({ recording: await held.begun(await source.first()) })
  const outline = async () => {
    const recording = await held.outlined(await source.outline())
    isOutlined = true
    // What was read before is laid out anew; before that there is nothing to show.
    if (state().recording !== null) set({ recording })
  }
  const begin = async () => {
    const { signal } = closing
    try {
      begun = Promise.all([first(), isOutlined || outline()])
      await begun
      await readOn()
    } catch (error) {
      if (!signal.aborted) set({ error: errorOf(error) })
    }
  }

  return {
    state,
    subscribe,
    open() {
      closing = new AbortController()
      void begin()
    },
    follow(place) {
      standing = place
      if (current?.isWanted === false && held.wanted(place, true) !== null) current.abort.abort()
      void readOn()
    },
    async grow(signal) {
      await begun
      if (state().recording === null) return
      const lines = await source.news(held.news(), AbortSignal.any([closing.signal, signal]))
      if (lines !== '') await take(lines, null, standing)
    },
    retry() {
      set({ error: null })
      void begin()
    },
    close: () => closing.abort(),
  }
}

interface NextRead {
  readonly stretch: Stretch
  /** It is looked at, or about to be. */
  readonly isWanted: boolean
  readonly standing: Standing
}

function nextRead(held: Held, standing: Standing, aheadBytes: number): NextRead | null {
  const wanted = held.wanted(standing, false)
  const stretch = wanted ?? held.ahead(standing, aheadBytes)
  return stretch && { stretch, isWanted: wanted !== null, standing }
}

/** A state, and those who are called when it changes. */
function createWatched<State>(begun: State) {
  const watchers = new Set<() => void>()
  let state = begun
  return {
    state: () => state,
    subscribe(changed: () => void) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    set(change: Partial<State>) {
      state = { ...state, ...change }
      for (const changed of watchers) changed()
    },
  }
}
