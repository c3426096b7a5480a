import type { Span } from '../../timeline.ts'

/** The part of a session that is looked at. */
export interface AxisView {
  /** How many times longer the whole axis is than what is seen of it; 1 sees all. */
  readonly zoom: number
  /** Session time at the left end. */
  readonly fromMs: number
}

/** What an axis is made of, without what is looked at. */
export interface AxisGround {
  readonly durationMs: number
  /** Pixels that are seen. */
  readonly width: number
  /** Stretches in which nothing happened, apart and by time: the long ones are drawn short. */
  readonly idle: readonly Span[]
}

/** A stretch of the axis on which a millisecond is everywhere equally long; a break stands for an idle stretch. */
interface Piece extends Span {
  /** Pixels from the beginning of the whole axis. */
  readonly fromPx: number
  readonly toPx: number
  readonly isBreak: boolean
}

/** The session's time laid out in pixels: piece by piece, as idle stretches are drawn short. */
export interface Axis extends AxisGround, AxisView {
  /** They cover the session without gaps. */
  readonly pieces: readonly Piece[]
  /** Pixels of the whole axis that lie left of what is seen. */
  readonly offsetPx: number
}

/** All of a session. */
export const wholeView: AxisView = { zoom: 1, fromMs: 0 }

/** A break is as wide as its label needs, and narrower where there are many. */
const BREAK_PX = 34
const NARROW_BREAK_PX = 6
/** At the nearest, a click and the request it caused stand well apart. */
const NEAREST_PX_PER_MS = 0.25

/** Lays a session's time out. */
export function createAxis(ground: AxisGround, view: AxisView): Axis {
  const { durationMs, width } = ground
  const zoom = Math.min(Math.max(1, view.zoom), largestZoom(ground))
  const pieces = layOutPieces(ground, width * zoom)
  const offsetPx = Math.min(Math.max(0, placeIn(pieces, view.fromMs)), width * (zoom - 1))
  const seen = { ...ground, zoom, pieces, offsetPx }
  return { ...seen, fromMs: width > 0 && durationMs > 0 ? toTime({ ...seen, fromMs: 0 }, 0) : 0 }
}

/** Where a moment lies, in pixels from the left end of what is seen; negative or beyond the width outside of it. */
export const toX = (axis: Axis, ms: number): number => placeIn(axis.pieces, ms) - axis.offsetPx

/** The moment at a place, within the session. */
export function toTime({ pieces, offsetPx, durationMs }: Axis, x: number): number {
  const px = x + offsetPx
  const piece = pieces.find(({ toPx }) => px < toPx) ?? pieces.at(-1)
  if (piece === undefined || piece.toPx <= piece.fromPx) return 0
  const { fromMs, toMs, fromPx, toPx } = piece
  const ms = fromMs + ((px - fromPx) / (toPx - fromPx)) * (toMs - fromMs)
  return Math.min(Math.max(0, ms), durationMs)
}

/** Nearer by a factor, or farther below 1; the moment at `x` stays where it is. */
export function zoomAt(axis: Axis, factor: number, x: number): AxisView {
  const heldMs = toTime(axis, x)
  const nearer = createAxis(axis, { zoom: axis.zoom * factor, fromMs: 0 })
  return { zoom: nearer.zoom, fromMs: toTime({ ...nearer, offsetPx: 0 }, placeIn(nearer.pieces, heldMs) - x) }
}

/** Moved by pixels: to later for positive ones. */
export function panBy(axis: Axis, px: number): AxisView {
  const { zoom, fromMs } = createAxis(axis, { zoom: axis.zoom, fromMs: toTime(axis, px) })
  return { zoom, fromMs }
}

/** The view in which a stretch fills the width, as near as one may go. */
export function viewOf(ground: AxisGround, { fromMs, toMs }: Span): AxisView {
  let least = 1
  let most = largestZoom(ground)
  // What a stretch measures grows with the zoom, in jumps where idle stretches become breaks: so it is sought.
  for (let step = 0; step < 24; step += 1) {
    const zoom = Math.sqrt(least * most)
    const pieces = layOutPieces(ground, ground.width * zoom)
    if (placeIn(pieces, toMs) - placeIn(pieces, fromMs) > ground.width) most = zoom
    else least = zoom
  }
  return { zoom: least, fromMs }
}

/** The stretch that is seen. */
export const seenSpan = (axis: Axis): Span => ({ fromMs: toTime(axis, 0), toMs: toTime(axis, axis.width) })

/** The zoom beyond which a session shows nothing new. */
function largestZoom({ durationMs, width }: AxisGround): number {
  return width <= 0 ? 1 : Math.max(1, (durationMs * NEAREST_PX_PER_MS) / width)
}

function placeIn(pieces: readonly Piece[], ms: number): number {
  const piece = pieces.find(({ toMs }) => ms < toMs) ?? pieces.at(-1)
  if (piece === undefined || piece.toMs <= piece.fromMs) return 0
  return piece.fromPx + ((ms - piece.fromMs) / (piece.toMs - piece.fromMs)) * (piece.toPx - piece.fromPx)
}

function layOutPieces({ durationMs, idle }: AxisGround, lengthPx: number): readonly Piece[] {
  if (durationMs <= 0) return []
  const breakPx = Math.min(BREAK_PX, Math.max(NARROW_BREAK_PX, lengthPx / 3 / Math.max(1, idle.length)))
  const breaks = chooseBreaks(idle, durationMs, lengthPx, breakPx)
  const leftMs = durationMs - breaks.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const pxPerMs = leftMs <= 0 ? 0 : (lengthPx - breaks.length * breakPx) / leftMs
  const pieces: Piece[] = []
  let atMs = 0
  let atPx = 0
  const add = (toMs: number, px: number, isBreak: boolean) => {
    pieces.push({ fromMs: atMs, toMs, fromPx: atPx, toPx: atPx + px, isBreak })
    atMs = toMs
    atPx += px
  }
  for (const { fromMs, toMs } of breaks) {
    if (fromMs > atMs) add(fromMs, (fromMs - atMs) * pxPerMs, false)
    add(toMs, breakPx, true)
  }
  if (durationMs > atMs) add(durationMs, (durationMs - atMs) * pxPerMs, false)
  return pieces
}

/** The longest idle stretches, as long as each is longer than a break and breaks take no more than half of the axis. */
function chooseBreaks(idle: readonly Span[], durationMs: number, lengthPx: number, breakPx: number): readonly Span[] {
  const chosen: Span[] = []
  let leftMs = durationMs
  for (const span of idle.toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))) {
    const lengthMs = span.toMs - span.fromMs
    const leftPx = lengthPx - chosen.length * breakPx
    if ((lengthMs / leftMs) * leftPx <= breakPx || leftPx - breakPx < lengthPx / 2) break
    // Something must be left that is no break: an axis of nothing but idle time is as long as the time.
    if (lengthMs >= leftMs) break
    chosen.push(span)
    leftMs -= lengthMs
  }
  return chosen.sort((a, b) => a.fromMs - b.fromMs)
}
