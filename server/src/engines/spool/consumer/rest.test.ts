import { expect, test } from 'vitest'
import { restAfterBatch } from './rest.ts'

const burst = { tookMs: 100, rows: 10_000, fullness: 1, arrivedRows: 12_000, waitsMs: 700, burstLagMs: 5000 }

test.each([
  ['while rows keep coming, for three times as long as the batch took', burst, 300],
  ['no longer than rows may wait', { ...burst, waitsMs: 4900 }, 100],
  ['not at all once they have waited so long', { ...burst, waitsMs: 5100 }, 0],
  ['after a batch that is not full', { ...burst, fullness: 0.3 }, 300],
  ['where all came in storing and resting', { ...burst, arrivedRows: 2500 }, 300],
  ['where this batch took less than the one before', { ...burst, arrivedRows: 1250 }, 300],
  ['not at all where few came meanwhile, as for a backlog of an earlier process', { ...burst, arrivedRows: 1249 }, 0],
  ['not at all after a small batch', { ...burst, fullness: 0.2 }, 0],
  ['not at all where that is set', { ...burst, burstLagMs: 0 }, 0],
])('the consumer rests %s', (_when, facts, expected) => {
  expect(restAfterBatch(facts)).toBe(expected)
})
