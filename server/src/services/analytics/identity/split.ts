import type { Sql } from '../../../engines/postgres/index.ts'
import { splitPerson } from './merge.ts'
import { countDistinctIds, findPersons, lockIdentities, saveOutcome } from './store.ts'
import { createWorld } from './world.ts'

/** Ids to be taken away from a person. */
export interface Split {
  readonly personId: string
  readonly distinctIds: readonly string[]
}

/** What became of a split. */
export type SplitOutcome =
  | { readonly kind: 'split'; readonly personId: string }
  /** One of the ids is not the person's, as when another operator was quicker. */
  | { readonly kind: 'not_theirs' }
  /** The person would be left without an id. */
  | { readonly kind: 'nothing_left' }

/** Takes ids away from a person into a new one, in a transaction. */
export async function splitIds(
  tx: Sql,
  { personId, distinctIds }: Split,
  { now, newId }: { readonly now: Date; readonly newId: () => string },
): Promise<SplitOutcome> {
  await lockIdentities(tx)
  const ids = [...new Set(distinctIds)]
  const known = await findPersons(tx, ids)
  const person = ids.map((id) => known.get(id) ?? null).find((one) => one !== null) ?? null
  if (person === null || ids.some((id) => known.get(id)?.id !== personId)) return { kind: 'not_theirs' }
  if ((await countDistinctIds(tx, personId)) <= ids.length) return { kind: 'nothing_left' }
  const { kept, taken } = splitPerson(person, newId(), newId())
  const world = createWorld(known, newId)
  world.put(kept)
  world.put(taken)
  for (const id of ids) world.assign(id, taken)
  await saveOutcome(tx, world.outcome(), now)
  return { kind: 'split', personId: taken.id }
}
