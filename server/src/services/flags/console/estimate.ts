import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { StoredPerson } from '../../../ground/model/person.ts'
import { createEvaluation } from '../evaluate/evaluate.ts'
import type { Prepared } from '../evaluate/prepare.ts'
import { selectListedStatement } from '../stored/store.ts'
import type { Estimate } from './schemas.ts'

/** Persons that are evaluated before other work has its turn. */
const atOnce = 100

/** Which lists each id of some persons is in. */
export async function findListed(
  sql: Pick<Sql, 'query'>,
  persons: readonly StoredPerson[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const ids = persons.flatMap(({ distinctIds }) => distinctIds)
  const { rows } = await sql.query<{ distinctId: string; cohortId: number }>(selectListedStatement(ids))
  const listed = new Map<string, Set<number>>()
  for (const { distinctId, cohortId } of rows)
    listed.set(distinctId, (listed.get(distinctId) ?? new Set()).add(cohortId))
  return listed
}

/**
 * Counts what a flag comes to for stored persons; what depends on a row or a group is not known.
 *
 * @param onPerson hears of each person that has it on
 */
export async function estimate(
  key: string,
  prepared: Prepared,
  persons: readonly StoredPerson[],
  listed: ReadonlyMap<string, ReadonlySet<number>>,
  nowMs: number,
  onPerson: (distinctId: string) => void = () => undefined,
): Promise<Estimate> {
  let on = 0
  let unknown = 0
  const variants = new Map<string, number>()
  for (const [index, { distinctIds, properties }] of persons.entries()) {
    if (index % atOnce === atOnce - 1) await nextTurn()
    const [distinctId = ''] = distinctIds
    const outcome = createEvaluation(
      prepared,
      {
        ...{ distinctId, deviceId: null, groups: {}, groupProperties: {}, rows: new Map() },
        personProperties: { distinct_id: distinctId, ...properties },
        cohorts: new Set(distinctIds.flatMap((id) => [...(listed.get(id) ?? [])])),
        ...{ overrides: new Map(), buckets: new Map() },
      },
      { groupTypes: new Map(), nowMs },
    )(key)
    if (outcome === null || outcome.failed || outcome.reason.code === 'no_group_type') unknown += 1
    else if (outcome.value !== false) {
      on += 1
      onPerson(distinctId)
    }
    if (typeof outcome?.value === 'string') variants.set(outcome.value, (variants.get(outcome.value) ?? 0) + 1)
  }
  return { persons: persons.length, on, unknown, variants: Object.fromEntries(variants) }
}
