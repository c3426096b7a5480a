/** How a mark is drawn: a stretch, a point, a height, a row's fate, an error, nothing recorded, a note. */
export type MarkLook = 'segment' | 'dot' | 'bar' | 'plus' | 'tilde' | 'minus' | 'triangle' | 'gap' | 'flag'

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
  /** By time. */
  readonly marks: readonly Mark[]
}

/** Height of a track and the space below it. */
export const TRACK_PX = 16
export const TRACK_GAP_PX = 9

/** The height of so many tracks. */
export const tracksHeight = (count: number): number => Math.max(0, count * (TRACK_PX + TRACK_GAP_PX) - TRACK_GAP_PX)

/** Pixel height of a bar: logarithmic, as requests take from one millisecond to a minute. */
export function barHeight(durationMs: number): number {
  return Math.min(15, Math.max(4, Math.round(3 + 4.7 * Math.log10(Math.max(1, durationMs)))))
}
