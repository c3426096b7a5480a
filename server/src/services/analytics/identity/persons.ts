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
import { createKnownLinks } from './known-links.ts'
import { type LinkOutcome, linkUser, type UserLink } from './link.ts'
import { type Split, type SplitOutcome, splitIds } from './split.ts'
import { announceIdsStatement, findDistinctIds, forgetApplied } from './store.ts'

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
  /** Cheap to call again for the same pair: it is linked once, until `changed` names one of its ids. */
  link(link: UserLink): Promise<LinkOutcome>
  /** Ids, of browsers or of users, of which a decision or a person has changed: what is remembered of them may be wrong. */
  changed(ids: readonly string[]): void
  /** Any id may have changed unheard. */
  anyChanged(): void
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
/** Changes of other processes are heard of, unless PostgreSQL cannot be listened to. */
const rememberedMs = 10 * 60_000
/** What happened before a consent is withheld, while what follows is linked. */
const lasts = ({ kind }: LinkOutcome): boolean => kind !== 'before_consent'

export function createPersons({ sql: database, consents, now, newId, settings, log }: PersonsDeps): Persons {
  /** Ids with a person, each with the key of the last place that it told; empty where it told none. */
  const known = new LRUCache<string, string>({ max: settings.rememberedDistinctIds, ttl: rememberedMs })
  const links = createKnownLinks(settings.rememberedUserLinks, rememberedMs, lasts)
  let forgetAtMs = 0
  const changed = (ids: readonly string[]): void => {
    for (const id of ids) known.delete(id)
    links.forget(ids)
  }

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

    async link({ profile, ...link }) {
      let isNew = false
      const outcome = await links.find(link.userId, link.distinctId, async () => {
        isNew = true
        const theirs = (await profile?.()) ?? {}
        const outcome = await database.transaction((tx) => linkUser(tx, { ...link, ...theirs }, { newId, consents }))
        if (outcome.kind !== 'withheld' && outcome.kind !== 'before_consent')
          known.set(link.distinctId, known.get(link.distinctId) ?? '')
        return outcome
      })
      return outcome.kind === 'linked' && !isNew ? { kind: 'unchanged' } : outcome
    },
    changed,
    anyChanged() {
      known.clear()
      links.forgetAll()
    },

    async forget(distinctIds, before) {
      await database.transaction(async (tx) => {
        await forgetPersons(tx, distinctIds, before)
        await tx.query(announceIdsStatement(distinctIds))
      })
      changed(distinctIds)
    },

    async split(split) {
      const outcome = await database.transaction(async (tx) => {
        const outcome = await splitIds(tx, split, { now: now(), newId })
        // A user who signs in with such an id may be linked with it now.
        if (outcome.kind === 'split') await tx.query(announceIdsStatement(split.distinctIds))
        return outcome
      })
      changed(split.distinctIds)
      return outcome
    },
    idsOf: (personId, limit) => findDistinctIds(database, personId, limit),
    facts: (distinctIds) => findFacts(database, distinctIds),
    factsOfUsers: (userIds) => findUserFacts(database, userIds),
    idsMatching: (text, limit) => findMatchingIds(database, text, limit),
  }
}
