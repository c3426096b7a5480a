import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { wordsMatch } from './words.ts'

/** The kinds of people: those who identified themselves, those who did not, and the users of the application. */
export const personKinds = ['identified', 'anonymous', 'users'] as const
export type PersonKind = (typeof personKinds)[number]

/** A person as the list has them. */
export interface ListedPerson {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly countryCode: string | null
  readonly countryName: string | null
  readonly city: string | null
  readonly userId: string | null
  readonly isIdentified: boolean
  readonly createdAt: Date
  /** The first of their ids by name. */
  readonly distinctIds: readonly string[]
}

/** The place of a person in the list. */
export interface PersonPlace {
  readonly createdAt: Date
  readonly id: string
}

export interface PeopleQuery {
  readonly kind: PersonKind | null
  /** Beginnings of words of the e-mail or name, or the beginning of an id. */
  readonly text: string | null
  readonly after: PersonPlace | null
  readonly limit: number
}

/** What they did is read for so many ids of each. */
const idsPerPerson = 20
/** Persons that are found by the beginning of an id. */
const mostById = 200

const ofKind: Readonly<Record<PersonKind, SqlFragment>> = {
  identified: constant('p.is_identified'),
  anonymous: constant('not p.is_identified'),
  users: constant('p.auth_user_id is not null'),
}

/** The columns of a `ListedPerson`, of persons `p`. */
export const listedColumns = constant(`
  p.id, p.properties ->> 'name' as name, p.properties ->> 'email' as email,
  p.properties ->> '$geoip_country_code' as "countryCode", p.properties ->> '$geoip_country_name' as "countryName",
  p.properties ->> '$geoip_city_name' as city,
  p.auth_user_id as "userId", p.is_identified as "isIdentified", p.created_at as "createdAt",
  array(
    select d.distinct_id
    from clew_analytics.distinct_ids d
    where d.person_id = p.id
    order by d.distinct_id
    limit ${idsPerPerson}
  ) as "distinctIds"`)

/** People, the newest first. */
export function selectPeopleStatement({ kind, text, after, limit }: PeopleQuery): Statement {
  const conditions = [
    constant('true'),
    ...(kind === null ? [] : [ofKind[kind]]),
    ...(text === null ? [] : [matches(text)]),
    ...(after === null
      ? []
      : [sql`(p.created_at, p.id) < (${typed(after.createdAt, 'timestamptz')}, ${typed(after.id, 'uuid')})`]),
  ]
  return compile(sql`
    select ${listedColumns}
    from clew_analytics.persons p
    where ${join(conditions, ' and ')}
    order by p.created_at desc, p.id desc
    limit ${typed(limit, 'int')}`)
}

function matches(text: string): SqlFragment {
  const words = wordsMatch(text)
  // An array, not a join: an index answers each side of `or`.
  const byId = sql`p.id = any(array(
    select d.person_id
    from clew_analytics.distinct_ids d
    where d.distinct_id ~>=~ ${typed(text, 'text')} and d.distinct_id ~<~ ${typed(`${text}\u{10FFFF}`, 'text')}
    limit ${typed(mostById, 'int')}
  ))`
  const own = isUuid(text) ? sql` or p.id = ${typed(text, 'uuid')} or p.auth_user_id = ${typed(text, 'uuid')}` : sql``
  return words === null ? sql`(${byId}${own})` : sql`(${words} or ${byId}${own})`
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
