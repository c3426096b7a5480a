import type { Sql } from '../../../engines/postgres/index.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { Log } from '../log.ts'
import { type IdentityChange, isMention } from './change.ts'
import { applyProperties, type PersonState } from './merge.ts'
import { createRecent } from './recent.ts'
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
  readonly log: Log
}

/** Persons and their ids. */
export interface Persons {
  /** Whether an id is known to have a person: it need not be mentioned again. */
  isKnown(distinctId: string): boolean
  /** Applies changes in order, all or none; a change that was applied before is not applied again. */
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

const knownIds = 100_000
const linksKept = 20_000
const appliedKeptMs = 3 * 24 * 3_600_000
const hourMs = 3_600_000

/** Persons in PostgreSQL. */
export function createPersons({ sql: database, now, newId, log }: PersonsDeps): Persons {
  const known = createRecent<true>(knownIds)
  const links = createRecent<LinkOutcome['kind']>(linksKept)
  let forgetAtMs = 0

  return {
    isKnown: (distinctId) => known.get(distinctId) !== undefined,

    async apply(changes) {
      const at = now()
      await database.transaction(async (tx) => {
        await lockIdentities(tx)
        const telling = changes.filter((change) => !isMention(change))
        const fresh = await markApplied(
          tx,
          telling.map((change) => change.uuid),
          at,
        )
        const ids = changes.flatMap((change) =>
          change.otherId === null ? [change.distinctId] : [change.distinctId, change.otherId],
        )
        const world = createWorld(await findPersons(tx, [...new Set(ids)]), newId)
        const seen = new Set<string>()
        for (const change of changes) {
          // A uuid twice in one batch is fresh once.
          if (!isMention(change) && (!fresh.has(change.uuid) || seen.has(change.uuid))) continue
          seen.add(change.uuid)
          const refusal = applyChange(world, change)
          if (refusal !== null) {
            log.info({ refusal, distinctId: change.distinctId, otherId: change.otherId }, 'persons: not merged')
          }
        }
        await saveOutcome(tx, world.outcome(), at)
        if (at.getTime() >= forgetAtMs) {
          await forgetApplied(tx, new Date(at.getTime() - appliedKeptMs))
          forgetAtMs = at.getTime() + hourMs
        }
      })
      for (const change of changes) known.set(change.distinctId, true)
    },

    async link({ distinctId, userId, email, at }) {
      const key = `${userId} ${distinctId}`
      const before = links.get(key)
      if (before !== undefined) return before === 'linked' ? { kind: 'unchanged' } : { kind: 'another_user' }
      const outcome = await database.transaction(async (tx): Promise<LinkOutcome> => {
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
      })
      links.set(key, outcome.kind === 'another_user' ? 'another_user' : 'linked')
      known.set(distinctId, true)
      return outcome
    },

    async facts(distinctIds) {
      const { rows } = await database.query<{
        distinct_id: string
        person_id: string
        auth_user_id: string | null
        email: string | null
        name: string | null
      }>(
        compile(sql`
          select d.distinct_id, d.person_id, p.auth_user_id,
            p.properties ->> 'email' as email, p.properties ->> 'name' as name
          from clew_analytics.distinct_ids d
          join clew_analytics.persons p on p.id = d.person_id
          where d.distinct_id = any(${typed(distinctIds, 'text[]')})`),
      )
      return new Map(
        rows.map(({ distinct_id, person_id, auth_user_id, email, name }) => [
          distinct_id,
          { personId: person_id, userId: auth_user_id, email, name },
        ]),
      )
    },

    async factsOfUsers(userIds) {
      const { rows } = await database.query<{
        person_id: string
        auth_user_id: string
        email: string | null
        name: string | null
      }>(
        compile(sql`
          select id as person_id, auth_user_id, properties ->> 'email' as email, properties ->> 'name' as name
          from clew_analytics.persons
          where auth_user_id = any(${typed(userIds, 'uuid[]')})`),
      )
      return new Map(
        rows.map(({ person_id, auth_user_id, email, name }) => [
          auth_user_id,
          { personId: person_id, userId: auth_user_id, email, name },
        ]),
      )
    },

    async idsMatching(text, limit) {
      // `position(… in …)` instead of LIKE: the text may hold `_` and `%`.
      const { rows } = await database.query<{ distinct_id: string }>(
        compile(sql`
          select d.distinct_id
          from clew_analytics.persons p
          join clew_analytics.distinct_ids d on d.person_id = p.id
          where position(lower(${typed(text, 'text')}) in lower(p.properties ->> 'email')) > 0
            or position(lower(${typed(text, 'text')}) in lower(p.properties ->> 'name')) > 0
          order by p.created_at desc, d.distinct_id
          limit ${typed(limit, 'int')}`),
      )
      return rows.map((row) => row.distinct_id)
    },
  }
}
