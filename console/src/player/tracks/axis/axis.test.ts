import { expect, test } from 'vitest'
import { type AxisGround, createAxis, panBy, seenSpan, toTime, toX, viewOf, wholeView, zoomAt } from './axis.ts'
import { ticksOf } from './ticks.ts'

const minute = 60_000
/** Ten minutes, eight of them idle. */
const ground: AxisGround = {
  durationMs: 10 * minute,
  width: 634,
  idle: [{ fromMs: minute, toMs: 9 * minute }],
}
/** An hour in which a minute of work follows each minute of idleness. */
const hour: AxisGround = {
  durationMs: 60 * minute,
  width: 700,
  idle: Array.from({ length: 30 }, (_, at) => ({ fromMs: at * 2 * minute, toMs: (at * 2 + 1) * minute })),
}

test('a long idle stretch takes a break’s width, and the rest shares what it leaves', () => {
  const axis = createAxis(ground, wholeView)
  const places = [0, minute, 9 * minute, 10 * minute].map((ms) => toX(axis, ms))
  expect(places).toEqual([0, 300, 334, 634])
  expect(toTime(axis, 150)).toBe(minute / 2)
  expect(toTime(axis, 317)).toBe(5 * minute)
})

test('idle stretches shorter than a break keep their length', () => {
  const axis = createAxis({ ...ground, idle: [{ fromMs: minute, toMs: minute + 12_000 }] }, wholeView)
  expect(axis.pieces).toHaveLength(1)
  expect(toX(axis, 5 * minute)).toBe(317)
})

test('breaks take no more than half of the axis, however many there are', () => {
  const axis = createAxis(hour, wholeView)
  const breaks = axis.pieces.filter(({ isBreak }) => isBreak)
  expect(breaks).toHaveLength(30)
  expect(breaks.reduce((sum, { fromPx, toPx }) => sum + toPx - fromPx, 0)).toBeLessThanOrEqual(350)
})

test('a session in which nobody did anything is drawn by its time', () => {
  const axis = createAxis({ durationMs: 1000, width: 100, idle: [{ fromMs: 0, toMs: 1000 }] }, wholeView)
  expect(toX(axis, 250)).toBe(25)
})

test.for([ground, hour])('place and time are each other’s inverse, at any zoom', (one) => {
  for (const view of [wholeView, { zoom: 3, fromMs: 2 * minute }, { zoom: 40, fromMs: 9.5 * minute }]) {
    const axis = createAxis(one, view)
    for (let x = 0; x <= axis.width; x += 17) expect(toX(axis, toTime(axis, x))).toBeCloseTo(x, 6)
    const places = Array.from({ length: 100 }, (_, part) => toX(axis, (part / 100) * axis.durationMs))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  }
})

test('zooming holds the moment under the pointer, and back out shows all', () => {
  for (const one of [ground, hour]) {
    const axis = createAxis(one, wholeView)
    const heldMs = toTime(axis, 560)
    const near = createAxis(one, zoomAt(axis, 4, 560))
    expect(near.zoom).toBe(4)
    expect(toX(near, heldMs)).toBeCloseTo(560, 6)
    const out = createAxis(one, zoomAt(near, 1 / 100, 300))
    expect([out.zoom, out.fromMs]).toEqual([1, 0])
  }
})

test('the view never leaves the session', () => {
  const near = createAxis(ground, { zoom: 5, fromMs: 10 * minute })
  expect(toX(near, 10 * minute)).toBeCloseTo(634, 6)
  expect(createAxis(ground, panBy(near, -100_000)).offsetPx).toBe(0)
  const on = createAxis(ground, panBy(createAxis(ground, { zoom: 5, fromMs: 0 }), 50))
  expect(on.offsetPx).toBeCloseTo(50, 6)
  expect(createAxis(ground, { zoom: 1e9, fromMs: 0 }).zoom).toBeLessThan(1000)
})

test('a brushed stretch fills the width', () => {
  for (const [one, span] of [
    [ground, { fromMs: 9.2 * minute, toMs: 9.4 * minute }],
    [ground, { fromMs: minute / 2, toMs: 9.5 * minute }],
    [hour, { fromMs: 7 * minute, toMs: 9 * minute }],
  ] as const) {
    const axis = createAxis(one, viewOf(one, span))
    expect(toX(axis, span.fromMs)).toBeCloseTo(0, 0)
    expect(Math.abs(toX(axis, span.toMs) - axis.width)).toBeLessThan(1)
    expect(seenSpan(axis).fromMs).toBeCloseTo(span.fromMs, 0)
  }
})

test('ticks are round times that stand apart, and a break says how long it is', () => {
  const labels = (axis: AxisGround, view = wholeView) =>
    ticksOf(createAxis(axis, view)).map(({ label, isBreak }) => (isBreak ? `(${label})` : label))
  expect(labels(ground)).toEqual(['0:00', '0:15', '0:30', '0:45', '9:00', '9:15', '9:30', '9:45', '(8m)'])
  expect(labels({ ...ground, idle: [] })).toEqual(['0:00', '2:00', '4:00', '6:00', '8:00'])
  expect(labels(ground, { zoom: 200, fromMs: 9.5 * minute }).slice(0, 3)).toEqual(['9:30.0', '9:30.1', '9:30.2'])
  for (const one of [ground, hour]) {
    const places = ticksOf(createAxis(one, wholeView)).map(({ x }) => x)
    const sorted = places.toSorted((a, b) => a - b)
    expect(sorted.every((x, at) => at === 0 || x - (sorted[at - 1] ?? 0) >= 17)).toBe(true)
  }
})

test('an axis that is not measured yet, or has no length, divides by nothing', () => {
  for (const one of [
    { durationMs: 0, width: 500, idle: [] },
    { durationMs: 5000, width: 0, idle: [] },
  ]) {
    const axis = createAxis(one, { zoom: 3, fromMs: 100 })
    expect([toX(axis, 100), toTime(axis, 10), axis.fromMs].every(Number.isFinite)).toBe(true)
    expect(ticksOf(axis).every(({ x }) => Number.isFinite(x))).toBe(true)
  }
})
