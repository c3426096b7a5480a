import { expect, test } from 'vitest'
import { forecastFull, type Growing } from './forecast.ts'

const now = new Date('2026-03-02T10:00:00Z')
const kind = (growthBytesPerDay: number, budgetBytes: number | null = null): Growing => ({
  ...{ bytes: 100, growthBytesPerDay, budgetBytes },
})

test.each([
  ['one kind grows', [kind(10)], 100, '2026-03-12'],
  ['several grow', [kind(10), kind(15)], 100, '2026-03-06'],
  ['what shrinks is not counted on', [kind(10), kind(-50)], 100, '2026-03-12'],
  ['a budget is not outgrown', [kind(10, 150)], 100, null],
  ['a kind above its budget grows no more, and another one does', [kind(50, 80), kind(10)], 100, '2026-03-12'],
  ['a budget is reached before the disk is full', [kind(50, 150), kind(10)], 100, '2026-03-07'],
  ['nothing grows', [kind(0)], 100, null],
  ['it takes longer than ten years', [kind(1)], 3651, null],
  ['the disk is full', [kind(0)], 0, '2026-03-02'],
] as const)('%s', (_title, kinds, freeBytes, day) => {
  expect(forecastFull(kinds, freeBytes, now)?.toISOString().slice(0, 10) ?? null).toBe(day)
})
