import { isObject, type RecordedEvent, source, sourceOf } from './recording.ts'

/** A place in the recorded page's viewport, in its CSS pixels, with the time it was taken. */
export interface PointerSample {
  readonly at: number
  readonly x: number
  readonly y: number
}

/** Where the pointer went and where it pressed, in order of time. */
export interface PointerPath {
  readonly moves: readonly PointerSample[]
  readonly clicks: readonly PointerSample[]
}

/** What is to be drawn over the page at one moment. Ages are from 0 (now) to 1 (about to vanish). */
export interface PointerView {
  readonly cursor: { readonly x: number; readonly y: number } | null
  readonly trail: readonly { readonly x: number; readonly y: number; readonly age: number }[]
  readonly rings: readonly { readonly x: number; readonly y: number; readonly age: number }[]
}

const TRAIL_MS = 600
const RING_MS = 700
/** A click is announced a breath early, so that a seek to its moment shows it whichever way the time was rounded. */
const RING_EARLY_MS = 50

/** Interactions that press: click, double click, touch start. */
const presses: ReadonlySet<number> = new Set([2, 7])

/** What was collected of an event: a recording's path is made anew whenever more of it is here. */
const collected = new WeakMap<RecordedEvent, PointerPath>()
const nowhere: PointerPath = { moves: [], clicks: [] }

/** Collects a window's pointer path from its events. */
export function pointerPath(events: readonly RecordedEvent[]): PointerPath {
  const moves: PointerSample[] = []
  const clicks: PointerSample[] = []
  for (const event of events) {
    const own = collected.get(event) ?? collect(event)
    collected.set(event, own)
    for (const move of own.moves) moves.push(move)
    for (const click of own.clicks) clicks.push(click)
  }
  return { moves: moves.sort((a, b) => a.at - b.at), clicks }
}

function collect(event: RecordedEvent): PointerPath {
  const kind = sourceOf(event)
  if (!isObject(event.data)) return nowhere
  if (kind === source.mouseMove || kind === source.touchMove || kind === source.drag) {
    const { positions } = event.data
    return Array.isArray(positions)
      ? { moves: positions.flatMap((one) => sample(one, event.timestamp)), clicks: [] }
      : nowhere
  }
  if (kind !== source.mouseInteraction || !presses.has(Number(event.data.type))) return nowhere
  // A click by keyboard has no place: browsers give it 0,0.
  const clicks = sample(event.data, event.timestamp).filter(({ x, y }) => x !== 0 || y !== 0)
  return { moves: clicks, clicks }
}

function sample(position: unknown, at: number): readonly PointerSample[] {
  if (!isObject(position) || typeof position.x !== 'number' || typeof position.y !== 'number') return []
  const offset = typeof position.timeOffset === 'number' ? position.timeOffset : 0
  return [{ at: at + offset, x: position.x, y: position.y }]
}

/** The pointer at one moment: a function of time alone, so that a seek draws what playing would have drawn. */
export function pointerAt(path: PointerPath, now: number): PointerView {
  const after = upperBound(path.moves, now)
  const before = path.moves[after - 1]
  const next = path.moves[after]
  const trail = []
  for (let index = after - 1; index >= 0; index -= 1) {
    const move = path.moves[index]
    if (move === undefined || now - move.at > TRAIL_MS) break
    trail.unshift({ x: move.x, y: move.y, age: (now - move.at) / TRAIL_MS })
  }
  const rings = []
  for (let index = upperBound(path.clicks, now + RING_EARLY_MS) - 1; index >= 0; index -= 1) {
    const click = path.clicks[index]
    if (click === undefined || now - click.at > RING_MS) break
    rings.push({ x: click.x, y: click.y, age: Math.max(0, (now - click.at) / RING_MS) })
  }
  return { cursor: between(before, next, now), trail, rings }
}

/** The recorder looks at the pointer some twenty times a second; between two looks it is taken to move evenly. */
function between(before: PointerSample | undefined, next: PointerSample | undefined, now: number) {
  if (before === undefined) return next === undefined ? null : { x: next.x, y: next.y }
  if (next === undefined || next.at - before.at > 120) return { x: before.x, y: before.y }
  const part = (now - before.at) / (next.at - before.at)
  return { x: before.x + (next.x - before.x) * part, y: before.y + (next.y - before.y) * part }
}

/** Index of the first sample later than `at`. */
function upperBound(samples: readonly PointerSample[], at: number): number {
  let low = 0
  let high = samples.length
  while (low < high) {
    const middle = (low + high) >> 1
    const probe = samples[middle]
    if (probe !== undefined && probe.at <= at) low = middle + 1
    else high = middle
  }
  return low
}
