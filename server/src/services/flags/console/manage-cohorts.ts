import { changedMeanwhile } from '../../../ground/errors/changed-meanwhile.ts'
import type { FlagDefinition } from '../definition/definition.ts'
import type { CohortGroup } from '../definition/schema.ts'
import { flagsError } from '../errors.ts'
import { prepare } from '../evaluate/prepare.ts'
import { findCohortProblem } from '../evaluate/problems.ts'
import type { FlagsDeps, FlagsRoom } from '../flags.ts'
import {
  addMembersStatement,
  type CohortChange,
  type CohortSummaryRow,
  countMembersStatement,
  deleteCohortStatement,
  insertCohortStatement,
  removeMembersStatement,
  selectCohortChangeStatement,
  selectCohortSummariesStatement,
  selectMembersStatement,
  updateCohortStatement,
} from '../stored/cohorts.ts'
import type { Definitions } from '../stored/definitions.ts'
import { type EstimateDeps, estimate } from './estimate.ts'
import type { CohortEstimate } from './schemas.ts'

/** What the console does with cohorts. Those that take an id throw CLEW_FLAGS_NO_COHORT. */
export interface CohortPages {
  list(): Promise<readonly CohortSummaryRow[]>
  /** @returns its id. @throws CLEW_FLAGS_DEFINITION, CLEW_FLAGS_TOO_MANY */
  create(name: string, filters: CohortGroup | null, operator: string): Promise<number>
  /** @throws CLEW_FLAGS_DEFINITION, CLEW_FLAGS_COHORT_CHANGED */
  update(id: number, change: CohortChange, operator: string): Promise<void>
  /** @throws CLEW_FLAGS_IN_USE */
  delete(id: number, operator: string): Promise<void>
  /** Who of the stored persons would be in it. @throws CLEW_FLAGS_DEFINITION */
  estimate(filters: CohortGroup): Promise<CohortEstimate>
  members(id: number, after: string | null, limit: number): Promise<readonly string[]>
  /** @throws CLEW_FLAGS_TOO_MANY */
  addMembers(id: number, distinctIds: readonly string[]): Promise<void>
  removeMembers(id: number, distinctIds: readonly string[]): Promise<void>
}

/** A flag that is on for those in a cohort which is not stored yet, with the number 0. */
const askedFlag: FlagDefinition = {
  ...{ id: 0, key: 'in the cohort', description: '', active: true, keepsBucket: false, bucketing: 'distinct_id' },
  filters: { groups: [{ properties: [{ type: 'cohort', key: 'id', value: 0, operator: 'in' }] }] },
  ...{ runtime: 'all', contexts: [], hasExperiment: false, version: 1 },
}

/** Why a cohort was not changed. */
async function refusalOf(sql: Pick<FlagsDeps['sql'], 'query'>, id: number, { replaces }: CohortChange) {
  const [last] = (await sql.query<{ at: Date; by: string }>(selectCohortChangeStatement(id))).rows
  if (last === undefined) return flagsError('CLEW_FLAGS_NO_COHORT')
  if (last.at.getTime() === replaces.getTime())
    return flagsError('CLEW_FLAGS_DEFINITION', { message: 'A list stays a list, and filters stay filters.' })
  return flagsError('CLEW_FLAGS_COHORT_CHANGED', changedMeanwhile('the cohort', last))
}

export function createCohortPages({ deps, cache }: FlagsRoom['inside']): CohortPages {
  const { sql, settings } = deps
  const check = (filters: CohortGroup | null): void => {
    const problem = filters === null ? null : findCohortProblem(filters)
    if (problem !== null)
      throw flagsError('CLEW_FLAGS_DEFINITION', { message: `The cohort cannot be asked: ${problem}.` })
  }
  const find = async (id: number) => {
    const { cohorts } = await cache.current()
    const cohort = cohorts.find((one) => one.id === id)
    if (cohort === undefined) throw flagsError('CLEW_FLAGS_NO_COHORT')
    return cohort
  }
  const findList = async (id: number): Promise<void> => {
    if ((await find(id)).filters !== null)
      throw flagsError('CLEW_FLAGS_DEFINITION', { message: 'The persons of this cohort follow from its filters.' })
  }
  return {
    list: async () => (await sql.query<CohortSummaryRow>(selectCohortSummariesStatement(settings.maxCohorts))).rows,

    async create(name, filters, operator) {
      check(filters)
      if ((await cache.current()).cohorts.length >= settings.maxCohorts) throw flagsError('CLEW_FLAGS_TOO_MANY')
      const { rows } = await sql.query<{ id: number }>(insertCohortStatement(name, filters, operator))
      cache.changed()
      return rows[0]?.id ?? 0
    },

    async update(id, change, operator) {
      check(change.filters)
      await find(id)
      const { rowCount } = await sql.query(updateCohortStatement(id, change, operator))
      cache.changed()
      if (rowCount === 0) throw await refusalOf(sql, id, change)
    },

    async delete(id, operator) {
      const { flags, cohorts } = await cache.current()
      const users = [
        ...flags.filter(({ filters }) => mentions(filters, id)).map(({ key }) => key),
        ...cohorts.filter(({ filters }) => mentions(filters, id)).map(({ name }) => name),
      ]
      if (users.length > 0)
        throw flagsError('CLEW_FLAGS_IN_USE', { message: `It is asked for by ${users.join(', ')}.` })
      const { rowCount } = await sql.query(deleteCohortStatement(id, operator))
      cache.changed()
      if (rowCount === 0) throw flagsError('CLEW_FLAGS_NO_COHORT')
    },

    async estimate(filters) {
      check(filters)
      return estimateCohort(deps, (await cache.current()).cohorts, filters)
    },

    async members(id, after, limit) {
      await findList(id)
      const { rows } = await sql.query<{ distinctId: string }>(selectMembersStatement(id, after, limit))
      return rows.map(({ distinctId }) => distinctId)
    },

    async addMembers(id, distinctIds) {
      await findList(id)
      const added = [...new Set(distinctIds)]
      const { rowCount } = await sql.query(addMembersStatement(id, added, settings.maxCohortMembers))
      cache.changed()
      // Nothing was added: all were there before, or the list is full.
      if (rowCount > 0) return
      const { rows } = await sql.query<{ count: number }>(countMembersStatement(id))
      if ((rows[0]?.count ?? 0) + added.length > settings.maxCohortMembers) throw flagsError('CLEW_FLAGS_TOO_MANY')
    },

    async removeMembers(id, distinctIds) {
      await findList(id)
      await sql.query(removeMembersStatement(id, distinctIds))
      cache.changed()
    },
  }
}

async function estimateCohort(
  deps: EstimateDeps,
  cohorts: Definitions['cohorts'],
  filters: CohortGroup,
): Promise<CohortEstimate> {
  const prepared = prepare([askedFlag], [...cohorts, { id: 0, name: '', filters }])
  const { asked: persons, on: inside, some } = await estimate(deps, askedFlag.key, prepared)
  return { persons, inside, some }
}

/** Whether filters ask for a cohort, at any depth. */
const mentions = (value: unknown, id: number): boolean => {
  if (Array.isArray(value)) return value.some((one) => mentions(one, id))
  if (typeof value !== 'object' || value === null) return false
  if ('type' in value && value.type === 'cohort' && 'value' in value && Number(value.value) === id) return true
  return Object.values(value).some((one) => mentions(one, id))
}
