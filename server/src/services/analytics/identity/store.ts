import type { Sql } from '../../../engines/postgres/index.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import { renderJsonb } from '../../../ground/sql/jsonb.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { PersonState } from './merge.ts'
import { mergeSeenStatement } from './seen.ts'
import type { WorldOutcome } from './world.ts'

interface PersonRow {
  readonly id: string
  readonly properties: JsonObject
  readonly property_times: Readonly<Record<string, number>>
  readonly created_at: Date
  readonly is_identified: boolean
  readonly auth_user_id: string | null
  readonly splits: PersonState['splits']
}

const toState = (row: PersonRow): PersonState => ({
  id: row.id,
  properties: row.properties,
  propertyTimes: row.property_times,
  createdAtMs: row.created_at.getTime(),
  isIdentified: row.is_identified,
  authUserId: row.auth_user_id,
  splits: row.splits,
})

/**
 * Merges rename whole persons, so those who write identities do so one after another, on all nodes. Held until the
 * transaction ends.
 */
export async function lockIdentities(tx: Sql): Promise<void> {
  await tx.query(compile(sql`select pg_advisory_xact_lock(hashtext('clew_analytics.identity'))`))
}

/** Holds up those who write identities, but not others who do the same. Held until the transaction ends. */
export async function lockAgainstIdentities(tx: Pick<Sql, 'query'>): Promise<void> {
  await tx.query(compile(sql`select pg_advisory_xact_lock_shared(hashtext('clew_analytics.identity'))`))
}

/** Remembers changes as applied; returns those that were not applied before. */
export async function markApplied(tx: Sql, uuids: readonly string[], at: Date): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ uuid: string }>(
    compile(sql`
      insert into clew_analytics.applied_changes (uuid, applied_at)
      select distinct uuid, ${typed(at, 'timestamptz')}
      from unnest(${typed(uuids, 'uuid[]')}) as change (uuid)
      on conflict (uuid) do nothing
      returning uuid`),
  )
  return new Set(rows.map((row) => row.uuid))
}

/** Tells every process that something of these ids has changed; it is heard of once the transaction is committed. */
export const announceIdsStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`select clew_analytics.announce_ids(${typed(distinctIds, 'text[]')})`)

/** Forgets changes so old that no client sends them again. */
export async function forgetApplied(tx: Sql, before: Date): Promise<void> {
  await tx.query(
    compile(sql`
      delete from clew_analytics.applied_changes
      where applied_at < ${typed(before, 'timestamptz')}`),
  )
}

/** The persons of ids; ids without a person are left out. */
export async function findPersons(tx: Sql, distinctIds: readonly string[]): Promise<Map<string, PersonState>> {
  const { rows } = await tx.query<PersonRow & { distinct_id: string }>(
    compile(sql`
      select d.distinct_id, p.id, p.properties, p.property_times, p.created_at, p.is_identified, p.auth_user_id, p.splits
      from clew_analytics.distinct_ids d
      join clew_analytics.persons p on p.id = d.person_id
      where d.distinct_id = any(${typed(distinctIds, 'text[]')})`),
  )
  // One object for one person: the world compares by id, but equal rows need not be held twice.
  const states = new Map<string, PersonState>()
  return new Map(
    rows.map((row) => {
      const state = states.get(row.id) ?? toState(row)
      states.set(row.id, state)
      return [row.distinct_id, state]
    }),
  )
}

/** The person that a user of the application was linked to, with one of its ids when it has any. */
export async function findUserPerson(tx: Sql, userId: string): Promise<PersonState | null> {
  const { rows } = await tx.query<PersonRow>(
    compile(sql`
      select id, properties, property_times, created_at, is_identified, auth_user_id, splits
      from clew_analytics.persons
      where auth_user_id = ${typed(userId, 'uuid')}`),
  )
  return rows[0] === undefined ? null : toState(rows[0])
}

