import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Exposure, Occurrences } from '../../../ground/experiments/experiment.ts'
import type { Metric } from '../schemas.ts'
import { createAudience, createTally, measureMetric, measureSplit, type PersonOf } from './result.ts'

const variants = [
  { key: 'test', share: 50 },
  { key: 'control', share: 50 },
]
const metric = (more: Partial<Metric>): Metric => ({
  ...{
    name: 'orders',
    kind: 'conversion',
    windowHours: null,
    source: { type: 'events', event: 'order', property: null },
  },
  ...more,
})
const shown = (id: string, firstMs: number, ...keys: string[]) => ({ id, variants: keys, firstMs })
const did = (id: string, ...events: readonly (readonly [atMs: number, value: number])[]) => ({
  id,
  events: events.map(([atMs, value]) => ({ atMs, value })),
})
const hourMs = 3_600_000

interface Found {
  readonly metric: Metric
  readonly occurrences: readonly Occurrences[]
}

function measure(exposures: readonly Exposure[], found: readonly Found[], personOf: PersonOf) {
  const audience = createAudience()
  audience.add(exposures, personOf)
  const split = audience.count()
  const metrics = found.map(({ metric: counted, occurrences }) => {
    const tally = createTally(counted, audience)
    tally.add(occurrences, personOf)
    return measureMetric(variants, split, tally.end())
  })
  return { ...measureSplit(variants, split), metrics }
}

test('ids of one person count once, from their first exposure on; who saw both variants is in no figure', () => {
  const personOf = (id: string): string => ({ phone: 'ana', laptop: 'ana', a: 'ben', b: 'ben' })[id] ?? id
  const exposures = [
    shown('phone', 200, 'test'),
    shown('laptop', 100, 'test'),
    shown('a', 100, 'test'),
    shown('b', 100, 'control'),
    shown('both', 100, 'control', 'test'),
    shown('eve', 100, 'control'),
  ]
  const occurrences = [did('phone', [150, 1]), did('eve', [99, 1]), did('b', [300, 1]), did('stranger', [300, 1])]
  const result = measure(exposures, [{ metric: metric({}), occurrences }], personOf)
  expect(result).toMatchObject({
    ...{ control: 'control', persons: 2, mixed: 2 },
    variants: [
      { key: 'test', persons: 1, expectedShare: 0.5 },
      { key: 'control', persons: 1, expectedShare: 0.5 },
    ],
    metrics: [
      {
        unattributed: 2,
        variants: [
          { key: 'test', persons: 1, converted: 1, estimate: 1 },
          { key: 'control', persons: 1, converted: 0, estimate: 0, difference: null, chanceToBeat: null },
        ],
      },
    ],
  })
  expect(result.metrics[0]?.variants[0]?.chanceToBeat).toBeCloseTo(5 / 6, 6)
})

test('a window ends for each person so long after their exposure; a mean is over all who were exposed', () => {
  const exposures = [
    shown('a', 0, 'test'),
    shown('b', hourMs, 'test'),
    shown('c', 0, 'control'),
    shown('d', 0, 'control'),
  ]
  const occurrences = [did('a', [hourMs - 1, 3], [hourMs, 100]), did('b', [2 * hourMs - 1, 5]), did('c', [1, 2])]
  const mean = metric({ kind: 'mean', windowHours: 1 })
  const { metrics } = measure(exposures, [{ metric: mean, occurrences }], (id) => id)
  expect(metrics[0]?.variants).toMatchObject([
    { key: 'test', estimate: 4, difference: { estimate: 3 } },
    { key: 'control', estimate: 1, difference: null },
  ])
  // Means 4 and 1, variances 2 and 2, two persons each: t = 3 / sqrt(2), with 2 degrees of freedom, whose
  // distribution has a closed form.
  expect(metrics[0]?.variants[0]?.chanceToBeat).toBeCloseTo(0.5 + 3 / Math.SQRT2 / (2 * Math.sqrt(2 + 4.5)), 7)
})

test('nobody, or one person, makes no interval that would say more than is known', () => {
  const { metrics, mismatch, persons } = measure(
    ...([[shown('a', 0, 'test')], [{ metric: metric({ kind: 'mean' }), occurrences: [] }]] as const),
    (id) => id,
  )
  expect({ persons, mismatch }).toEqual({ persons: 1, mismatch: expect.closeTo(0.3173, 4) })
  expect(metrics[0]?.variants).toEqual([
    { key: 'test', persons: 1, converted: null, estimate: 0, interval: null, difference: null, chanceToBeat: null },
    {
      key: 'control',
      persons: 0,
      converted: null,
      estimate: null,
      interval: null,
      difference: null,
      chanceToBeat: null,
    },
  ])
})

