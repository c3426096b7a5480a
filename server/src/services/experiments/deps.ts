import type { Reader, Sql } from '../../engines/postgres/index.ts'
import type { Exposure, Occurrences } from '../../ground/experiments/experiment.ts'
import type { Variant } from './result/result.ts'
import type { ExperimentsSettings } from './settings.ts'

/** Milliseconds since 1970; the end does not belong to it. */
export interface Period {
  readonly fromMs: number
  readonly toMs: number
}

/** Persons of ids; an id without one is left out. */
export type Named = ReadonlyMap<string, { readonly personId: string }>

/** What experiments need of engines and other services. */
export interface ExperimentsDeps {
  readonly sql: Pick<Sql, 'query'>
  /** Reads tables of the application as their owner, for metrics over rows. */
  readonly reader: Pick<Reader, 'readSlices'>
  readonly flags: {
    /** The variants of a flag in their order; null for one that there is none of. */
    variantsOf(key: string): Promise<readonly Variant[] | null>
    /** Tells clients whether a flag is experimented with. */
    setExperiment(key: string, isRunning: boolean): Promise<void>
  }
  readonly events: {
    exposures(flagKey: string, variants: readonly string[], period: Period, limit: number): AsyncIterable<Exposure>
    occurrences(event: string, property: string | null, period: Period, limit: number): AsyncIterable<Occurrences>
  }
  readonly people: {
    byDistinctId(ids: readonly string[]): Promise<Named>
    byUserId(ids: readonly string[]): Promise<Named>
  }
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: ExperimentsSettings
}
