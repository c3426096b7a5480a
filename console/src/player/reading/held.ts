import { createDecoder, type HeldMessage } from '../decode.ts'
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

/** What is known of a recording's times. */
export interface RecordingClock {
  /** When its first message began on the browser's clock, in milliseconds since 1970. */
  readonly begunMs: number
  /** From the browser's clock to the server's. */
  readonly offsetMs: number
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
  /** Undefined until a message is here, and an outline. */
  clock(): RecordingClock | undefined
}

/**
 * Nothing of a recording.
 *
 * @param isFromStart nothing stands before the lines that are shown first
 * @param keeps       the length of the text that may be kept
 */
export function createHeld(isFromStart: boolean, keeps: number): Held {
  const decoder = createDecoder()
  /** What was asked for: a message that no answer had is not there any more. */
  const asked = new Set<Part>()
  let outline: Outline | null = null
  let isWhole = false
  let partOf: PartOf = () => undefined
  /** The tails of the messages that are here. */
  let tailsOf: ReadonlyMap<Part, readonly string[]> = new Map()

  const isHere = (part: Part): boolean => asked.has(part) || (tailsOf.get(part)?.length ?? 0) >= part.messages
  const sort = (): void => {
    const sorted = new Map<Part, string[]>()
    for (const [tail, message] of decoder.messages()) {
      const part = partOf(tail, message)
      const tails = part && sorted.get(part)
      if (tails !== undefined) tails.push(tail)
      else if (part !== undefined) sorted.set(part, [tail])
    }
    tailsOf = sorted
  }
  const laidOut = (recording: Recording): Recording => {
    if (outline === null) return withoutRest(recording, isFromStart)
    sort()
    isWhole = outline.parts.every(isHere)
    return withMissing(recording, outline, isHere, outline.begunMs + decoder.offsetMs())
  }
  const placeOf = ({ atMs }: Standing, { begunMs }: Outline): number => atMs - begunMs - decoder.offsetMs()

  /** Not what was just read, nor what is shown. */
  const makeRoom = async (recording: Recording, read: Stretch, standing: Standing): Promise<Recording> => {
    let over = lengthOf(decoder.messages()) - keeps
    if (outline === null || over <= 0) return recording
    const { parts } = outline
    const atMs = placeOf(standing, outline)
    const shown = standing.windowId && stretchOfMoment(parts, () => false, { windowId: standing.windowId, atMs })
    const stays = [read, ...(shown ? [shown] : [])]
    const given = new Set<string>()
    sort()
    for (const part of parts.toSorted((a, b) => Math.abs(b.fromMs - atMs) - Math.abs(a.fromMs - atMs))) {
      if (over <= 0) break
      if (stays.some(({ fromMs, toMs }) => part.lastFromMs >= fromMs && part.fromMs < toMs)) continue
      asked.delete(part)
      for (const tail of tailsOf.get(part) ?? []) {
        given.add(tail)
        over -= decoder.messages().get(tail)?.length ?? 0
      }
    }
    return decoder.drop(given)
  }

  return {
    async outlined(next) {
      outline = next
      partOf = createPartOf(next)
      return laidOut(await decoder.add(''))
    },
    begun: async (lines) => laidOut(await decoder.add(lines)),
    async take(lines, stretch, standing) {
      const recording = await decoder.add(lines)
      for (const part of outline?.parts ?? [])
        if (part.fromMs >= stretch.fromMs && part.lastFromMs < stretch.toMs) asked.add(part)
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
      const room = keeps - lengthOf(decoder.messages())
      if (outline === null || isWhole || room <= 0) return null
      return stretchAhead(outline.parts, isHere, placeOf(standing, outline), Math.min(mostBytes, room))
    },
    clock: () =>
      outline === null || decoder.messages().size === 0
        ? undefined
        : { begunMs: outline.begunMs, offsetMs: decoder.offsetMs() },
  }
}

const lengthOf = (messages: ReadonlyMap<string, HeldMessage>): number =>
  [...messages.values()].reduce((sum, one) => sum + one.length, 0)

/** Finds the part that a message belongs to. */
type PartOf = (tail: string, message: HeldMessage) => Part | undefined

/** A message's own part is known by its tail; one of several by the time at which the message began. */
function createPartOf({ begunMs, parts }: Outline): PartOf {
  const single = new Map(parts.filter(({ tail }) => tail !== '').map((part) => [part.tail, part]))
  const several = new Map<string, Part[]>()
  for (const part of parts) {
    if (part.tail !== '') continue
    const own = several.get(part.windowId)
    if (own === undefined) several.set(part.windowId, [part])
    else own.push(part)
  }
  const found = new WeakMap<HeldMessage, Part | undefined>()
  return (tail, message) => {
    const own = single.get(tail)
    if (own !== undefined || found.has(message)) return own ?? found.get(message)
    const part = several.get(message.windowId)?.findLast(({ fromMs }) => fromMs <= message.fromMs - begunMs)
    found.set(message, part)
    return part
  }
}
