import { createDecoder, type HeldMessage, type RecordingNews } from '../decode.ts'
import type { Recording, Stretch } from '../recording.ts'
import { endOfMinute, stretchAhead, stretchOfMoment, withMissing, withoutRest } from './coverage.ts'
import type { Outline, Part } from './outline.ts'
import { createPlaces, type Places } from './places.ts'

/** Where the playback stands. */
export interface Standing {
  /** On the server's clock, in milliseconds since 1970. */
  readonly atMs: number
  readonly windowId: string | null
  readonly playing: boolean
  /** More of the recording comes: what lies before the playhead is read when it is sought, and not before. */
  readonly isGrowing: boolean
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
  /**
   * Takes in lines; where there is too much, what lies furthest from the playhead is given up.
   *
   * @param stretch which these are the lines of; null: what is new
   */
  take(lines: string, stretch: Stretch | null, standing: Standing | null): Promise<Recording>
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
  /** What the server is to be asked for, so that it sends what is new. */
  news(): RecordingNews
}

/** Of what may be kept, what is read ahead of a recording that grows: what is new comes so often that it has some to itself. */
const growingShare = 0.75

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
  /** Something was given up: what is read ahead would have something else given up for it, and that read again, without an end. */
  let isFull = false
  let places = createPlaces({ begunMs: 0, parts: [] })
  /** The tails of the messages that are here. */
  let tailsOf: ReadonlyMap<Part, readonly string[]> = new Map()

  const isHere = (part: Part): boolean => asked.has(part) || (tailsOf.get(part)?.length ?? 0) >= part.messages
  const sort = (): void => {
    if (outline !== null) outline = places.grown(outline, decoder.messages())
    tailsOf = sortByPart(decoder.messages(), places)
  }
  const laidOut = (recording: Recording): Recording => {
    sort()
    if (outline === null) return withoutRest(recording, isFromStart)
    isWhole = outline.parts.every(isHere)
    return withMissing(recording, outline, isHere, outline.begunMs + decoder.offsetMs())
  }
  const roomAt = ({ isGrowing }: Standing): number => (isGrowing ? keeps * growingShare : keeps)
  const placeOf = ({ atMs }: Standing, { begunMs }: Outline): number => atMs - begunMs - decoder.offsetMs()

  /** Not what was just read, nor what is shown. */
  const makeRoom = async (recording: Recording, read: Stretch | null, standing: Standing): Promise<Recording> => {
    const length = lengthOf(decoder.messages().values())
    if (length <= keeps) return recording
    sort()
    if (outline === null) return recording
    const inOrder = furthestFirst(outline.parts, placeOf(standing, outline), standing.windowId, read)
    const textOf = (part: Part) => tailsOf.get(part)?.flatMap((tail) => decoder.messages().get(tail) ?? []) ?? []
    const given = firstOf(inOrder, length - roomAt(standing), (part) => lengthOf(textOf(part)))
    isFull = true
    for (const part of given) asked.delete(part)
    return decoder.drop(new Set(given.flatMap((part) => tailsOf.get(part) ?? [])))
  }

  return {
    async outlined(next) {
      outline = next
      places = createPlaces(next)
      return laidOut(await decoder.add(''))
    },
    begun: async (lines) => laidOut(await decoder.add(lines)),
    async take(lines, stretch, standing) {
      const recording = await decoder.add(lines)
      for (const part of outline?.parts ?? [])
        if (stretch !== null && part.fromMs >= stretch.fromMs && part.lastFromMs < stretch.toMs) asked.add(part)
      return laidOut(standing === null ? recording : await makeRoom(recording, stretch, standing))
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
      const room = roomAt(standing) - lengthOf(decoder.messages().values())
      if (outline === null || isWhole || isFull || room <= 0) return null
      return stretchAhead(outline.parts, isHere, {
        ...{ atMs: placeOf(standing, outline), mostBytes: Math.min(mostBytes, room) },
        isOnward: standing.isGrowing,
      })
    },
    clock: () =>
      outline === null || decoder.messages().size === 0
        ? undefined
        : { begunMs: outline.begunMs, offsetMs: decoder.offsetMs() },
    news: decoder.news,
  }
}

const lengthOf = (messages: Iterable<HeldMessage>): number => [...messages].reduce((sum, one) => sum + one.length, 0)

/** The tails of the messages of each part. */
function sortByPart(messages: ReadonlyMap<string, HeldMessage>, places: Places): ReadonlyMap<Part, readonly string[]> {
  const sorted = new Map<Part, string[]>()
  for (const [tail, message] of messages) {
    const part = places.partOf(tail, message)
    const tails = part && sorted.get(part)
    if (tails !== undefined) tails.push(tail)
    else if (part !== undefined) sorted.set(part, [tail])
  }
  return sorted
}

/** The parts that may be given up, what lies furthest from a place first: neither what was just read nor what is shown. */
function furthestFirst(
  parts: readonly Part[],
  atMs: number,
  windowId: string | null,
  read: Stretch | null,
): readonly Part[] {
  const shown = windowId === null ? null : stretchOfMoment(parts, () => false, { windowId, atMs })
  const stays = [read, shown].filter((stretch) => stretch !== null)
  return parts
    .filter((part) => !stays.some(({ fromMs, toMs }) => part.lastFromMs >= fromMs && part.fromMs < toMs))
    .sort((a, b) => Math.abs(b.fromMs - atMs) - Math.abs(a.fromMs - atMs))
}

/** As many of the first parts as have this length together. */
function firstOf(parts: readonly Part[], length: number, lengthOfPart: (part: Part) => number): readonly Part[] {
  const first: Part[] = []
  let has = 0
  for (const part of parts) {
    if (has >= length) break
    first.push(part)
    has += lengthOfPart(part)
  }
  return first
}