/** The same sums from all that was read at once: persons are joined first, then what each of their ids did is summed. */
function sumAtOnce(
  exposures: readonly Exposure[],
  { metric: { windowHours }, occurrences }: Found,
  personOf: PersonOf,
) {
  const persons = new Map<string, { readonly variants: Set<string>; readonly shownMs: number[] }>()
  for (const { id, variants: keys, firstMs } of exposures) {
    const person = persons.get(personOf(id)) ?? { variants: new Set(), shownMs: [] }
    persons.set(personOf(id), person)
    for (const key of keys) person.variants.add(key)
    person.shownMs.push(firstMs)
  }
  const exposed = new Map<string, { readonly variant: string; readonly firstMs: number }>()
  const counts = new Map<string, number>()
  for (const [person, { variants: keys, shownMs }] of persons) {
    const [variant = '', another] = keys
    if (another !== undefined) continue
    exposed.set(person, { variant, firstMs: Math.min(...shownMs) })
    counts.set(variant, (counts.get(variant) ?? 0) + 1)
  }
  const totals = new Map<string, number>()
  let unattributed = 0
  for (const { id, events } of occurrences) {
    const firstMs = exposed.get(personOf(id))?.firstMs
    if (firstMs === undefined) {
      unattributed += 1
      continue
    }
    const endMs = windowHours === null ? Number.POSITIVE_INFINITY : firstMs + windowHours * hourMs
    const counted = events.filter(({ atMs }) => atMs >= firstMs && atMs < endMs)
    if (counted.length === 0) continue
    const before = totals.get(personOf(id)) ?? 0
    totals.set(
      personOf(id),
      counted.reduce((sum, { value }) => sum + value, before),
    )
  }
  const sums = new Map<string, { done: number; sum: number; squares: number }>()
  for (const [person, total] of totals) {
    const variant = exposed.get(person)?.variant ?? ''
    const { done, sum, squares } = sums.get(variant) ?? { done: 0, sum: 0, squares: 0 }
    sums.set(variant, { done: done + 1, sum: sum + total, squares: squares + total * total })
  }
  return { sums, unattributed, counts, mixed: persons.size - exposed.size }
}

const ids = fc.integer({ min: 0, max: 30 }).map((number) => `id ${number}`)
const times = fc.integer({ min: 0, max: 3 * hourMs })
const worlds = fc.record({
  exposures: fc.uniqueArray(
    fc.record({
      ...{ id: ids, firstMs: times },
      variants: fc.uniqueArray(fc.constantFrom('test', 'control'), { minLength: 1 }),
    }),
    { selector: ({ id }) => id, maxLength: 30 },
  ),
  occurrences: fc.uniqueArray(
    fc.record({
      id: ids,
      events: fc.array(fc.record({ atMs: times, value: fc.double({ min: -9, max: 9, noNaN: true }) }), {
        maxLength: 5,
      }),
    }),
    { selector: ({ id }) => id, maxLength: 30 },
  ),
  windowHours: fc.constantFrom(null, 1, 2),
  persons: fc.integer({ min: 1, max: 31 }),
  slice: fc.integer({ min: 1, max: 7 }),
})

test('what is folded slice by slice comes to what all of it at once does, to the last digit', () => {
  fc.assert(
    fc.property(worlds, ({ exposures, occurrences, windowHours, persons, slice }) => {
      const found = { metric: metric({ kind: 'mean', windowHours }), occurrences }
      const personOf = (id: string): string => `person ${Number(id.slice(3)) % persons}`
      // As only ids that were shown nothing are asked for.
      const personOfOthers = (id: string): string =>
        exposures.some((exposure) => exposure.id === id) ? 'nobody' : personOf(id)
      const audience = createAudience()
      const tally = createTally(found.metric, audience)
      for (let at = 0; at < exposures.length; at += slice) audience.add(exposures.slice(at, at + slice), personOf)
      for (let at = 0; at < occurrences.length; at += slice)
        tally.add(occurrences.slice(at, at + slice), personOfOthers)
      const { sums, unattributed } = tally.end()
      const { variants: counts, mixed } = audience.count()
      expect({ sums, unattributed, counts, mixed }).toEqual(sumAtOnce(exposures, found, personOf))
    }),
    { numRuns: 500 },
  )
})
