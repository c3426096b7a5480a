import type { Sql } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { Exposure, Occurrences } from '../../ground/experiments/experiment.ts'
import { experimentsError } from './errors.ts'
import { type Found, measure, type Variant } from './result/result.ts'
import type { Conclusion, ExperimentBody, ExperimentResult, Metric } from './schemas.ts'
import type { ExperimentsSettings } from './settings.ts'
import {
  archiveExperimentStatement,
  concludeExperimentStatement,
  type ExperimentRow,
  insertExperimentStatement,
  runExperimentStatement,
  selectExperimentStatement,
  selectExperimentsStatement,
  selectRowsStatement,
  updateExperimentStatement,
} from './store.ts'

/** Milliseconds since 1970; the end does not belong to it. */
interface Period {
  readonly fromMs: number
  readonly toMs: number
}

type Named = ReadonlyMap<string, { readonly personId: string }>

/** What experiments need of engines and other services. */
export interface ExperimentsDeps {
  readonly sql: Pick<Sql, 'query'>
  /** Reads tables of the application as their owner, for metrics over rows. */
  readonly reader: Pick<Sql, 'query'>
  readonly flags: {
    /** The variants of a flag in their order; null for one that there is none of. */
    variantsOf(key: string): Promise<readonly Variant[] | null>
    /** Tells clients whether a flag is experimented with. */
    setExperiment(key: string, isRunning: boolean): Promise<void>
  }
  readonly events: {
    exposures(flagKey: string, variants: readonly string[], period: Period, limit: number): Promise<readonly Exposure[]>
    occurrences(event: string, property: string | null, period: Period, limit: number): Promise<readonly Occurrences[]>
  }
  readonly people: {
    byDistinctId(ids: readonly string[]): Promise<Named>
    byUserId(ids: readonly string[]): Promise<Named>
  }
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: ExperimentsSettings
}

/** The experiments of a project. Those that take an id throw CLEW_EXPERIMENTS_NOT_FOUND. */
export interface ExperimentsRoom {
  list(): Promise<readonly ExperimentRow[]>
  get(id: string): Promise<ExperimentRow>
  /** Stores a draft. @throws CLEW_EXPERIMENTS_DEFINITION, CLEW_EXPERIMENTS_TOO_MANY */
  create(given: ExperimentBody, operator: string): Promise<ExperimentRow>
  /** @throws CLEW_EXPERIMENTS_DEFINITION, CLEW_EXPERIMENTS_CHANGED, CLEW_EXPERIMENTS_STARTED */
  update(id: string, version: number, given: ExperimentBody, operator: string): Promise<ExperimentRow>
  /** Begins or ends it. @throws CLEW_EXPERIMENTS_DEFINITION where its flag has no variants any more */
  run(id: string, running: boolean, operator: string): Promise<ExperimentRow>
  /** Ends it with what was concluded. */
  conclude(id: string, conclusion: Conclusion, operator: string): Promise<ExperimentRow>
  archive(id: string, operator: string): Promise<void>
  /** Null before it has begun. @throws CLEW_EXPERIMENTS_TOO_LARGE, CLEW_EXPERIMENTS_ROWS, CLEW_EXPERIMENTS_DEFINITION */
  result(id: string): Promise<ExperimentResult | null>
}

/** Experiments in PostgreSQL, over events and rows that others keep; their table must have been migrated. */
export function createExperiments(deps: ExperimentsDeps): ExperimentsRoom {
  const { sql, flags, newId, settings } = deps
  const found = (row: ExperimentRow | undefined): ExperimentRow => {
    if (row === undefined) throw experimentsError('CLEW_EXPERIMENTS_NOT_FOUND')
    return row
  }
  const get = async (id: string): Promise<ExperimentRow> =>
    found((await sql.query<ExperimentRow>(selectExperimentStatement(id))).rows[0])
  const settle = async (row: ExperimentRow | undefined): Promise<ExperimentRow> => {
    const changed = found(row)
    await flags.setExperiment(changed.flagKey, changed.startedAt !== null && changed.endedAt === null)
    return changed
  }
  return {
    get,
    list: async () => (await sql.query<ExperimentRow>(selectExperimentsStatement(settings.maxExperiments))).rows,
    async create(given, operator) {
      await findVariants(flags, given.flagKey)
      const statement = insertExperimentStatement(newId(), given, operator, settings.maxExperiments)
      const [row] = (await sql.query<ExperimentRow>(statement)).rows
      if (row === undefined) throw experimentsError('CLEW_EXPERIMENTS_TOO_MANY')
      return row
    },
    async update(id, version, given, operator) {
      await findVariants(flags, given.flagKey)
      const [row] = (await sql.query<ExperimentRow>(updateExperimentStatement(id, version, given, operator))).rows
      if (row !== undefined) return row
      const { version: current } = await get(id)
      throw experimentsError(current === version ? 'CLEW_EXPERIMENTS_STARTED' : 'CLEW_EXPERIMENTS_CHANGED')
    },
    async run(id, isRunning, operator) {
      if (isRunning) await findVariants(flags, (await get(id)).flagKey)
      return settle((await sql.query<ExperimentRow>(runExperimentStatement(id, isRunning, operator))).rows[0])
    },
    conclude: async (id, conclusion, operator) =>
      settle((await sql.query<ExperimentRow>(concludeExperimentStatement(id, conclusion, operator))).rows[0]),
    async archive(id, operator) {
      await settle((await sql.query<ExperimentRow>(archiveExperimentStatement(id, operator))).rows[0])
    },
    result: async (id) => findResult(deps, await get(id)),
  }
}

