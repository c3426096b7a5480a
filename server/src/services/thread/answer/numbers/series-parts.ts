const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 6, 12].map((count) => count * hourMs),
  ...[1, 2, 7, 30].map((count) => count * dayMs),
]

const mostParts = 120

/** A time in equal parts: where the first begins and the last ends, in milliseconds since 1970. */
export interface SeriesParts {
  readonly partMs: number
  readonly startMs: number
  readonly endMs: number
}

/** Parts of a round length that cover a time: the shortest of which 120 are enough. */
export function planParts(from: Date, to: Date): SeriesParts {
  const [fromMs, toMs] = [from.getTime(), Math.max(to.getTime(), from.getTime() + 1)]
  const fits = (ms: number): boolean => Math.ceil(toMs / ms) - Math.floor(fromMs / ms) <= mostParts
  const partMs = steps.find(fits) ?? Math.ceil((toMs - fromMs) / (mostParts - 1) / dayMs) * dayMs
  return { partMs, startMs: Math.floor(fromMs / partMs) * partMs, endMs: Math.ceil(toMs / partMs) * partMs }
}
