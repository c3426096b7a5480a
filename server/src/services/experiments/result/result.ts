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

/** A person who was shown a variant. */
interface Exposed {
  /** Null where they saw several. */
  variant: string | null
  firstMs: number
}

/** Names the person of an id, so that several ids of one person count once. */
export type PersonOf = (id: string) => string

/** Who was shown which variant. */
export interface Audience {
  add(exposures: readonly Exposure[], personOf: PersonOf): void
  /** Whether an id was shown a variant itself: its person is known. */
  has(id: string): boolean
  find(id: string, personOf: PersonOf): Exposed | undefined
  count(): Split
}

/** How many persons saw each variant alone, and how many saw several. */
export interface Split {
  readonly variants: ReadonlyMap<string, number>
  readonly mixed: number
}

/** Joins the ids of each person; who saw several variants is counted, and left out. */
export function createAudience(): Audience {
  const ids = new Map<string, Exposed>()
  const persons = new Map<string, Exposed>()
  return {
    add(exposures, personOf) {
      for (const { id, variants, firstMs } of exposures) {
        const person = personOf(id)
        const [first = '', second] = variants
        const variant = second === undefined ? first : null
        const known = persons.get(person)
        const exposed = known ?? { variant, firstMs }
        if (known === undefined) persons.set(person, exposed)
        if (exposed.variant !== variant) exposed.variant = null
        exposed.firstMs = Math.min(exposed.firstMs, firstMs)
        ids.set(id, exposed)
      }
    },
    has: (id) => ids.has(id),
    find: (id, personOf) => ids.get(id) ?? persons.get(personOf(id)),
    count() {
      const variants = new Map<string, number>()
      let mixed = 0
      for (const { variant } of persons.values())
        if (variant === null) mixed += 1
        else variants.set(variant, (variants.get(variant) ?? 0) + 1)
      return { variants, mixed }
    },
  }
}

/** What the persons of a variant did. */
interface Sums {
  readonly done: number
  readonly sum: number
  readonly squares: number
}

/** What was counted of a metric, by variant. */
export interface Counted {
  readonly metric: Metric
  readonly sums: ReadonlyMap<string, Sums>
  readonly unattributed: number
}

/** Sums what each person did in the window after their first exposure. */
export interface Tally {
  /** Adds what some ids did; each id comes once. */
  add(occurrences: readonly Occurrences[], personOf: PersonOf): void
  end(): Counted
}

const hourMs = 3_600_000

/** Counts a metric of an audience that is complete. */
export function createTally(metric: Metric, audience: Pick<Audience, 'find'>): Tally {
  const { windowHours } = metric
  const totals = new Map<Exposed, number>()
  let unattributed = 0
  return {
    add(occurrences, personOf) {
      for (const { id, events } of occurrences) {
        const exposed = audience.find(id, personOf)
        if (exposed === undefined || exposed.variant === null) {
          unattributed += 1
          continue
        }
        const { firstMs } = exposed
        const endMs = windowHours === null ? Number.POSITIVE_INFINITY : firstMs + windowHours * hourMs
        let total = totals.get(exposed)
        for (const { atMs, value } of events) if (atMs >= firstMs && atMs < endMs) total = (total ?? 0) + value
        if (total !== undefined) totals.set(exposed, total)
      }
    },
    end() {
      const sums = new Map<string, { done: number; sum: number; squares: number }>()
      for (const [{ variant }, total] of totals) {
        const key = variant ?? ''
        const sum = sums.get(key) ?? { done: 0, sum: 0, squares: 0 }
        sum.done += 1
        sum.sum += total
        sum.squares += total * total
        sums.set(key, sum)
      }
      return { metric, sums, unattributed }
    },
  }
}

/** How persons were split among the variants. */
export function measureSplit(variants: readonly Variant[], { variants: counts, mixed }: Split) {
  const whole = variants.reduce((sum, { share }) => sum + share, 0)
  return {
    ...{ control: controlOf(variants), mixed },
    persons: [...counts.values()].reduce((sum, persons) => sum + persons, 0),
    variants: variants.map(({ key, share }) => ({
      ...{ key, persons: counts.get(key) ?? 0, expectedShare: whole === 0 ? 0 : share / whole },
    })),
    mismatch: splitChance(
      variants.map(({ key }) => counts.get(key) ?? 0),
      variants.map(({ share }) => share),
    ),
  }
}

const controlOf = (variants: readonly Variant[]): string =>
  variants.find(({ key }) => key === 'control')?.key ?? variants[0]?.key ?? ''

/** What each variant came to by a metric. */
export function measureMetric(
  variants: readonly Variant[],
  { variants: counts }: Split,
  { metric: { name, kind }, sums, unattributed }: Counted,
): ExperimentResult['metrics'][number] {
  const keys = variants.map(({ key }) => key)
  return { name, kind, unattributed, variants: describeVariants(kind, keys, controlOf(variants), counts, sums) }
}

function describeVariants(
  kind: Metric['kind'],
  keys: readonly string[],
  control: string,
  counts: ReadonlyMap<string, number>,
  sums: ReadonlyMap<string, Sums>,
): MetricVariant[] {
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

type CountedSample = Sample & { readonly converted: number }
type Described = Omit<MetricVariant, 'key'>

function describeShare(sample: CountedSample, control: CountedSample | null): Described {
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

function describeMean(sample: CountedSample, control: CountedSample | null): Described {
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