/** How many ids a person has. */
export async function countDistinctIds(tx: Sql, personId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    compile(sql`
      select count(*)::int as count
      from clew_analytics.distinct_ids
      where person_id = ${typed(personId, 'uuid')}`),
  )
  return rows[0]?.count ?? 0
}

/** The ids of a person, the first `limit` of them by name; null where there is no such person. */
export async function findDistinctIds(
  database: Pick<Sql, 'query'>,
  personId: string,
  limit: number,
): Promise<readonly string[] | null> {
  const { rows } = await database.query<{ ids: readonly string[] }>(
    compile(sql`
      select array(
        select d.distinct_id
        from clew_analytics.distinct_ids d
        where d.person_id = p.id
        order by d.distinct_id
        limit ${typed(limit, 'int')}
      ) as ids
      from clew_analytics.persons p
      where p.id = ${typed(personId, 'uuid')}`),
  )
  return rows[0]?.ids ?? null
}

/** Writes what became of a world: persons, the ids' new owners, persons merged away. */
export async function saveOutcome(tx: Sql, outcome: WorldOutcome, at: Date): Promise<void> {
  if (outcome.persons.length > 0) {
    await tx.query(
      compile(sql`
        insert into clew_analytics.persons (id, properties, property_times, created_at, is_identified, splits)
        select id, properties, property_times, created_at, is_identified, splits
        from jsonb_to_recordset(${typed(renderJsonb(outcome.persons.map(toRow)), 'jsonb')})
          as person (id uuid, properties jsonb, property_times jsonb, created_at timestamptz, is_identified boolean,
            splits jsonb)
        on conflict (id) do update set
          properties = excluded.properties,
          property_times = excluded.property_times,
          created_at = excluded.created_at,
          is_identified = excluded.is_identified,
          splits = excluded.splits`),
    )
  }
  if (outcome.ids.size > 0) {
    await tx.query(
      compile(sql`
        insert into clew_analytics.distinct_ids (distinct_id, person_id)
        select distinct_id, person_id
        from unnest(${typed([...outcome.ids.keys()], 'text[]')}, ${typed([...outcome.ids.values()], 'uuid[]')})
          as owned (distinct_id, person_id)
        on conflict (distinct_id) do update set person_id = excluded.person_id`),
    )
  }
  if (outcome.merged.size > 0) {
    // The loser may own ids that no change named.
    await tx.query(
      compile(sql`
        with merged as (
          select loser, winner
          from unnest(${typed([...outcome.merged.keys()], 'uuid[]')}, ${typed([...outcome.merged.values()], 'uuid[]')})
            as pair (loser, winner)
        )
        update clew_analytics.distinct_ids d
        set person_id = merged.winner
        from merged
        where d.person_id = merged.loser`),
    )
    await tx.query(mergeSeenStatement([...outcome.merged.keys()], [...outcome.merged.values()]))
    await tx.query(
      compile(sql`
        delete from clew_analytics.persons
        where id = any(${typed([...outcome.merged.keys()], 'uuid[]')})`),
    )
  }
  const users = outcome.persons.filter((person) => person.authUserId !== null)
  if (users.length > 0) {
    // Last, because a loser gives its user to the winner, and a user has one person.
    await tx.query(
      compile(sql`
        update clew_analytics.persons p
        set auth_user_id = linked.user_id, linked_at = coalesce(p.linked_at, ${typed(at, 'timestamptz')})
        from unnest(
          ${typed(
            users.map((person) => person.id),
            'uuid[]',
          )},
          ${typed(
            users.map((person) => person.authUserId),
            'uuid[]',
          )}
        ) as linked (id, user_id)
        where p.id = linked.id and p.auth_user_id is distinct from linked.user_id`),
    )
  }
}

const toRow = (person: PersonState) => ({
  id: person.id,
  properties: person.properties,
  property_times: person.propertyTimes,
  // Years before 1970 are broken clocks, and PostgreSQL knows no year 0.
  created_at: new Date(Math.max(person.createdAtMs, 0)).toISOString(),
  is_identified: person.isIdentified,
  splits: person.splits,
})
