import { type Axis, toX } from './axis/axis.ts'
import type { Mark, Track } from './marks.ts'

/** A mark at its place on the axis. */
export interface PlacedMark {
  readonly mark: Mark
  /** Pixels from the left end: of a point its middle, of a stretch its beginning. */
  readonly x: number
}

/** What is drawn at a place: a mark, or several points that stand too close to be told apart. */
export interface Placed extends PlacedMark {
  /** The width of a stretch and of a cluster; 0 for a point. */
  readonly width: number
  /** Of a cluster, by time all of its points, of which `mark` is the first; else none. */
  readonly cluster: readonly PlacedMark[]
}

/** As wide is a cluster: its count has room. */
export const CLUSTER_PX = 22
/** So many points within a cluster's width can still be told apart. */
const APART = 3
/** So far outside of what is seen may a point be that is still partly seen. */
const OVERHANG_PX = 8
const REACH_PX = 5
/** Rows that changed at once stand abreast. */
const ABREAST_PX = 4

/** Where the marks of a track are drawn: those that are seen, points that would hide one another as clusters. */
export function placeMarks({ marks }: Track, axis: Axis): readonly Placed[] {
  const stretches: Placed[] = []
  const groups: PlacedMark[][] = []
  for (const mark of marks) {
    const x = toX(axis, mark.atMs)
    if (mark.untilMs !== undefined) {
      const untilX = toX(axis, mark.untilMs)
      if (untilX < 0 || x > axis.width) continue
      const left = Math.max(x, -OVERHANG_PX)
      const width = Math.max(2, Math.min(untilX, axis.width + OVERHANG_PX) - left - 2)
      stretches.push({ mark, x: left, width, cluster: [] })
    } else if (x >= -OVERHANG_PX && x <= axis.width + OVERHANG_PX) {
      const group = groups.at(-1)
      const [first] = group ?? []
      if (group !== undefined && first !== undefined && x <= first.x + CLUSTER_PX) group.push({ mark, x })
      else groups.push([{ mark, x }])
    }
  }
  return [...stretches, ...joinLast(groups, axis.width).flatMap((group) => placeGroup(group, axis.width))]
}

/** At the right end there may be no room for the last group: it stands in the one before it. */
function joinLast(groups: readonly PlacedMark[][], width: number): readonly PlacedMark[][] {
  const [before, last] = groups.slice(-2)
  const isHidden = (before?.[0]?.x ?? Number.NEGATIVE_INFINITY) + 2 * CLUSTER_PX > width
  return before && last && isHidden ? [...groups.slice(0, -2), [...before, ...last]] : groups
}

function placeGroup(group: readonly PlacedMark[], width: number): readonly Placed[] {
  const [first] = group
  if (first !== undefined && group.length > APART)
    return [{ mark: first.mark, x: Math.min(first.x - 2, width - CLUSTER_PX), width: CLUSTER_PX, cluster: group }]
  let taken = Number.NEGATIVE_INFINITY
  return group.map(({ mark, x }) => {
    const isRow = mark.look === 'plus' || mark.look === 'tilde' || mark.look === 'minus'
    taken = isRow ? Math.max(x, taken + ABREAST_PX) : x
    return { mark, x: taken, width: 0, cluster: [] }
  })
}

/**
 * What is under the pointer in a track.
 *
 * @returns the nearest point within reach, else the cluster or stretch that holds the place
 */
export function placedAt(placed: readonly Placed[], x: number): Placed | undefined {
  let nearest: Placed | undefined
  let distance = REACH_PX
  let around: Placed | undefined
  for (const one of placed) {
    if (one.width > 0) {
      if (one.x <= x && x < one.x + one.width) around = one
      continue
    }
    const off = Math.abs(one.x - x)
    if (off <= distance) {
      distance = off
      nearest = one
    }
  }
  return nearest ?? around
}
