import { groupBy } from '../group-by.ts'

/** A call as far as its rhythm goes. */
export interface TimedCall {
  readonly id: string
  readonly windowId: string | null
  readonly method: string
  readonly path: string
  readonly query: string
  readonly atMs: number
}

/** So many calls at one interval are a rhythm. */
const fewest = 4
/** What comes faster than this is a burst of one cause. */
const shortestMs = 200
const longestMs = 5 * 60_000
/** A timer on a busy machine keeps within this of its interval. */
const loosely = 2
/** A call that comes so soon after a click is the click's, however regular the clicks are. */
const promptMs = 300

/**
 * Finds the calls that a page makes by its clock rather than because of what a person does: the same call, again and
 * again at one interval. The first of them is not among them: something made it begin.
 *
 * @param actsMs when the person did something, by window; `null` for all windows
 * @returns      the interval, in milliseconds, by the call's id
 */
export function findRepeats(
  calls: readonly TimedCall[],
  actsMs: (windowId: string | null) => readonly number[],
): ReadonlyMap<string, number> {
  const repeats = new Map<string, number>()
  const same = groupBy(calls, ({ windowId, method, path, query }) => JSON.stringify([windowId, method, path, query]))
  for (const unordered of same.values()) {
    const [first] = unordered
    if (first === undefined || unordered.length < fewest) continue
    const all = unordered.toSorted((a, b) => a.atMs - b.atMs)
    const acts = actsMs(first.windowId)
    const usualMs = medianOf(gapsOf(all))
    if (usualMs < shortestMs || usualMs > longestMs) continue
    for (const run of runsOf(all, usualMs)) {
      const followed = run.filter(({ atMs }) => acts.some((actMs) => actMs <= atMs && atMs - actMs <= promptMs))
      if (run.length < fewest || followed.length * 2 >= run.length) continue
      const everyMs = Math.round(medianOf(gapsOf(run)))
      for (const { id } of run.slice(1)) repeats.set(id, everyMs)
    }
  }
  return repeats
}

const gapsOf = (calls: readonly TimedCall[]): readonly number[] =>
  calls.slice(1).map(({ atMs }, index) => atMs - (calls[index]?.atMs ?? atMs))

function medianOf(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b)
  return ordered[Math.floor(ordered.length / 2)] ?? 0
}

/** The calls in stretches without a pause: a page that is hidden sleeps, and goes on later. */
function runsOf(calls: readonly TimedCall[], usualMs: number): readonly (readonly TimedCall[])[] {
  const runs: TimedCall[][] = []
  for (const call of calls) {
    const run = runs.at(-1)
    const gapMs = call.atMs - (run?.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY)
    if (run !== undefined && gapMs <= usualMs * loosely && gapMs >= usualMs / loosely) run.push(call)
    else runs.push([call])
  }
  return runs
}
