import {
  type CohortDefinition,
  type FlagDefinition,
  type RowTarget,
  readRowTarget,
  rowTargetKey,
} from '../definition/definition.ts'
import { type CohortGroup, type Condition, type Filter, isCohortGroup } from '../definition/schema.ts'
import { type Answer, prepareAnswer } from './answers.ts'
import { isOperator, type Passes, prepareFilter as preparePropertyFilter } from './operators.ts'

/** What a filter asks, ready to be asked. */
type Question =
  | { readonly kind: 'properties'; readonly passes: Passes; readonly negated: boolean }
  | { readonly kind: 'cohort'; readonly cohortId: number; readonly negated: boolean }
  | { readonly kind: 'flag'; readonly key: string; readonly value: boolean | string; readonly negated: boolean }
  | { readonly kind: 'row'; readonly target: string; readonly passes: Passes; readonly negated: boolean }
  /** What its definition says cannot be asked: it passes nothing. */
  | { readonly kind: 'unusable' }

/** A filter that is ready to be asked; filters of one definition, in whatever flags, are one object. */
export type PreparedFilter = Question & {
  /** Its place among the filters of the project. */
  readonly index: number
}

/** A condition group that is ready to be asked. */
export interface PreparedCondition {
  /** Counted from 0. */
  readonly index: number
  readonly filters: readonly PreparedFilter[]
  /** 0 to 1. */
  readonly rollout: number
  /** Null where it names none of the flag's. */
  readonly variant: string | null
  /** Undefined for the flag's own. */
  readonly groupTypeIndex: number | null | undefined
}

/** A flag that is ready to be evaluated. */
export interface PreparedFlag {
  readonly definition: FlagDefinition
  readonly conditions: readonly PreparedCondition[]
  /** Half-open ranges of the hash. */
  readonly variants: readonly { readonly key: string; readonly from: number; readonly to: number }[]
  readonly groupTypeIndex: number | null
  /** The property by which users switch it on for themselves; null where they do not. */
  readonly enrollment: string | null
  readonly answer: Answer
}

/** A cohort that is ready to be asked: null is a list of persons. */
export type PreparedCohort = PreparedGroup | null

export interface PreparedGroup {
  readonly any: boolean
  readonly members: readonly (PreparedGroup | PreparedFilter)[]
}

/** What the flags and cohorts of a project come to. */
export interface Prepared {
  /** By key, in the order of the keys. */
  readonly flags: ReadonlyMap<string, PreparedFlag>
  readonly cohorts: ReadonlyMap<number, PreparedCohort>
  /** How many different filters there are. */
  readonly filters: number
  /** Rows that conditions look at, with their columns, by `rowTargetKey`. */
  readonly rows: ReadonlyMap<string, WantedRow>
}

/** A user's row that conditions look at, with the columns that they compare. */
export interface WantedRow {
  readonly target: RowTarget
  readonly columns: ReadonlySet<string>
}

const unusable = { kind: 'unusable' } as const

function readQuestion(filter: Filter): Question {
  const { type = 'person', key = '', value, operator, negation: negated = false } = filter
  const name = operator ?? 'exact'
  if (type === 'cohort') return { kind: 'cohort', cohortId: Number(value), negated: negated !== (name === 'not_in') }
  if (type === 'flag')
    return typeof value === 'boolean' || typeof value === 'string' ? { kind: 'flag', key, value, negated } : unusable
  const asked = type === 'row' ? (filter.column ?? '') : key
  const passes = isOperator(name) ? preparePropertyFilter(asked, name, value) : null
  if (passes === null) return unusable
  if (type !== 'row') return { kind: 'properties', passes, negated }
  const target = readRowTarget(filter.table ?? '', filter.match ?? '')
  return target === null ? unusable : { kind: 'row', target: rowTargetKey(target), passes, negated }
}

/** Prepares a filter, each definition once. */
type PrepareFilter = (filter: Filter) => PreparedFilter

function createPrepareFilter(known: Map<string, PreparedFilter>): PrepareFilter {
  return (filter) => {
    const definition = JSON.stringify(filter)
    const before = known.get(definition)
    if (before !== undefined) return before
    const prepared = { ...readQuestion(filter), index: known.size }
    known.set(definition, prepared)
    return prepared
  }
}

/** Prepares one flag. */
function prepareFlag(definition: FlagDefinition, prepareFilter: PrepareFilter): PreparedFlag {
  const { filters, key } = definition
  let from = 0
  const variants = (filters.multivariate?.variants ?? []).map((variant) => {
    const to = from + variant.rollout_percentage / 100
    const range = { key: variant.key, from, to }
    from = to
    return range
  })
  const prepareCondition = (condition: Condition, index: number): PreparedCondition => ({
    index,
    filters: (condition.properties ?? []).map(prepareFilter),
    rollout: (condition.rollout_percentage ?? 100) / 100,
    variant: variants.find((variant) => variant.key === condition.variant)?.key ?? null,
    groupTypeIndex: condition.aggregation_group_type_index,
  })
  return {
    definition,
    conditions: filters.groups.map(prepareCondition),
    variants,
    groupTypeIndex: filters.aggregation_group_type_index ?? null,
    enrollment: filters.feature_enrollment ? `$feature_enrollment/${key}` : null,
    answer: prepareAnswer(definition),
  }
}

const prepareGroup = ({ type = 'AND', values = [] }: CohortGroup, prepareFilter: PrepareFilter): PreparedGroup => ({
  // No member at all is everybody for AND, and for a group that names no way of joining.
  any: type === 'OR',
  members: values.map((value) => (isCohortGroup(value) ? prepareGroup(value, prepareFilter) : prepareFilter(value))),
})

/** Prepares the flags and cohorts of a project. */
export function prepare(flags: readonly FlagDefinition[], cohorts: readonly CohortDefinition[]): Prepared {
  const known = new Map<string, PreparedFilter>()
  const prepareFilter = createPrepareFilter(known)
  const byKey = new Map(flags.map((flag) => [flag.key, prepareFlag(flag, prepareFilter)]))
  const byId = new Map(
    cohorts.map(({ id, filters }) => [id, filters === null ? null : prepareGroup(filters, prepareFilter)]),
  )
  return { flags: byKey, cohorts: byId, filters: known.size, rows: findRowTargets(flags) }
}

function findRowTargets(flags: readonly FlagDefinition[]): Prepared['rows'] {
  const rows = new Map<string, { readonly target: RowTarget; readonly columns: Set<string> }>()
  for (const { properties = [] } of flags.flatMap(({ filters }) => filters.groups))
    for (const { type, table = '', match = '', column = '' } of properties) {
      const target = type === 'row' ? readRowTarget(table, match) : null
      if (target === null) continue
      const key = rowTargetKey(target)
      const known = rows.get(key) ?? { target, columns: new Set<string>() }
      known.columns.add(column)
      rows.set(key, known)
    }
  return rows
}
