import type { Sql } from '../../../engines/postgres/index.ts'
import { alwaysAllowed, mayBeStored } from '../../../ground/privacy/consent.ts'
import type { Consents, Decisions } from '../consent/consent.ts'
import type { Decision } from '../consent/decision.ts'
import { type IdentityChange, isMention } from './change.ts'
import { findPersons, lockIdentities, markApplied, saveOutcome } from './store.ts'
import { applyChange, createWorld } from './world.ts'

/** A merge that the rules do not allow. */
interface RefusedMerge extends Pick<IdentityChange, 'distinctId' | 'otherId'> {
  readonly reason: string
}

/** What became of changes. */
export interface Applied {
  /** Those of visitors whose data may be stored. */
  readonly kept: readonly IdentityChange[]
  readonly refused: readonly RefusedMerge[]
}

/** Applies changes in order, those that were applied before excepted; returns the merges that were refused. */
export async function applyChanges(
  tx: Sql,
  given: readonly IdentityChange[],
  at: Date,
  { newId, consents }: { readonly newId: () => string; readonly consents: Pick<Consents, 'allows' | 'decisions'> },
): Promise<Applied> {
  await lockIdentities(tx)
  const changes = allowedChanges(given, consents, await consents.decisions(tx, idsOf(given)))
  const uuids = changes.filter((change) => !isMention(change)).map((change) => change.uuid)
  const fresh = await markApplied(tx, uuids, at)
  const world = createWorld(await findPersons(tx, idsOf(changes)), newId)
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
  return { kept: changes, refused }
}

const idsOf = (changes: readonly IdentityChange[]): readonly string[] => [
  ...new Set(changes.flatMap(({ distinctId, otherId }) => (otherId === null ? [distinctId] : [distinctId, otherId]))),
]

/**
 * Changes of visitors whose data may be stored. An id that did not answer is let in by a merge with one that consented:
 * a visitor who consents and then signs in is one person.
 */
function allowedChanges(
  changes: readonly IdentityChange[],
  { allows }: Pick<Consents, 'allows'>,
  decisions: Decisions,
): readonly IdentityChange[] {
  const joined = new Set<string>()
  return changes.flatMap((change) => {
    const { distinctId, otherId, atMs, receivedAtMs = atMs } = change
    const isSince = (decision: Decision | undefined): boolean =>
      mayBeStored(decision?.since ?? alwaysAllowed, () => ({ happenedMs: atMs, receivedMs: receivedAtMs }))
    const mayKeep = (id: string): boolean => {
      const decision = decisions.get(id)
      return (allows(decision) || joined.has(id)) && isSince(decision)
    }
    const own = decisions.get(distinctId)
    const other = otherId === null ? undefined : decisions.get(otherId)
    if (own?.granted !== false && isSince(own) && other?.granted === true && isSince(other)) joined.add(distinctId)
    if (!mayKeep(distinctId)) return []
    return otherId === null || mayKeep(otherId) ? change : { ...change, otherId: null }
  })
}
