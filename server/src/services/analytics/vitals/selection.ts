/** Metrics of page experience that posthog-js measures (analytics §3), those that search engines go by first. */
export const vitals = ['LCP', 'INP', 'CLS', 'FCP'] as const
export type Vital = (typeof vitals)[number]

/** Up to `good` a value is good, above `poor` it is poor: milliseconds, and of CLS a number without a unit. */
export const thresholds: Readonly<Record<Vital, { readonly good: number; readonly poor: number }>> = {
  LCP: { good: 2500, poor: 4000 },
  INP: { good: 200, poor: 500 },
  CLS: { good: 0.1, poor: 0.25 },
  FCP: { good: 1800, poor: 3000 },
}

export const ratings = ['good', 'needs improvement', 'poor'] as const
export type Rating = (typeof ratings)[number]

/** How a value of a vital is rated. */
export function rate(vital: Vital, value: number): Rating {
  const { good, poor } = thresholds[vital]
  if (value <= good) return 'good'
  return value <= poor ? 'needs improvement' : 'poor'
}

export const percentiles = ['p50', 'p75', 'p90'] as const
export type Percentile = (typeof percentiles)[number]

export const vitalRanges = ['24h', '7d', '30d', '90d'] as const
export type VitalRange = (typeof vitalRanges)[number]

/** Which measurements are meant; null where all are. */
export interface VitalFilter {
  /** `*` stands for any part of it. */
  readonly path: string | null
  readonly device: string | null
  readonly browser: string | null
  /** As ISO 3166 has it. */
  readonly country: string | null
}

/** Measurements of a stretch of time; its end does not belong to it. */
export interface VitalSelection extends VitalFilter {
  readonly fromMs: number
  readonly toMs: number
}

/** What a browser may say at most: of times, in milliseconds, and of shifts. */
export interface VitalBounds {
  readonly vitalsMaxMs: number
  readonly vitalsMaxShift: number
}
