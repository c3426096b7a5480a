import { formatOffset } from '../../../ui/time-text.ts'
import { type Axis, toTime, toX } from './axis.ts'

/** A label above the tracks: a time, or how long a break is. */
export interface Tick {
  /** Pixels from the left end of what is seen: of a time its place, of a break its middle. */
  readonly x: number
  readonly label: string
  readonly isBreak: boolean
}

const stepsMs: readonly number[] = [
  ...[100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000],
  ...[60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000],
]
/** So far apart are times. */
const TIME_PX = 72
/** So much room does a label need. */
const LABEL_PX = 34

/** The times and breaks that are labelled: round times, none of which stands in another's way. */
export function ticksOf(axis: Axis): readonly Tick[] {
  const breaks = breakTicks(axis)
  const taken = breaks.map(({ x }) => x)
  const stepMs = stepOf(axis)
  const ticks: Tick[] = []
  let lastX = Number.NEGATIVE_INFINITY
  for (const { fromMs, toMs, isBreak } of axis.pieces) {
    if (isBreak || toX(axis, toMs) < 0 || toX(axis, fromMs) > axis.width) continue
    const firstMs = Math.max(fromMs, toTime(axis, 0))
    for (let ms = Math.ceil(firstMs / stepMs) * stepMs; ms < toMs; ms += stepMs) {
      const x = toX(axis, ms)
      if (x > axis.width - LABEL_PX) break
      if (x < lastX + LABEL_PX || taken.some((other) => x > other - LABEL_PX * 1.5 && x < other + LABEL_PX / 2))
        continue
      ticks.push({ x, label: formatOffset(ms, { tenths: stepMs < 1000 }), isBreak: false })
      lastX = x
    }
  }
  return [...ticks, ...breaks]
}

/** The labels of the breaks that are wide enough for one. */
function breakTicks(axis: Axis): readonly Tick[] {
  return axis.pieces.flatMap(({ fromMs, toMs, fromPx, toPx, isBreak }) => {
    const x = (fromPx + toPx) / 2 - axis.offsetPx
    if (!isBreak || toPx - fromPx < LABEL_PX * 0.7 || x < 0 || x > axis.width) return []
    return [{ x, label: shortSpan(toMs - fromMs), isBreak: true }]
  })
}

/** The smallest round step at which labels of the busy stretches stand apart. */
function stepOf({ pieces }: Axis): number {
  const piece = pieces.find(({ isBreak }) => !isBreak)
  const pxPerMs = piece === undefined ? 0 : (piece.toPx - piece.fromPx) / (piece.toMs - piece.fromMs)
  return stepsMs.find((stepMs) => stepMs * pxPerMs >= TIME_PX) ?? stepsMs.at(-1) ?? 1000
}

/** How long a break is, in the room that it has: `45s`, `12m`, `3h`. */
function shortSpan(ms: number): string {
  if (ms < 59_500) return `${Math.round(ms / 1000)}s`
  if (ms < 3_570_000) return `${Math.round(ms / 60_000)}m`
  return `${Math.round(ms / 360_000) / 10}h`
}
