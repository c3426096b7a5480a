import type { Prepared, PreparedFlag } from '../evaluate/prepare.ts'

/** Of what a flag is told to depend, besides the person or group that it is estimated for. */
export interface Dependence {
  /** Rows that it, or a flag that it asks for, looks at, by `rowTargetKey`. */
  readonly targets: ReadonlySet<string>
  /**
   * Where the filters read what an estimate does not have: groups of another type, or persons while it counts groups. A condition
   * that does so does not hold; behind another flag or a list, the outcome is unknown.
   */
  readonly onOthers: 'nothing' | 'a condition' | 'another flag or a list'
}

/**
 * What the outcome of a flag depends on.
 *
 * @param groupType the number of the type that the flag counts groups of; null: it counts persons
 */
export function findDependence(flag: PreparedFlag, groupType: number | null, { flags, cohorts }: Prepared): Dependence {
  const targets = new Set<string>()
  const visited = new Set<PreparedFlag>()
  let isHidden = false
  const visit = (one: PreparedFlag): void => {
    if (visited.has(one)) return
    visited.add(one)
    if (one !== flag && asksOthers(one, groupType)) isHidden = true
    for (const filter of one.conditions.flatMap(({ filters }) => filters)) {
      if (filter.kind === 'row') targets.add(filter.target)
      if (filter.kind === 'cohort' && groupType !== null && cohorts.get(filter.cohortId) === null) isHidden = true
      const asked = filter.kind === 'flag' ? flags.get(filter.key) : undefined
      if (asked !== undefined) visit(asked)
    }
  }
  visit(flag)
  const onOthers = isHidden ? 'another flag or a list' : asksOthers(flag, groupType) ? 'a condition' : 'nothing'
  return { targets, onOthers }
}

const asksOthers = (flag: PreparedFlag, groupType: number | null): boolean =>
  flag.groupTypeIndex !== groupType ||
  flag.conditions.some(({ groupTypeIndex }) => groupTypeIndex != null && groupTypeIndex !== groupType)
