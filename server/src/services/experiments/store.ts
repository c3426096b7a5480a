import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { constant, identifier, sql, typed } from '../../ground/sql/sql.ts'
import type { Conclusion, ExperimentBody, Metric } from './schemas.ts'

/** An experiment as it is stored. */
export interface ExperimentRow extends ExperimentBody {
  readonly id: string
  readonly version: number
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly conclusion: Conclusion | null
  readonly updatedAt: Date
  readonly updatedBy: string
}

const columns = constant(`
  e.id, e.name, e.hypothesis, e.flag_key as "flagKey", e.metrics, e.started_at as "startedAt", e.ended_at as "endedAt",
  e.conclusion, e.version, e.updated_at as "updatedAt", e.updated_by as "updatedBy"`)

/** All experiments that are not archived, latest first. */
export const selectExperimentsStatement = (limit: number): Statement =>
  compile(sql`
    select ${columns}
    from clew_experiments.experiments e
    where e.deleted_at is null
    order by e.created_at desc, e.id
    limit ${limit}`)

export const selectExperimentStatement = (id: string): Statement =>
  compile(sql`select ${columns} from clew_experiments.experiments e where e.id = ${id} and e.deleted_at is null`)

/** Stores an experiment unless there are `limit` of them; one row with it, or none. */
export const insertExperimentStatement = (id: string, given: ExperimentBody, by: string, limit: number): Statement =>
  compile(sql`
    insert into clew_experiments.experiments as e (id, name, hypothesis, flag_key, metrics, updated_by)
    select ${typed(id, 'uuid')}, ${given.name}, ${given.hypothesis}, ${given.flagKey}, ${json(given.metrics)}, ${by}
    where (select count(*) from clew_experiments.experiments where deleted_at is null) < ${limit}
    returning ${columns}`)

/** Changes an experiment that is still of this version; its flag only before it begins. */
export const updateExperimentStatement = (id: string, version: number, given: ExperimentBody, by: string): Statement =>
  compile(sql`
    update clew_experiments.experiments e
    set name = ${given.name}, hypothesis = ${given.hypothesis}, flag_key = ${given.flagKey},
      metrics = ${json(given.metrics)}, version = e.version + 1, updated_at = now(), updated_by = ${by}
    where e.id = ${id} and e.version = ${version} and e.deleted_at is null
      and (e.started_at is null or e.flag_key = ${given.flagKey})
    returning ${columns}`)

/** Begins an experiment, ends it, or goes on with it after its end. */
export const runExperimentStatement = (id: string, running: boolean, by: string): Statement =>
  compile(sql`
    update clew_experiments.experiments e
    set started_at = coalesce(e.started_at, now()),
      ended_at = case when ${typed(running, 'boolean')} then null else coalesce(e.ended_at, now()) end,
      conclusion = case when ${typed(running, 'boolean')} then null else e.conclusion end,
      version = e.version + 1, updated_at = now(), updated_by = ${by}
    where e.id = ${id} and e.deleted_at is null
    returning ${columns}`)

/** Keeps what was concluded, and ends the experiment. */
export const concludeExperimentStatement = (id: string, conclusion: Conclusion, by: string): Statement =>
  compile(sql`
    update clew_experiments.experiments e
    set conclusion = ${json(conclusion)}, ended_at = coalesce(e.ended_at, now()),
      version = e.version + 1, updated_at = now(), updated_by = ${by}
    where e.id = ${id} and e.deleted_at is null and e.started_at is not null
    returning ${columns}`)

export const archiveExperimentStatement = (id: string, by: string): Statement =>
  compile(sql`
    update clew_experiments.experiments e
    set deleted_at = now(), ended_at = coalesce(e.ended_at, now()), updated_at = now(), updated_by = ${by}
    where e.id = ${id} and e.deleted_at is null
    returning ${columns}`)

/** Rows of one user beyond these are left out. */
const mostRows = 1_000

/** Where rows of the application are read. */
export type RowSource = Extract<Metric['source'], { type: 'rows' }>

/** A row of the application, as a metric counts it. */
export interface SelectedRow {
  readonly id: string
  readonly at_ms: number
  readonly value: number
}

/** When users got rows of a table, and their values: one user after another, each by time. */
export function selectRowsStatement(
  { table, userColumn, timeColumn, valueColumn }: RowSource,
  fromMs: number,
  toMs: number,
): Statement {
  const [first = '', second] = table.split('.')
  const named = second === undefined ? identifier('public', first) : identifier(first, second)
  const value = valueColumn === null ? sql`1::float8` : sql`coalesce(${identifier(valueColumn)}, 0)::float8`
  return compile(sql`
    select n.id, n.at_ms, n.value
    from (
      select r.id, r.at_ms, r.value, row_number() over (partition by r.id order by r.at_ms) as number
      from (
        select ${identifier(userColumn)}::text as id, extract(epoch from ${identifier(timeColumn)})::float8 * 1000 as at_ms,
          ${value} as value
        from ${named}
        where ${identifier(userColumn)} is not null
          and ${identifier(timeColumn)} >= to_timestamp(${typed(fromMs, 'float8')} / 1000)
          and ${identifier(timeColumn)} < to_timestamp(${typed(toMs, 'float8')} / 1000)
      ) r
    ) n
    where n.number <= ${typed(mostRows, 'int')}
    order by n.id, n.number`)
}

const json = (value: unknown) => typed(JSON.stringify(value), 'jsonb')
