/** How a mark is drawn: a stretch, a point, a height, a row's fate, an error, nothing recorded. */
export type MarkLook = 'segment' | 'dot' | 'bar' | 'plus' | 'tilde' | 'minus' | 'triangle' | 'gap'

/** Something that stands in a track. */
export interface Mark {
  readonly id: string
  readonly look: MarkLook
  readonly atMs: number
  /** Where a stretch ends; a point has none. */
  readonly untilMs?: number
  /** How long what a bar stands for took. */
  readonly durationMs?: number
  readonly bad?: boolean
  /** Shown on hover; a segment is also labelled with it. */
  readonly label: string
  /** The id of the moment it belongs to: marks of one cause are lit together. */
  readonly cause: string
}

/** A line of marks on the session's time axis. */
export interface Track {
  readonly id: string
  readonly label: string
  readonly marks: readonly Mark[]
}

/** Height of a track and the space below it. */
export const TRACK_PX = 16
export const TRACK_GAP_PX = 9

const REACH_PX = 5

/** Pixel height of a bar: logarithmic, as requests take from one millisecond to a minute. */
export function barHeight(durationMs: number): number {
  return Math.min(15, Math.max(4, Math.round(3 + 4.7 * Math.log10(Math.max(1, durationMs)))))
}

/** Where a moment lies on an axis of `width` pixels. */
export function toX(ms: number, durationMs: number, width: number): number {
  return durationMs <= 0 ? 0 : (ms / durationMs) * width
}

/**
 * The mark under the pointer.
 *
 * @param x, y pixels from the tracks' upper left corner
 * @returns    the nearest point within reach, else the stretch that holds the place
 */
export function markAt(
  tracks: readonly Track[],
  { x, y, width, durationMs }: { x: number; y: number; width: number; durationMs: number },
): Mark | undefined {
  const track = tracks[Math.floor(y / (TRACK_PX + TRACK_GAP_PX))]
  if (!track) return undefined
  let nearest: Mark | undefined
  let distance = REACH_PX
  let around: Mark | undefined
  for (const mark of track.marks) {
    const from = toX(mark.atMs, durationMs, width)
    if (mark.untilMs !== undefined) {
      if (from <= x && x < toX(mark.untilMs, durationMs, width)) around = mark
      continue
    }
    const off = Math.abs(from - x)
    if (off <= distance) {
      distance = off
      nearest = mark
    }
  }
  return nearest ?? around
}
