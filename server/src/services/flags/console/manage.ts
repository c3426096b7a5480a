import { violates } from '../../../engines/postgres/index.ts'
import { changedMeanwhile } from '../../../ground/errors/changed-meanwhile.ts'
import type { FlagCall, FlagValue } from '../../../ground/flags/flags.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import type { FlagFilters } from '../definition/schema.ts'
import { flagsError } from '../errors.ts'
import { evaluateCall, type FlagsDeps, type FlagsRoom } from '../flags.ts'
import { type Definitions, prepareDefinitions } from '../stored/definitions.ts'
import { isRemoteOnly } from '../stored/local.ts'
import {
  type ChangeRow,
  type FlagInput,
  type FlagRow,
  insertFlagStatement,
  type OverrideRow,
  selectChangesStatement,
  selectOverridesStatement,
  setOverrideStatement,
  updateFlagStatement,
} from '../stored/store.ts'
import { checkFlag } from './check.ts'
import { estimate } from './estimate.ts'
import type { ChangesPage, DraftBody, Estimate, Evaluation, FlagSchema, FlagSummary } from './schemas.ts'

/** What the console does with flags. Those that take a key throw CLEW_FLAGS_NOT_FOUND. */
export interface FlagPages {
  list(): Promise<readonly FlagSummary[]>
  get(key: string): Promise<FlagSchema>
  /** @throws CLEW_FLAGS_KEY_TAKEN, CLEW_FLAGS_DEFINITION, CLEW_FLAGS_TOO_MANY */
  create(key: string, flag: FlagInput, operator: string): Promise<FlagSchema>
  /** @param version that the change was made of. @throws CLEW_FLAGS_CHANGED, CLEW_FLAGS_DEFINITION */
  update(key: string, version: number, flag: FlagInput, operator: string): Promise<FlagSchema>
  history(key: string, before: number | null, limit: number): Promise<ChangesPage>
  /** Who would get it. */
  estimate(key: string, draft: DraftBody): Promise<Estimate>
  /** What one person gets in their groups, and why. */
  evaluate(key: string, asked: AskedFor, draft: DraftBody): Promise<Evaluation>
  overrides(key: string): Promise<readonly OverrideRow[]>
  /** @param value null takes it away */
  override(key: string, distinctId: string, value: FlagValue | null): Promise<void>
}

/** The person and the groups that a client would ask for. */
type AskedFor = Pick<FlagCall, 'distinctId' | 'groups'>

const shownOverrides = 500

/** @throws CLEW_FLAGS_NOT_FOUND */
type Find = (key: string) => Promise<{ readonly flag: FlagRow; readonly definitions: Definitions }>

export function createFlagPages({ deps, cache }: FlagsRoom['inside']): FlagPages {
  const find: Find = async (key) => {
    const definitions = await cache.current()
    const flag = definitions.flags.find((one) => one.key === key)
    if (flag === undefined) throw flagsError('CLEW_FLAGS_NOT_FOUND')
    return { flag, definitions }
  }
  return {
    list: async () => (await cache.current()).flags.map(summarize),
    get: async (key) => renderFlag((await find(key)).flag),
    async history(key, before, limit) {
      const { flag } = await find(key)
      const { rows } = await deps.sql.query<ChangeRow>(selectChangesStatement(flag.id, before, limit + 1))
      return renderChanges(rows, limit)
    },
    ...createChanges({ deps, cache }, find),
    ...createQuestions(deps, find),
    ...createOverrides({ deps, cache }, find),
  }
}

/** What is asked of a flag, as it is stored or as it is drafted. */
function createQuestions(deps: FlagsDeps, find: Find): Pick<FlagPages, 'estimate' | 'evaluate'> {
  const { reader, people, settings } = deps
  const checks = { reader, maxRowLookups: settings.maxRowLookups }
  /** The definitions with a draft of one flag in the place of what is stored. */
  const withDraft = async (key: string, draft: DraftBody): Promise<Definitions> => {
    const { definitions } = await find(key)
    if (draft.filters !== undefined) await checkFlag(key, draft.filters, definitions, checks)
    const flags = definitions.flags.map((flag) => (flag.key === key ? { ...flag, ...draft } : flag))
    return prepareDefinitions({ ...definitions, flags })
  }
  return {
    async estimate(key, draft) {
      const { prepared } = await withDraft(key, draft)
      return estimate(deps, key, prepared)
    },

    async evaluate(key, asked, draft) {
      const definitions = await withDraft(key, draft)
      const [flag] = await evaluateCall(deps, definitions, callFor(key, asked))
      const person = await people.person(asked.distinctId)
      if (flag === undefined) throw flagsError('CLEW_FLAGS_NOT_FOUND')
      const { value, reason, failed, payload } = flag
      return {
        ...{ value, code: reason.code, reason: reason.description, conditionIndex: reason.conditionIndex },
        ...{ failed, payload, isKnown: person !== null, properties: person?.properties ?? {} },
      }
    },
  }
}

