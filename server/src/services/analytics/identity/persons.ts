import { LRUCache } from 'lru-cache'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import type { Forget } from '../../../ground/privacy/withdrawal.ts'
import type { Consents } from '../consent/consent.ts'
import type { AnalyticsSettings } from '../settings.ts'
import { applyChanges } from './apply.ts'
import type { IdentityChange } from './change.ts'
import { findFacts, findMatchingIds, findUserFacts } from './facts.ts'
import { forgetPersons } from './forget.ts'
import { type LinkOutcome, linkUser, type UserLink } from './link.ts'
import { type Split, type SplitOutcome, splitIds } from './split.ts'
import { findDistinctIds, forgetApplied } from './store.ts'

export interface PersonsDeps {
  readonly sql: Sql
  /** Whose data may be stored. */
  readonly consents: Pick<Consents, 'allows' | 'decisions'>
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: Pick<AnalyticsSettings, 'rememberedDistinctIds' | 'rememberedUserLinks'>
  readonly log: Log
}

/** Persons and their ids. */
export interface Persons {
  /** Whether an id is known to have a person: it need not be mentioned again. */
  isKnown(distinctId: string): boolean
  /** Whether the person of an id is known to be at a place, by its key: it need not be told again. */
  isAt(distinctId: string, place: string): boolean
  /** Applies changes in order, in one transaction; a change that was applied before is not applied again. */
  apply(changes: readonly IdentityChange[]): Promise<void>
  link(link: UserLink): Promise<LinkOutcome>
  /** Removes what is known of the persons of these ids from before. */
  readonly forget: Forget
  /** Takes ids away from a person into a new one; only `$merge_dangerously` joins them again. */
  split(split: Split): Promise<SplitOutcome>
  /** The ids of a person, the first `limit` of them by name; null where there is no such person. */
  idsOf(personId: string, limit: number): Promise<readonly string[] | null>
  /** By distinct id; ids that have no person are left out. */
  facts(distinctIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** By user; users that were never linked are left out. */
  factsOfUsers(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** Ids of persons in whose e-mail or name a word begins with each word of a text; the newest persons first. */
  idsMatching(text: string, limit: number): Promise<readonly string[]>
}

const appliedKeptMs = 3 * 24 * 3_600_000
const hourMs = 3_600_000
/** Another process may have split ids or removed persons. */
const rememberedMs = 10 * 60_000

export function createPersons({ sql: database, consents, now, newId, settings, log }: PersonsDeps): Persons {
  /** Ids with a person, each with the key of the last place that it told; empty where it told none. */
  const known = new LRUCache<string, string>({ max: settings.rememberedDistinctIds, ttl: rememberedMs })
  const links = new LRUCache<string, Exclude<LinkOutcome['kind'], 'linked'>>({
    max: settings.rememberedUserLinks,

    ttl: rememberedMs,
  })
  let forgetAtMs = 0

  return {
    isKnown: (distinctId) => known.get(distinctId) !== undefined,
    isAt: (distinctId, place) => known.get(distinctId) === place,

    async apply(changes) {
      const at = now()
      const { kept, refused } = await database.transaction(async (tx) => {
        const applied = await applyChanges(tx, changes, at, { newId, consents })
        if (at.getTime() >= forgetAtMs) {
          await forgetApplied(tx, new Date(at.getTime() - appliedKeptMs))
          forgetAtMs = at.getTime() + hourMs
        }
        return applied
      })
      for (const { reason, distinctId, otherId } of refused)
        log.info({ reason, distinctId, otherId }, 'persons: not merged')
      for (const { distinctId, place } of kept) known.set(distinctId, place ?? known.get(distinctId) ?? '')
    },

    async link(link) {
      const key = `${link.userId} ${link.distinctId}`
      const before = links.get(key)
      if (before !== undefined) return { kind: before }
      const outcome = await database.transaction((tx) => linkUser(tx, link, { newId, consents }))
      links.set(key, outcome.kind === 'linked' ? 'unchanged' : outcome.kind)
      if (outcome.kind !== 'withheld') known.set(link.distinctId, known.get(link.distinctId) ?? '')
      return outcome
    },

    async forget(distinctIds, before) {
      await database.transaction((tx) => forgetPersons(tx, distinctIds, before))
      for (const id of distinctIds) known.delete(id)
      links.clear()
    },

    async split(split) {
      const outcome = await database.transaction((tx) => splitIds(tx, split, { now: now(), newId }))
      // A user who signs in with such an id may be linked with it now.
      links.clear()
      return outcome
    },
    idsOf: (personId, limit) => findDistinctIds(database, personId, limit),
    facts: (distinctIds) => findFacts(database, distinctIds),
    factsOfUsers: (userIds) => findUserFacts(database, userIds),
    idsMatching: (text, limit) => findMatchingIds(database, text, limit),
  }
}
