import { expect, test } from 'vitest'
import { createAxis, wholeView } from './axis/axis.ts'
import { barHeight, type Mark, type MarkLook } from './marks.ts'
import { placedAt, placeMarks } from './placing.ts'

const ground = { durationMs: 100_000, width: 1000, idle: [] }
const axis = createAxis(ground, wholeView)
const point = (atMs: number, look: MarkLook = 'dot'): Mark => ({ id: `${atMs}`, look, atMs, label: '', cause: '' })
const track = (...marks: readonly Mark[]) => ({ id: 'clicks', label: 'clicks', marks })
const counts = (marks: readonly Mark[], seen = axis) =>
  placeMarks(track(...marks), seen).map(({ cluster }) => cluster.length)

test('points that would hide one another are one cluster, which opens on zoom', () => {
  const marks = [1000, 1500, 2000, 2500, 3000, 20_000].map((atMs) => point(atMs))
  expect(counts(marks)).toEqual([5, 0])
  expect(counts(marks, createAxis(ground, { zoom: 10, fromMs: 0 }))).toEqual([0, 0, 0, 0, 0])
})

test('three points close together stay points, and rows that changed at once stand abreast', () => {
  expect(counts([point(1000), point(1100), point(1200)])).toEqual([0, 0, 0])
  const rows = [point(1000, 'plus'), point(1000, 'plus'), point(1000, 'tilde')]
  expect(placeMarks(track(...rows), axis).map(({ x }) => x)).toEqual([10, 14, 18])
})

test('ten thousand points are no more than the axis has room for', () => {
  const marks = Array.from({ length: 10_000 }, (_, at) => point(at * 10))
  const placed = placeMarks(track(...marks), axis)
  expect(placed.length).toBeLessThan(50)
  expect(placed.reduce((sum, { cluster }) => sum + cluster.length, 0)).toBe(10_000)
  expect(placed.every(({ x, width }) => x + width <= 1000)).toBe(true)
  // None stands over another.
  expect(placed.every(({ x }, at) => at === 0 || x >= (placed[at - 1]?.x ?? 0) + 22)).toBe(true)
})

test('only what is seen is placed', () => {
  const near = createAxis(ground, { zoom: 10, fromMs: 50_000 })
  const stretch: Mark = { ...point(0, 'segment'), untilMs: 100_000 }
  const placed = placeMarks(track(stretch, point(1000), point(55_000)), near)
  expect(placed.map(({ mark }) => mark.atMs)).toEqual([0, 55_000])
})

test('the pointer finds the nearest point within reach, else the stretch or cluster around it', () => {
  const stretch: Mark = { ...point(0, 'segment'), untilMs: 50_000 }
  const placed = placeMarks(track(stretch, point(10_000), point(10_600)), axis)
  expect(placedAt(placed, 104)?.mark.atMs).toBe(10_600)
  expect(placedAt(placed, 300)?.mark).toBe(stretch)
  expect(placedAt(placed, 700)).toBeUndefined()
  const crowd = placeMarks(track(...[0, 1, 2, 3].map((at) => point(60_000 + at))), axis)
  expect(placedAt(crowd, 612)?.cluster).toHaveLength(4)
})

test('a bar grows with the logarithm of its time and stays in its track', () => {
  const heights = [0.2, 6, 18, 212, 90_000].map(barHeight)
  expect(heights).toEqual(heights.toSorted((a, b) => a - b))
  expect(Math.max(...heights)).toBeLessThan(16)
})
