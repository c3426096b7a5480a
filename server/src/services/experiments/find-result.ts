import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Exposure, Occurrences } from '../../ground/experiments/experiment.ts'
import type { ExperimentsDeps, Named, Period } from './deps.ts'
import { experimentsError } from './errors.ts'
import {
  type Audience,
  type Counted,
  createAudience,
  createTally,
  measureMetric,
  measureSplit,
  type PersonOf,
  type Variant,
} from './result/result.ts'
import { readRows } from './rows.ts'
import type { ExperimentResult, Metric } from './schemas.ts'
import { createSlices } from './slices.ts'
import type { ExperimentRow } from './store.ts'

/**
 * What an experiment came to; null before it has begun. Exposures are read first, then one metric after another; beside
 * the sums by person, no more than a slice of what is read is held.
 *
 * @throws CLEW_EXPERIMENTS_TOO_LARGE, CLEW_EXPERIMENTS_ROWS, CLEW_EXPERIMENTS_DEFINITION
 */
export async function findResult(
  deps: Omit<ExperimentsDeps, 'sql' | 'newId'>,
  { flagKey, metrics, startedAt, endedAt }: Pick<ExperimentRow, 'flagKey' | 'metrics' | 'startedAt' | 'endedAt'>,
): Promise<ExperimentResult | null> {
  if (startedAt === null) return null
  const { events, people, flags, settings } = deps
  const until = endedAt ?? deps.now()
  const period = { fromMs: startedAt.getTime(), toMs: until.getTime() }
  const variants = await findVariants(flags, flagKey)
  const keys = variants.map(({ key }) => key)
  const findPersons = createPersonFinder(
    people,
    metrics.some(({ source }) => source.type === 'rows'),
  )
  const audience = createAudience()
  const exposures = createSlices<Exposure>(settings.maxPersons, async (slice) => {
    audience.add(slice, await findPersons(slice.map(({ id }) => id)))
  })
  // One more than is counted: it tells that there are more.
  for await (const exposure of events.exposures(flagKey, keys, period, settings.maxPersons + 1))
    await exposures.add(exposure)
  await exposures.end()
  const split = audience.count()
  const measured: ExperimentResult['metrics'] = []
  for (const metric of metrics) {
    const counted = await countMetric(deps, metric, period, audience, findPersons)
    // Sums of many persons, and the comparison of many variants, take some milliseconds each.
    await nextTurn()
    measured.push(measureMetric(variants, split, counted))
    await nextTurn()
  }
  return { until: until.toISOString(), ...measureSplit(variants, split), metrics: measured }
}

/** @throws CLEW_EXPERIMENTS_DEFINITION */
export async function findVariants(flags: ExperimentsDeps['flags'], key: string): Promise<readonly Variant[]> {
  const variants = await flags.variantsOf(key)
  if (variants !== null && variants.length > 1) return variants
  const problem = variants === null ? 'there is no such flag' : 'it has fewer than two variants'
  throw experimentsError('CLEW_EXPERIMENTS_DEFINITION', {
    message: `The experiment cannot be measured by the flag ${key}: ${problem}.`,
  })
}

async function countMetric(
  { events, reader, settings }: Pick<ExperimentsDeps, 'events' | 'reader' | 'settings'>,
  metric: Metric,
  period: Period,
  audience: Audience,
  findPersons: (ids: readonly string[]) => Promise<PersonOf>,
): Promise<Counted> {
  const { source } = metric
  const tally = createTally(metric, audience)
  const slices = createSlices<Occurrences>(settings.maxPersons, async (slice) => {
    const unknown = slice.flatMap(({ id }) => (audience.has(id) ? [] : [id]))
    tally.add(slice, await findPersons(unknown))
  })
  if (source.type === 'rows') await readRows(reader, source, period, slices.add)
  else
    for await (const occurrences of events.occurrences(source.event, source.property, period, settings.maxPersons + 1))
      await slices.add(occurrences)
  await slices.end()
  return tally.end()
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds the persons of distinct ids.
 *
 * @param hasUsers whether ids may be those of users: then such an id is the user's, also where an event has it
 */
function createPersonFinder(people: ExperimentsDeps['people'], hasUsers: boolean) {
  const ask = async (ids: readonly string[], find: (ids: readonly string[]) => Promise<Named>): Promise<Named> =>
    ids.length === 0 ? new Map() : find(ids)
  return async (ids: readonly string[]): Promise<PersonOf> => {
    const users = await ask(hasUsers ? ids.filter((id) => uuidForm.test(id)) : [], people.byUserId)
    const others = await ask(
      ids.filter((id) => !users.has(id)),
      people.byDistinctId,
    )
    return (id) => (users.get(id) ?? others.get(id))?.personId ?? id
  }
}
