import type { Exposure, Occurrences } from '../../../ground/experiments/experiment.ts'
import type { ExperimentResult, Metric, MetricVariant } from '../schemas.ts'
import {
  compareMeans,
  meanInterval,
  type Sample,
  shareChance,
  shareDifference,
  shareInterval,
  splitChance,
} from './compare.ts'

/** A variant of the flag, with the share of persons that it gives it. */
export interface Variant {
  readonly key: string
  readonly share: number
}

/** A person who saw one variant alone. */
interface Exposed {
  readonly variant: string
  readonly firstMs: number
}

/** What was found of a metric, in the order of the experiment's metrics. */
export interface Found {
  readonly metric: Metric
  readonly occurrences: readonly Occurrences[]
}

const hourMs = 3_600_000

/**
 * What an experiment came to.
 *
 * @param personOf names the person of an id, so that several ids of one person count once
 */
export function measure(
  variants: readonly Variant[],
  exposures: readonly Exposure[],
  found: readonly Found[],
  personOf: (id: string) => string,
  until: Date,
): ExperimentResult {
  const control = variants.find(({ key }) => key === 'control')?.key ?? variants[0]?.key ?? ''
  const { exposed, mixed } = joinPersons(exposures, personOf)
  const counts = new Map<string, number>(variants.map(({ key }) => [key, 0]))
  for (const { variant } of exposed.values()) counts.set(variant, (counts.get(variant) ?? 0) + 1)
  const whole = variants.reduce((sum, { share }) => sum + share, 0)
  const keys = variants.map(({ key }) => key)
  return {
    ...{ until: until.toISOString(), control, persons: exposed.size, mixed },
    variants: variants.map(({ key, share }) => ({
      ...{ key, persons: counts.get(key) ?? 0, expectedShare: whole === 0 ? 0 : share / whole },
    })),
    mismatch: splitChance(
      keys.map((key) => counts.get(key) ?? 0),
      variants.map(({ share }) => share),
    ),
    metrics: found.map(({ metric, occurrences }) => {
      const { name, kind, windowHours } = metric
      const { totals, unattributed } = sumByPerson(occurrences, exposed, personOf, windowHours)
      return { name, kind, unattributed, variants: measureMetric(kind, keys, control, counts, exposed, totals) }
    }),
  }
}

/** Joins the ids of each person; who saw several variants is counted, and left out. */
function joinPersons(exposures: readonly Exposure[], personOf: (id: string) => string) {
  const persons = new Map<string, { variants: Set<string>; firstMs: number }>()
  for (const { id, variants, firstMs } of exposures) {
    const person = personOf(id)
    const known = persons.get(person)
    if (known === undefined) persons.set(person, { variants: new Set(variants), firstMs })
    else {
      for (const variant of variants) known.variants.add(variant)
      known.firstMs = Math.min(known.firstMs, firstMs)
    }
  }
  const exposed = new Map<string, Exposed>()
  let mixed = 0
  for (const [person, { variants, firstMs }] of persons) {
    const [variant = '', another] = variants
    if (another === undefined) exposed.set(person, { variant, firstMs })
    else mixed += 1
  }
  return { exposed, mixed }
}

/** What each exposed person did in the window after their first exposure. */
function sumByPerson(
  occurrences: readonly Occurrences[],
  exposed: ReadonlyMap<string, Exposed>,
  personOf: (id: string) => string,
  windowHours: number | null,
) {
  const totals = new Map<string, number>()
  let unattributed = 0
  for (const { id, events } of occurrences) {
    const person = personOf(id)
    const firstMs = exposed.get(person)?.firstMs
    if (firstMs === undefined) {
      unattributed += 1
      continue
    }
    const endMs = windowHours === null ? Number.POSITIVE_INFINITY : firstMs + windowHours * hourMs
    const counted = events.filter(({ atMs }) => atMs >= firstMs && atMs < endMs)
    if (counted.length === 0) continue
    totals.set(
      person,
      counted.reduce((sum, { value }) => sum + value, totals.get(person) ?? 0),
    )
  }
  return { totals, unattributed }
}

function measureMetric(
  kind: Metric['kind'],
  keys: readonly string[],
  control: string,
  counts: ReadonlyMap<string, number>,
  exposed: ReadonlyMap<string, Exposed>,
  totals: ReadonlyMap<string, number>,
): MetricVariant[] {
  const sums = new Map(keys.map((key) => [key, { done: 0, sum: 0, squares: 0 }]))
  for (const [person, total] of totals) {
    const sum = sums.get(exposed.get(person)?.variant ?? '')
    if (sum === undefined) continue
    sum.done += 1
    sum.sum += total
    sum.squares += total * total
  }
  const samples = new Map(
    keys.map((key) => {
      const { done, sum, squares } = sums.get(key) ?? { done: 0, sum: 0, squares: 0 }
      const persons = counts.get(key) ?? 0
      const mean = persons === 0 ? 0 : sum / persons
      // Rounding may leave a little less than nothing.
      const variance = persons < 2 ? 0 : Math.max(0, (squares - persons * mean * mean) / (persons - 1))
      return [key, { persons, converted: done, mean, variance }] as const
    }),
  )
  const base = samples.get(control) ?? { persons: 0, converted: 0, mean: 0, variance: 0 }
  const describe = kind === 'conversion' ? describeShare : describeMean
  return [...samples].map(([key, sample]) => ({ key, ...describe(sample, key === control ? null : base) }))
}

type Counted = Sample & { readonly converted: number }
type Described = Omit<MetricVariant, 'key'>

function describeShare(sample: Counted, control: Counted | null): Described {
  const { persons, converted } = sample
  const known = persons > 0
  const compared = known && control !== null && control.persons > 0
  return {
    ...{ persons, converted, estimate: known ? converted / persons : null },
    interval: known ? shareInterval(sample) : null,
    difference: compared ? shareDifference(sample, control) : null,
    chanceToBeat: compared ? shareChance(sample, control) : null,
  }
}

function describeMean(sample: Counted, control: Counted | null): Described {
  const { persons, mean } = sample
  // A spread takes two persons.
  const known = persons > 1
  const compared = known && control !== null && control.persons > 1 ? compareMeans(sample, control) : null
  return {
    ...{ persons, converted: null, estimate: persons > 0 ? mean : null },
    interval: known ? meanInterval(sample) : null,
    difference: compared?.difference ?? null,
    chanceToBeat: compared?.chance ?? null,
  }
}
