import { describe, expect, test } from 'vitest'
import {
  compareMeans,
  meanInterval,
  type Sample,
  shareChance,
  shareDifference,
  shareInterval,
  splitChance,
} from './compare.ts'
import { betaQuantile, betaShare, chiSquareAbove, normalQuantile, tQuantile, tShare } from './distributions.ts'

// Tables of NIST/SEMATECH (e-Handbook, 1.3.6.7) and closed forms: Beta(1, n) and Beta(n, 1) have powers as distribution.
test.each<[name: string, found: number, expected: number, digits: number]>([
  ['t, 0.975, 1', tQuantile(0.975, 1), 12.706, 3],
  ['t, 0.975, 10', tQuantile(0.975, 10), 2.228, 3],
  ['t, 0.975, 30', tQuantile(0.975, 30), 2.042, 3],
  ['t, 0.975, 100', tQuantile(0.975, 100), 1.984, 3],
  ['t, 0.95, 5', tQuantile(0.95, 5), 2.015, 3],
  ['t below 0', tShare(0, 7), 0.5, 7],
  ['normal, 0.975', normalQuantile(0.975), 1.959964, 5],
  ['chi-square above 3.841, 1', chiSquareAbove(3.841, 1), 0.05, 4],
  ['chi-square above 5.991, 2', chiSquareAbove(5.991, 2), 0.05, 4],
  ['chi-square above 18.307, 10', chiSquareAbove(18.307, 10), 0.05, 4],
  ['Beta(1, 4), 0.025', betaQuantile(0.025, 1, 4), 1 - 0.975 ** (1 / 4), 9],
  ['Beta(6, 1), 0.975', betaQuantile(0.975, 6, 1), 0.975 ** (1 / 6), 9],
  ['Beta(1, 100001), 0.975', betaQuantile(0.975, 1, 100_001), 1 - 0.025 ** (1 / 100_001), 9],
  ['Beta(3, 1) below 0.4', betaShare(0.4, 3, 1), 0.4 ** 3, 9],
])('%s is as published', (_, found, expected, digits) => {
  expect(found).toBeCloseTo(expected, digits)
})

test('large posteriors keep their quantiles: the share below one is the one asked for', () => {
  for (const [alpha, beta] of [
    [120, 880],
    [5_001, 95_001],
    [50_001, 50_001],
    [2, 1_000_000],
  ] as const)
    for (const share of [0.025, 0.5, 0.975])
      expect(betaShare(betaQuantile(share, alpha, beta), alpha, beta)).toBeCloseTo(share, 6)
})

/** P(B > A) as a finite sum (Evan Miller, Formulas for Bayesian A/B Testing, formula 6), by logarithms. */
function exactChance(variant: { persons: number; converted: number }, control: typeof variant): number {
  const [a, b] = [1 + control.converted, 1 + control.persons - control.converted]
  const [c, d] = [1 + variant.converted, 1 + variant.persons - variant.converted]
  const logFactorials = [0]
  for (let n = 1; n <= a + b + c + d; n += 1) logFactorials.push((logFactorials[n - 1] ?? 0) + Math.log(n))
  const logBeta = (x: number, y: number): number =>
    (logFactorials[x - 1] ?? 0) + (logFactorials[y - 1] ?? 0) - (logFactorials[x + y - 1] ?? 0)
  let sum = 0
  for (let i = 0; i < c; i += 1)
    sum += Math.exp(logBeta(a + i, b + d) - Math.log(d + i) - logBeta(1 + i, d) - logBeta(a, b))
  return sum
}

describe('shares', () => {
  test.each([
    [
      { persons: 10, converted: 5 },
      { persons: 10, converted: 5 },
    ],
    [
      { persons: 100, converted: 12 },
      { persons: 100, converted: 9 },
    ],
    [
      { persons: 1_000, converted: 130 },
      { persons: 950, converted: 95 },
    ],
    [
      { persons: 40, converted: 0 },
      { persons: 40, converted: 3 },
    ],
    [
      { persons: 3, converted: 3 },
      { persons: 900, converted: 1 },
    ],
  ])('the chance of %j above %j is that of the exact sum', (variant, control) => {
    expect(shareChance(variant, control)).toBeCloseTo(exactChance(variant, control), 6)
  })

  test('an interval holds its share, and narrows as persons come', () => {
    const few = shareInterval({ persons: 20, converted: 5 })
    const many = shareInterval({ persons: 2_000, converted: 500 })
    for (const { low, high } of [few, many]) expect([low < 0.25, high > 0.25]).toEqual([true, true])
    expect(many.high - many.low).toBeLessThan((few.high - few.low) / 5)
    const { estimate, low, high } = shareDifference({ persons: 500, converted: 60 }, { persons: 500, converted: 50 })
    expect(estimate).toBeCloseTo(10 / 502, 9)
    expect([low < 0, high > estimate]).toEqual([true, true])
  })
})

const sampleOf = (values: readonly number[]): Sample => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { persons: values.length, mean, variance: squares / (values.length - 1) }
}

test('means are compared as R compares its data set sleep (t.test(extra ~ group))', () => {
  const one = sampleOf([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2])
  const other = sampleOf([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
  const { difference, chance } = compareMeans(one, other) ?? { difference: { low: 0, high: 0 }, chance: 0 }
  expect(difference.low).toBeCloseTo(-3.3654832, 6)
  expect(difference.high).toBeCloseTo(0.2054832, 6)
  // p = 0.07939 in both tails.
  expect(2 * chance).toBeCloseTo(0.07939, 5)
  const { low, high } = meanInterval(one)
  expect((low + high) / 2).toBeCloseTo(0.75, 9)
  expect(compareMeans(sampleOf([1, 1]), sampleOf([1, 1]))).toBeNull()
})

test.each<[counts: number[], shares: number[], expected: number | null]>([
  // Pearson's statistic of 60 : 40 against halves is 4.
  [[60, 40], [50, 50], 0.0455],
  [[50, 50], [50, 50], 1],
  [[100, 100, 100], [1, 1, 1], 1],
  [[10, 5], [100, 0], 0],
  [[0, 0], [50, 50], null],
  [[10, 0], [100, 0], null],
])('a split of %j by shares %j has the chance %s', (counts, shares, expected) => {
  const found = splitChance(counts, shares)
  if (expected === null || found === null) expect(found).toBe(expected)
  else expect(found).toBeCloseTo(expected, 4)
})
