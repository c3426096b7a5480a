import {
  betaDensity,
  betaQuantile,
  betaShare,
  chiSquareAbove,
  normalQuantile,
  tQuantile,
  tShare,
} from './distributions.ts'

/** Where a value lies at 95 %. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** An estimate with its interval. */
export interface Estimated extends Interval {
  readonly estimate: number
}

const confidence = 0.95
const upper = (1 + confidence) / 2

/** Persons who did it, of all. */
export interface Conversions {
  readonly persons: number
  readonly converted: number
}

/** What a metric came to over persons: their number, the mean and the variance (n - 1). */
export interface Sample {
  readonly persons: number
  readonly mean: number
  readonly variance: number
}

/** A posterior under the uniform prior: Beta(1 + converted, 1 + others). */
const posterior = ({ persons, converted }: Conversions) => {
  const alpha = 1 + converted
  const beta = 1 + persons - converted
  const mean = alpha / (alpha + beta)
  return { alpha, beta, mean, variance: (mean * (1 - mean)) / (alpha + beta + 1) }
}

/** The credible interval of a share. */
export function shareInterval(conversions: Conversions): Interval {
  const { alpha, beta } = posterior(conversions)
  return { low: betaQuantile(1 - upper, alpha, beta), high: betaQuantile(upper, alpha, beta) }
}

/** How far a share is above the control's: the means of the posteriors, their difference as a normal distribution. */
export function shareDifference(variant: Conversions, control: Conversions): Estimated {
  const [one, other] = [posterior(variant), posterior(control)]
  return around(one.mean - other.mean, normalQuantile(upper) * Math.sqrt(one.variance + other.variance))
}

/** Beyond so many standard deviations nothing is left of a posterior; one of no conversions falls slowly. */
const reach = 20
const steps = 2_000

/** The chance that a share is above the control's: the control's posterior below each value of the variant's, by Simpson's rule. */
export function shareChance(variant: Conversions, control: Conversions): number {
  const [one, other] = [posterior(variant), posterior(control)]
  const deviation = Math.sqrt(one.variance)
  const from = Math.max(0, one.mean - reach * deviation)
  const to = Math.min(1, one.mean + reach * deviation)
  let above = 0
  let all = 0
  for (let step = 0; step <= steps; step += 1) {
    const x = from + ((to - from) * step) / steps
    const weight = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2
    const density = weight * betaDensity(x, one.alpha, one.beta)
    above += density * betaShare(x, other.alpha, other.beta)
    all += density
  }
  return above / all
}

/** The confidence interval of a mean. */
export const meanInterval = ({ persons, mean, variance }: Sample): Interval => {
  const { low, high } = around(mean, tQuantile(upper, persons - 1) * Math.sqrt(variance / persons))
  return { low, high }
}

/** Welch's comparison of two means, whose variances need not be equal. */
export function compareMeans(variant: Sample, control: Sample): { difference: Estimated; chance: number } | null {
  const [one, other] = [variant.variance / variant.persons, control.variance / control.persons]
  const error = Math.sqrt(one + other)
  if (error === 0) return null
  const freedom = (one + other) ** 2 / (one ** 2 / (variant.persons - 1) + other ** 2 / (control.persons - 1))
  const estimate = variant.mean - control.mean
  return {
    difference: around(estimate, tQuantile(upper, freedom) * error),
    chance: tShare(estimate / error, freedom),
  }
}

const around = (estimate: number, margin: number): Estimated => ({
  ...{ estimate, low: estimate - margin, high: estimate + margin },
})

/**
 * The chance of a split as uneven as this one, if each person fell to a variant with its share (Pearson's chi-square).
 *
 * @param shares in any unit
 * @returns null where nothing can be said: no person, or fewer than two variants with a share; 0 for a person of a variant
 *   without one
 */
export function splitChance(counts: readonly number[], shares: readonly number[]): number | null {
  const persons = counts.reduce((sum, count) => sum + count, 0)
  const whole = shares.reduce((sum, share) => sum + share, 0)
  const used = counts.map((count, index) => ({ count, expected: ((shares[index] ?? 0) / whole) * persons }))
  const possible = used.filter(({ expected }) => expected > 0)
  if (persons > 0 && used.some(({ count, expected }) => count > 0 && expected === 0)) return 0
  if (persons === 0 || possible.length < 2) return null
  const distance = possible.reduce((sum, { count, expected }) => sum + (count - expected) ** 2 / expected, 0)
  return chiSquareAbove(distance, possible.length - 1)
}
