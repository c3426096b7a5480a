import type { Prepared, PreparedFilter, PreparedGroup } from '../evaluate/prepare.ts'

/** What has to be looked up for a call, as the definitions say. */
export interface Needs {
  readonly person: boolean
  /** Whether lists, values of single persons or kept buckets may say something. */
  readonly membership: boolean
  /** Flags that keep their bucket. */
  readonly keeping: readonly number[]
  readonly groups: boolean
}

/** What no call has to look up where no active flag asks for it. */
export function planNeeds(
  { flags, cohorts, rows }: Prepared,
  { hasMembers: hasLists, overridden }: { readonly hasMembers: boolean; readonly overridden: ReadonlySet<number> },
): Needs {
  const active = [...flags.values()].filter(({ definition }) => definition.active)
  const filters = active.flatMap(({ conditions }) => conditions.flatMap((condition) => condition.filters))
  const asks = (kind: PreparedFilter['kind']): boolean => filters.some((filter) => filter.kind === kind)
  const usesCohorts = asks('cohort')
  const asksPerson = asks('properties') || (usesCohorts && [...cohorts.values()].some(asksProperties))
  const keeping = active.flatMap(({ definition }) => (definition.keepsBucket ? [definition.id] : []))
  const membership = (usesCohorts && hasLists) || overridden.size > 0 || keeping.length > 0
  const enrolls = active.some(({ enrollment }) => enrollment !== null)
  return {
    person: asksPerson || enrolls || membership || rows.size > 0,
    membership,
    keeping,
    groups: active.some(
      ({ groupTypeIndex, conditions }) =>
        groupTypeIndex !== null || conditions.some((condition) => (condition.groupTypeIndex ?? null) !== null),
    ),
  }
}

const asksProperties = (group: PreparedGroup | null): boolean => group !== null && group.members.length > 0