/** @throws CLEW_EXPERIMENTS_DEFINITION */
async function findVariants(flags: ExperimentsDeps['flags'], key: string): Promise<readonly Variant[]> {
  const variants = await flags.variantsOf(key)
  if (variants !== null && variants.length > 1) return variants
  const problem = variants === null ? 'there is no such flag' : 'it has fewer than two variants'
  throw experimentsError('CLEW_EXPERIMENTS_DEFINITION', {
    message: `The experiment cannot be measured by the flag ${key}: ${problem}.`,
  })
}

async function findResult(deps: ExperimentsDeps, experiment: ExperimentRow): Promise<ExperimentResult | null> {
  const { flagKey, metrics, startedAt, endedAt } = experiment
  if (startedAt === null) return null
  const { events, people, flags, settings } = deps
  const until = endedAt ?? deps.now()
  const period = { fromMs: startedAt.getTime(), toMs: until.getTime() }
  const variants = await findVariants(flags, flagKey)
  const keys = variants.map(({ key }) => key)
  // One more than is counted: it tells that there are more.
  const exposures = await events.exposures(flagKey, keys, period, settings.maxPersons + 1)
  checkSize(exposures, settings)
  const found: Found[] = []
  for (const metric of metrics) {
    const occurrences = await findOccurrences(deps, metric, period)
    checkSize(occurrences, settings)
    found.push({ metric, occurrences })
  }
  const persons = new Map<string, string>()
  const name = async (ids: Iterable<string>, ask: (ids: readonly string[]) => Promise<Named>): Promise<void> => {
    const unknown = [...new Set(ids)].filter((id) => !persons.has(id))
    for (let from = 0; from < unknown.length; from += askedAtOnce)
      for (const [id, { personId }] of await ask(unknown.slice(from, from + askedAtOnce))) persons.set(id, personId)
  }
  const idsOf = (type: Metric['source']['type']): string[] =>
    found
      .filter(({ metric }) => metric.source.type === type)
      .flatMap(({ occurrences }) => occurrences.map(({ id }) => id))
  const users = idsOf('rows')
  await name(
    users.filter((id) => uuidForm.test(id)),
    people.byUserId,
  )
  // A column may hold distinct ids as well.
  await name([...exposures.map(({ id }) => id), ...idsOf('events'), ...users], people.byDistinctId)
  return measure(variants, exposures, found, (id) => persons.get(id) ?? id, until)
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Persons that are asked for in one statement. */
const askedAtOnce = 5_000

function checkSize(found: readonly unknown[], { maxPersons }: ExperimentsSettings): void {
  if (found.length > maxPersons) throw experimentsError('CLEW_EXPERIMENTS_TOO_LARGE')
}

async function findOccurrences(
  { events, reader, settings }: ExperimentsDeps,
  { source }: Metric,
  period: Period,
): Promise<readonly Occurrences[]> {
  const limit = settings.maxPersons + 1
  if (source.type === 'events') return events.occurrences(source.event, source.property, period, limit)
  try {
    const { rows } = await reader.query<{
      readonly id: string
      readonly times: readonly number[]
      readonly amounts: readonly number[]
    }>(selectRowsStatement(source, period.fromMs, period.toMs, limit))
    return rows.map(({ id, times, amounts }) => ({
      id,
      events: times.map((atMs, index) => ({ atMs, value: amounts[index] ?? 0 })),
    }))
  } catch (cause) {
    const message = `The table ${source.table} cannot be read for a metric: ${messageOf(cause)}`
    throw experimentsError('CLEW_EXPERIMENTS_ROWS', { message, cause })
  }
}
