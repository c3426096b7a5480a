import { createDecoder } from '../decode.ts'
import type { Recording, Stretch } from '../recording.ts'
import { endOfMinute, stretchAhead, stretchOfMoment, withMissing, withoutRest } from './coverage.ts'
import type { Outline, Part } from './outline.ts'

/** Where the playback stands. */
export interface Standing {
  /** On the server's clock, in milliseconds since 1970. */
  readonly atMs: number
  readonly windowId: string | null
  readonly playing: boolean
}

/** What is here of a recording. */
export interface Held {
  /** What the whole recording is, which says what is not here. */
  outlined(outline: Outline): Promise<Recording>
  /** Takes in the lines that are shown first. */
  begun(lines: string): Promise<Recording>
  /** Takes in the lines of a stretch; where there is too much, what lies furthest from the playhead is given up. */
  take(lines: string, stretch: Stretch, standing: Standing): Promise<Recording>
  /**
   * What must be read for what is looked at, or is about to be; null: nothing.
   *
   * @param isNow only what is looked at
   */
  wanted(standing: Standing, isNow: boolean): Stretch | null
  /** What comes next, as far as it may be kept; null: nothing. */
  ahead(standing: Standing, mostBytes: number): Stretch | null
}

/**
 * Nothing of a recording.
 *
 * @param isFromStart nothing stands before the lines that are shown first
 * @param keeps       the length of the text that may be kept
 */
export function createHeld(isFromStart: boolean, keeps: number): Held {
  const decoder = createDecoder()
  /** The tails of what was asked for: a message that no answer had is not there any more. */
  const asked = new Set<string>()
  let outline: Outline | null = null
  let isWhole = false

  const isHere = ({ tail }: Part): boolean => asked.has(tail) || decoder.lengths().has(tail)
  const laidOut = (recording: Recording): Recording => {
    if (outline === null) return withoutRest(recording, isFromStart)
    isWhole = outline.parts.every(isHere)
    return withMissing(recording, outline, isHere, outline.begunMs + decoder.offsetMs())
  }
  const length = (): number => [...decoder.lengths().values()].reduce((sum, one) => sum + one, 0)
  const placeOf = ({ atMs }: Standing, { begunMs }: Outline): number => atMs - begunMs - decoder.offsetMs()

  /** Not what was just read, nor what is shown. */
  const makeRoom = async (recording: Recording, read: Stretch, standing: Standing): Promise<Recording> => {
    let over = length() - keeps
    if (outline === null || over <= 0) return recording
    const { parts } = outline
    const atMs = placeOf(standing, outline)
    const shown = standing.windowId && stretchOfMoment(parts, () => false, { windowId: standing.windowId, atMs })
    const stays = [read, ...(shown ? [shown] : [])]
    const given = new Set<string>()
    for (const { fromMs, tail } of parts.toSorted((a, b) => Math.abs(b.fromMs - atMs) - Math.abs(a.fromMs - atMs))) {
      if (over <= 0) break
      if (stays.some((stretch) => fromMs >= stretch.fromMs && fromMs < stretch.toMs)) continue
      given.add(tail)
      over -= decoder.lengths().get(tail) ?? 0
    }
    for (const tail of given) asked.delete(tail)
    return decoder.drop(given)
  }

  return {
    async outlined(next) {
      outline = next
      return laidOut(await decoder.add(''))
    },
    begun: async (lines) => laidOut(await decoder.add(lines)),
    async take(lines, stretch, standing) {
      const recording = await decoder.add(lines)
      for (const { fromMs, tail } of outline?.parts ?? [])
        if (fromMs >= stretch.fromMs && fromMs < stretch.toMs) asked.add(tail)
      return laidOut(await makeRoom(recording, stretch, standing))
    },
    wanted(standing, isNow) {
      const { windowId, playing } = standing
      if (outline === null || windowId === null || isWhole) return null
      const { parts } = outline
      const atMs = placeOf(standing, outline)
      const shown = stretchOfMoment(parts, isHere, { windowId, atMs })
      if (shown !== null || isNow || !playing) return shown
      return stretchOfMoment(parts, isHere, { windowId, atMs: endOfMinute(atMs) })
    },
    ahead(standing, mostBytes) {
      const room = keeps - length()
      if (outline === null || isWhole || room <= 0) return null
      return stretchAhead(outline.parts, isHere, placeOf(standing, outline), Math.min(mostBytes, room))
    },
  }
}
