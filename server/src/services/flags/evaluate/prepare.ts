import {
  type CohortDefinition,
  type FlagDefinition,
  type RowTarget,
  readRowTarget,
  rowTargetKey,
} from '../definition/definition.ts'
import { type CohortGroup, type Condition, type Filter, isCohortGroup } from '../definition/schema.ts'
import { isOperator, type Passes, prepareFilter } from './operators.ts'

/** A filter that is ready to be asked. */
export type PreparedFilter =
  | { readonly kind: 'properties'; readonly passes: Passes; readonly negated: boolean }
  | { readonly kind: 'cohort'; readonly cohortId: number; readonly negated: boolean }
  | { readonly kind: 'flag'; readonly key: string; readonly value: boolean | string; readonly negated: boolean }
  | { readonly kind: 'row'; readonly target: string; readonly passes: Passes; readonly negated: boolean }
  /** What its definition says cannot be asked: it passes nothing. */
  | { readonly kind: 'unusable' }

/** A condition group that is ready to be asked. */
export interface PreparedCondition {
  readonly filters: readonly PreparedFilter[]
  /** 0 to 1. */
  readonly rollout: number
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
  /** Rows that conditions look at, with their columns, by `rowTargetKey`. */
  readonly rows: ReadonlyMap<string, { readonly target: RowTarget; readonly columns: ReadonlySet<string> }>
}

const unusable = { kind: 'unusable' } as const

function prepareAsked(filter: Filter): PreparedFilter {
  const { type = 'person', key = '', value, operator, negation: negated = false } = filter
  const name = operator ?? 'exact'
  if (type === 'cohort') return { kind: 'cohort', cohortId: Number(value), negated: negated !== (name === 'not_in') }
  if (type === 'flag')
    return typeof value === 'boolean' || typeof value === 'string' ? { kind: 'flag', key, value, negated } : unusable
  const asked = type === 'row' ? (filter.column ?? '') : key
  const passes = isOperator(name) ? prepareFilter(asked, name, value) : null
  if (passes === null) return unusable
  if (type !== 'row') return { kind: 'properties', passes, negated }
  const target = readRowTarget(filter.table ?? '', filter.match ?? '')
  return target === null ? unusable : { kind: 'row', target: rowTargetKey(target), passes, negated }
}

const prepareCondition = (condition: Condition): PreparedCondition => ({
  filters: (condition.properties ?? []).map(prepareAsked),
  rollout: (condition.rollout_percentage ?? 100) / 100,
  variant: condition.variant ?? null,
  groupTypeIndex: condition.aggregation_group_type_index,
})

/** Prepares one flag. */
function prepareFlag(definition: FlagDefinition): PreparedFlag {
  const { filters, key } = definition
  let from = 0
  const variants = (filters.multivariate?.variants ?? []).map((variant) => {
    const to = from + variant.rollout_percentage / 100
    const range = { key: variant.key, from, to }
    from = to
    return range
  })
  return {
    definition,
    conditions: filters.groups.map(prepareCondition),
    variants,
    groupTypeIndex: filters.aggregation_group_type_index ?? null,
    enrollment: filters.feature_enrollment ? `$feature_enrollment/${key}` : null,
  }
}

const prepareGroup = ({ type = 'AND', values = [] }: CohortGroup): PreparedGroup => ({
  // No member at all is everybody for AND, and for a group that names no way of joining.
  any: type === 'OR',
  members: values.map((value) => (isCohortGroup(value) ? prepareGroup(value) : prepareAsked(value))),
})

/** Prepares the flags and cohorts of a project. */
export function prepare(flags: readonly FlagDefinition[], cohorts: readonly CohortDefinition[]): Prepared {
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
  return {
    flags: new Map(flags.map((flag) => [flag.key, prepareFlag(flag)])),
    cohorts: new Map(cohorts.map(({ id, filters }) => [id, filters === null ? null : prepareGroup(filters)])),
    rows,
  }
}
