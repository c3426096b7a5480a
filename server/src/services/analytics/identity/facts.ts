import type { Sql } from '../../../engines/postgres/index.ts'
import type { PersonFacts, StoredPerson } from '../../../ground/model/person.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { wordsMatch } from '../people/words.ts'

interface FactsRow {
  readonly person_id: string
  readonly auth_user_id: string | null
  readonly email: string | null
  readonly name: string | null
}

const toFacts = ({ person_id, auth_user_id, email, name }: FactsRow): PersonFacts => ({
  personId: person_id,
  userId: auth_user_id,
  email,
  name,
})

/** What is known of the persons behind distinct ids; ids without a person are left out. */
export async function findFacts(
  database: Pick<Sql, 'query'>,
  distinctIds: readonly string[],
): Promise<ReadonlyMap<string, PersonFacts>> {
  const { rows } = await database.query<FactsRow & { distinct_id: string }>(selectFactsStatement(distinctIds))
  return new Map(rows.map((row) => [row.distinct_id, toFacts(row)]))
}

const selectFactsStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`
    select d.distinct_id, d.person_id, p.auth_user_id,
      p.properties ->> 'email' as email, p.properties ->> 'name' as name
    from clew_analytics.distinct_ids d
    join clew_analytics.persons p on p.id = d.person_id
    where d.distinct_id = any(${typed(distinctIds, 'text[]')})`)

/** What is known of the persons that users were linked with; users without one are left out. */
export async function findUserFacts(
  database: Pick<Sql, 'query'>,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, PersonFacts>> {
  const { rows } = await database.query<FactsRow & { auth_user_id: string }>(selectUserFactsStatement(userIds))
  return new Map(rows.map((row) => [row.auth_user_id, toFacts(row)]))
}

const selectUserFactsStatement = (userIds: readonly string[]): Statement =>
  compile(sql`
    select id as person_id, auth_user_id, properties ->> 'email' as email, properties ->> 'name' as name
    from clew_analytics.persons
    where auth_user_id = any(${typed(userIds, 'uuid[]')})`)

/** Ids of persons in whose e-mail or name a word begins with each word of a text; the newest persons first. */
export async function findMatchingIds(
  database: Pick<Sql, 'query'>,
  text: string,
  limit: number,
): Promise<readonly string[]> {
  const matches = wordsMatch(text)
  if (matches === null) return []
  const { rows } = await database.query<{ distinct_id: string }>(selectMatchingIdsStatement(matches, limit))
  return rows.map((row) => row.distinct_id)
}

const selectMatchingIdsStatement = (matches: SqlFragment, limit: number): Statement =>
  compile(sql`
    select d.distinct_id
    from clew_analytics.persons p
    join clew_analytics.distinct_ids d on d.person_id = p.id
    where ${matches}
    order by p.created_at desc, d.distinct_id
    limit ${typed(limit, 'int')}`)

/** Ids of one person beyond these are left out. */
const mostIds = 200

const storedColumns = constant(`
  p.auth_user_id as "userId", p.properties,
  array(
    select other.distinct_id
    from clew_analytics.distinct_ids other
    where other.person_id = p.id
    order by other.distinct_id
    limit ${mostIds}
  ) as "distinctIds"`)

/** The person behind an id with all their properties; null for an id without one. */
export async function findStoredPerson(database: Pick<Sql, 'query'>, distinctId: string): Promise<StoredPerson | null> {
  const { rows } = await database.query<StoredPerson>(selectStoredPersonStatement(distinctId))
  return rows[0] ?? null
}

const selectStoredPersonStatement = (distinctId: string): Statement =>
  compile(sql`
    select ${storedColumns}
    from clew_analytics.distinct_ids d
    join clew_analytics.persons p on p.id = d.person_id
    where d.distinct_id = ${typed(distinctId, 'text')}`)

/** Persons that have an id, those seen latest first. */
export async function findSomePersons(database: Pick<Sql, 'query'>, limit: number): Promise<readonly StoredPerson[]> {
  const { rows } = await database.query<StoredPerson>(selectSomePersonsStatement(limit))
  return rows.filter(({ distinctIds }) => distinctIds.length > 0)
}

const selectSomePersonsStatement = (limit: number): Statement =>
  compile(sql`
    select ${storedColumns}
    from clew_analytics.persons_seen s
    join clew_analytics.persons p on p.id = s.person_id
    order by s.last_seen_at desc, s.person_id desc
    limit ${typed(limit, 'int')}`)
