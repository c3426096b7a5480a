import { changedMeanwhile } from '../../ground/errors/changed-meanwhile.ts'
import type { ExperimentsDeps } from './deps.ts'
import { experimentsError } from './errors.ts'
import { findResult, findVariants } from './find-result.ts'
import type { Conclusion, ExperimentBody, ExperimentResult } from './schemas.ts'
import {
  archiveExperimentStatement,
  concludeExperimentStatement,
  type ExperimentRow,
  insertExperimentStatement,
  runExperimentStatement,
  selectExperimentStatement,
  selectExperimentsStatement,
  updateExperimentStatement,
} from './store.ts'

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
      const { version: current, updatedBy: by, updatedAt: at } = await get(id)
      if (current === version) throw experimentsError('CLEW_EXPERIMENTS_STARTED')
      throw experimentsError('CLEW_EXPERIMENTS_CHANGED', changedMeanwhile('the experiment', { by, at }))
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
