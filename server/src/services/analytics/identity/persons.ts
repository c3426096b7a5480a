import { LRUCache } from 'lru-cache'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import type { AnalyticsSettings } from '../settings.ts'
import { type IdentityChange, isMention } from './change.ts'
import { findFacts, findMatchingIds, findUserFacts } from './facts.ts'
import { applyProperties, type PersonState } from './merge.ts'
import { findPersons, findUserPerson, forgetApplied, lockIdentities, markApplied, saveOutcome } from './store.ts'
import { applyChange, createWorld, newPerson } from './world.ts'

/** A sign-in that was seen together with an id of the browser. */
export interface UserLink {
  readonly distinctId: string
  readonly userId: string
  /** Becomes a property of the person unless it has one. */
  readonly email?: string | null
  readonly at: Date
}

/** What signing in came to for the person behind a distinct id. */
export type LinkOutcome =
  | { readonly kind: 'linked'; readonly personId: string }
  /** Was so already. */
  | { readonly kind: 'unchanged' }
  /**
   * Another user signed in before with the same id, on a shared computer say: no persons were merged. This user has a
   * person of their own, whose time at that computer is known by their sign-ins.
   */
  | { readonly kind: 'another_user' }

export interface PersonsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: Pick<AnalyticsSettings, 'rememberedDistinctIds' | 'rememberedUserLinks'>
  readonly log: Log
}

/** Persons and their ids. */
export interface Persons {
  /** Whether an id is known to have a person: it need not be mentioned again. */
  isKnown(distinctId: string): boolean
  /** Applies changes in order, in one transaction; a change that was applied before is not applied again. */
  apply(changes: readonly IdentityChange[]): Promise<void>
  link(link: UserLink): Promise<LinkOutcome>
  /** By distinct id; ids that have no person are left out. */
  facts(distinctIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** By user; users that were never linked are left out. */
  factsOfUsers(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** Ids of persons whose e-mail or name contains a text, in any case; the newest persons first. */
  idsMatching(text: string, limit: number): Promise<readonly string[]>
}

const linkedTo = (userId: string, person: PersonState): PersonState => ({
  ...person,
  isIdentified: true,
  authUserId: userId,
})

const appliedKeptMs = 3 * 24 * 3_600_000
const hourMs = 3_600_000

export function createPersons({ sql: database, now, newId, settings, log }: PersonsDeps): Persons {
  const known = new LRUCache<string, true>({ max: settings.rememberedDistinctIds })
  const links = new LRUCache<string, LinkOutcome['kind']>({ max: settings.rememberedUserLinks })
  let forgetAtMs = 0

  return {
    isKnown: (distinctId) => known.get(distinctId) !== undefined,

    async apply(changes) {
      const at = now()
      const refused = await database.transaction(async (tx) => {
        const refusedMerges = await applyChanges(tx, changes, at, newId)
        if (at.getTime() >= forgetAtMs) {
          await forgetApplied(tx, new Date(at.getTime() - appliedKeptMs))
          forgetAtMs = at.getTime() + hourMs
        }
        return refusedMerges
      })
      for (const { reason, distinctId, otherId } of refused)
        log.info({ reason, distinctId, otherId }, 'persons: not merged')
      for (const change of changes) known.set(change.distinctId, true)
    },

    async link(link) {
      const key = `${link.userId} ${link.distinctId}`
      const before = links.get(key)
      if (before !== undefined) return before === 'linked' ? { kind: 'unchanged' } : { kind: 'another_user' }
      const outcome = await database.transaction((tx) => linkUser(tx, link, newId))
      links.set(key, outcome.kind === 'another_user' ? 'another_user' : 'linked')
      known.set(link.distinctId, true)
      return outcome
    },

    facts: (distinctIds) => findFacts(database, distinctIds),
    factsOfUsers: (userIds) => findUserFacts(database, userIds),
    idsMatching: (text, limit) => findMatchingIds(database, text, limit),
  }
}

/** A merge that the rules do not allow. */
interface RefusedMerge extends Pick<IdentityChange, 'distinctId' | 'otherId'> {
  readonly reason: string
}

/** Applies changes in order, those that were applied before excepted; returns the merges that were refused. */
async function applyChanges(
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

async function linkUser(
  tx: Sql,
  { distinctId, userId, email, at }: UserLink,
  newId: () => string,
): Promise<LinkOutcome> {
  await lockIdentities(tx)
  const found = await findPersons(tx, [distinctId])
  const world = createWorld(found, newId)
  const mine = found.get(distinctId) ?? null
  const users = await findUserPerson(tx, userId)
  const set = email == null ? null : { email }
  if (mine !== null && mine.authUserId !== null && mine.authUserId !== userId) {
    if (users === null) world.put(linkedTo(userId, newPerson(newId(), at.getTime(), set ?? {})))
    await saveOutcome(tx, world.outcome(), at)
    return { kind: 'another_user' }
  }
  if (mine !== null && mine.authUserId === userId) return { kind: 'unchanged' }
  const person = mine ?? users ?? world.require(distinctId, at.getTime())
  const winner = users !== null && mine !== null ? world.merge(users, mine) : person
  const linked = applyProperties(linkedTo(userId, winner), {
    set: null,
    setOnce: set,
    unset: [],
    atMs: at.getTime(),
  })
  world.put(linked)
  world.assign(distinctId, linked)
  await saveOutcome(tx, world.outcome(), at)
  return { kind: 'linked', personId: linked.id }
}
