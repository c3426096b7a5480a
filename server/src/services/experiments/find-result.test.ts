import { expect, test } from 'vitest'
import { findResult } from './find-result.ts'
import type { Metric } from './schemas.ts'

const variants = [
  { key: 'control', share: 50 },
  { key: 'test', share: 50 },
]
const metric: Metric = {
  ...{ name: 'orders', kind: 'mean', windowHours: null },
  source: { type: 'events', event: 'order', property: null },
}

/** An experiment of so many persons, whose every part is at hand at once, and the turns that others have meanwhile. */
async function measurePersons(persons: number, eventsEach: number, maxPersons = persons) {
  let largestAsk = 0
  const deps: Parameters<typeof findResult>[0] = {
    flags: { variantsOf: async () => variants, setExperiment: async () => undefined },
    events: {
      async *exposures() {
        for (let n = 0; n < persons; n += 1)
          yield { id: `id ${n}`, variants: [n % 2 === 0 ? 'control' : 'test'], firstMs: n }
      },
      async *occurrences() {
        const events = Array.from({ length: eventsEach }, () => ({ atMs: persons, value: 1 }))
        for (let n = 0; n < persons; n += 1) yield { id: `id ${n}`, events }
      },
    },
    reader: { readSlices: async () => undefined },
    people: {
      async byDistinctId(ids) {
        largestAsk = Math.max(largestAsk, ids.length)
        return new Map()
      },
      byUserId: async () => new Map(),
    },
    now: () => new Date(),
    settings: { maxExperiments: 1, maxPersons },
  }
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const experiment = { flagKey: 'button', metrics: [metric], startedAt: new Date(0), endedAt: new Date() }
  const result = await findResult(deps, experiment).finally(() => clearImmediate(next))
  return { result, turns, largestAsk }
}

test('others have a turn for every few thousand events of a large result, and few persons are asked for at once', async () => {
  const few = await measurePersons(1_000, 5)
  const many = await measurePersons(40_000, 5)
  expect(many.result).toMatchObject({
    persons: 40_000,
    metrics: [{ unattributed: 0, variants: [{ persons: 20_000, estimate: 5 }, { estimate: 5 }] }],
  })
  expect(many.turns).toBeGreaterThan((40_000 * 5) / 5_000)
  expect(many.turns).toBeGreaterThan(10 * few.turns)
  expect(many.largestAsk).toBeLessThanOrEqual(5_000)
  // One person may have done as much as a hundred.
  expect((await measurePersons(1_000, 500)).turns).toBeGreaterThan((1_000 * 500) / 10_000)
})

test('more ids than the settings allow are refused', async () => {
  await expect(measurePersons(12_000, 1, 11_999)).rejects.toMatchObject({ code: 'CLEW_EXPERIMENTS_TOO_LARGE' })
})
