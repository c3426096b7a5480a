import type { Sql } from '../../../engines/postgres/index.ts'
import { type IdentityChange, isMention } from './change.ts'
import { findPersons, lockIdentities, markApplied, saveOutcome } from './store.ts'
import { applyChange, createWorld } from './world.ts'

/** A merge that the rules do not allow. */
export interface RefusedMerge extends Pick<IdentityChange, 'distinctId' | 'otherId'> {
  readonly reason: string
}

/** Applies changes in order, those that were applied before excepted; returns the merges that were refused. */
export async function applyChanges(
  tx: Sql,
  changes: readonly IdentityChange[],
  at: Date,
  newId: () => string,
): Promise<readonly RefusedMerge[]> {
  await lockIdentities(tx)
  const uuids = changes.filter((change) => !isMention(change)).map((change) => change.uuid)
  const fresh = await markApplied(tx, uuids, at)
  const ids = changes.flatMap(({ distinctId, otherId }) => (otherId === null ? [distinctId] : [distinctId, otherId]))
  const world = createWorld(await findPersons(tx, [...new Set(ids)]), newId)
  const refused: RefusedMerge[] = []
  const seen = new Set<string>()
  for (const change of changes) {
    // A uuid twice in one batch is fresh once.
    if (!isMention(change) && (!fresh.has(change.uuid) || seen.has(change.uuid))) continue
    seen.add(change.uuid)
    const reason = applyChange(world, change)
    if (reason !== null) refused.push({ reason, distinctId: change.distinctId, otherId: change.otherId })
  }
  await saveOutcome(tx, world.outcome(), at)
  return refused
}