/** Changes of flags: each is checked first. */
function createChanges(
  { deps: { sql, reader, settings }, cache }: FlagsRoom['inside'],
  find: Find,
): Pick<FlagPages, 'create' | 'update'> {
  const checks = { reader, maxRowLookups: settings.maxRowLookups }
  const changed = <Row>(rows: readonly Row[]): Row | undefined => {
    // NOTIFY tells the other processes; this one answers its next call by what it has just stored.
    cache.changed()
    return rows[0]
  }

  return {
    async create(key, flag, operator) {
      const definitions = await cache.current()
      if (definitions.flags.length >= settings.maxFlags) throw flagsError('CLEW_FLAGS_TOO_MANY')
      await checkFlag(key, flag.filters, definitions, checks)
      try {
        const row = changed((await sql.query<FlagRow>(insertFlagStatement(key, flag, operator))).rows)
        if (row === undefined) throw new Error('An insert answered no row.')
        return renderFlag(row)
      } catch (cause) {
        throw violates(cause, 'flags_key_idx') ? flagsError('CLEW_FLAGS_KEY_TAKEN', { cause }) : cause
      }
    },

    async update(key, version, flag, operator) {
      await checkFlag(key, flag.filters, (await find(key)).definitions, checks)
      const row = changed((await sql.query<FlagRow>(updateFlagStatement(key, version, flag, operator))).rows)
      if (row !== undefined) return renderFlag(row)
      const { updatedBy: by, updatedAt: at } = (await find(key)).flag
      throw flagsError('CLEW_FLAGS_CHANGED', changedMeanwhile('the flag', { by, at }))
    },
  }
}

/** Values of single persons. */
function createOverrides(
  { deps: { sql }, cache }: FlagsRoom['inside'],
  find: Find,
): Pick<FlagPages, 'overrides' | 'override'> {
  return {
    async overrides(key) {
      const { flag } = await find(key)
      return (await sql.query<OverrideRow>(selectOverridesStatement(flag.id, shownOverrides))).rows
    },

    async override(key, distinctId, value) {
      const { flag } = await find(key)
      const variants = flag.filters.multivariate?.variants ?? []
      if (typeof value === 'string' && !variants.some((variant) => variant.key === value))
        throw flagsError('CLEW_FLAGS_DEFINITION', { message: `There is no variant ${value}.` })
      await sql.query(setOverrideStatement(flag.id, distinctId, value))
      cache.changed()
    },
  }
}

/** A call about one person alone, as the console makes it. */
const callFor = (key: string, asked: AskedFor): FlagCall => ({
  ...{ ...asked, anonymousId: null, deviceId: null, personProperties: {}, groupProperties: {} },
  ...{ keys: [key], runtime: null, contexts: [] },
})

const rolloutOf = ({ groups }: FlagFilters): number | null =>
  groups.length === 0 ? null : Math.max(...groups.map((group) => group.rollout_percentage ?? 100))

const summarize = ({ key, description, active, filters, updatedAt, updatedBy }: FlagRow): FlagSummary => ({
  ...{ key, description, active, conditions: filters.groups.length, rollout: rolloutOf(filters) },
  isTargeted: filters.groups
    .filter((group) => (group.rollout_percentage ?? 100) === rolloutOf(filters))
    .every(({ properties = [] }) => properties.length > 0),
  variants: (filters.multivariate?.variants ?? []).map((variant) => ({
    key: variant.key,
    share: variant.rollout_percentage,
  })),
  ...{ updatedAt: updatedAt.toISOString(), updatedBy },
})

/** A flag as the console is answered. */
export const renderFlag = (flag: FlagRow): FlagSchema => ({
  ...flag,
  contexts: [...flag.contexts],
  // The column holds what the schema of the console let in.
  earlyAccess: flag.earlyAccess as FlagSchema['earlyAccess'],
  createdAt: flag.createdAt.toISOString(),
  updatedAt: flag.updatedAt.toISOString(),
  remoteOnly: isRemoteOnly(flag),
})

function renderChanges(rows: readonly ChangeRow[], limit: number): ChangesPage {
  const changes = rows.slice(0, limit).map(({ version, changedAt, changedBy, flag }, index) => ({
    ...{ version, changedAt: changedAt.toISOString(), changedBy, flag },
    changed: differences(rows[index + 1]?.flag ?? {}, flag),
  }))
  return { changes, next: rows.length > limit ? (changes.at(-1)?.version ?? null) : null }
}

/** The names of members that differ. */
const differences = (before: JsonObject, after: JsonObject): string[] =>
  Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
