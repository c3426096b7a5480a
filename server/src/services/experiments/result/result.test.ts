import { expect, test } from 'vitest'
import type { Metric } from '../schemas.ts'
import { measure } from './result.ts'

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
const until = new Date('2026-01-02T00:00:00Z')
const hourMs = 3_600_000

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
  const result = measure(variants, exposures, [{ metric: metric({}), occurrences }], personOf, until)
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
  const { metrics } = measure(variants, exposures, [{ metric: mean, occurrences }], (id) => id, until)
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
    ...([variants, [shown('a', 0, 'test')], [{ metric: metric({ kind: 'mean' }), occurrences: [] }]] as const),
    (id) => id,
    until,
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
