import { expect, test } from 'vitest'
import { phasesOf, sumOf } from './phases.ts'

const at = '2026-01-02T03:04:05.000Z'
const statement = (afterMs: number, durationMs: number) => ({
  startedAt: new Date(Date.parse(at) + afterMs).toISOString(),
  durationMs,
})
const told = (durationMs: number, ...statements: readonly (readonly [number, number])[]) =>
  phasesOf(
    { at, durationMs },
    statements.map(([after, ms]) => statement(after, ms)),
  ).map(({ kind, fromMs, durationMs: ms, place }) => [kind, fromMs, ms, place])

test('a request is what came before its statements, they, and what lies between and after', () => {
  expect(told(20, [2, 3], [8, 4])).toEqual([
    ['before', 0, 2, null],
    ['sql', 2, 3, 0],
    ['between', 5, 3, null],
    ['sql', 8, 4, 1],
    ['after', 12, 8, null],
  ])
})

test('a request without statements is one stretch', () => {
  expect(told(20)).toEqual([['before', 0, 20, null]])
})

test('statements whose beginnings are rounded stay within the request and after one another', () => {
  expect(told(4.5, [0, 2.4], [2, 1.5])).toEqual([
    ['sql', 0, 2.4, 0],
    ['sql', 2.4, 1.5, 1],
    ['after', 3.9, expect.closeTo(0.6), null],
  ])
  expect(told(3, [2, 2.5])).toEqual([
    ['before', 0, 0.5, null],
    ['sql', 0.5, 2.5, 0],
  ])
  // Side by side in the database, longer together than the request.
  const phases = phasesOf({ at, durationMs: 5 }, [statement(0, 4), statement(0, 4)])
  expect(sumOf(phases, 'sql')).toBe(5)
})
