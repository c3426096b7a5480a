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
  readonly lastSeenAt: Date
  /** The first of their ids by name. */
  readonly distinctIds: readonly string[]
}

/** What people are listed by, the latest first. */
export const personSorts = ['last_seen', 'first_seen'] as const
export type PersonSort = (typeof personSorts)[number]

/** The place of a person in a list. */
export interface PersonPlace {
  /** When they were seen last, or first: what the list is by. */
  readonly at: Date
  readonly id: string
}

export interface PeopleQuery {
  readonly sort: PersonSort
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

/** By what the order is read from: an index has both. */
const ofKind: Readonly<Record<PersonSort, Readonly<Record<PersonKind, SqlFragment>>>> = {
  last_seen: {
    identified: constant('s.is_identified'),
    anonymous: constant('not s.is_identified'),
    users: constant('s.is_user'),
  },
  first_seen: {
    identified: constant('p.is_identified'),
    anonymous: constant('not p.is_identified'),
    users: constant('p.auth_user_id is not null'),
  },
}

/** The columns of an order; the second keeps persons of one instant apart. */
const columnsOf: Readonly<Record<PersonSort, readonly [at: SqlFragment, id: SqlFragment]>> = {
  last_seen: [constant('s.last_seen_at'), constant('s.person_id')],
  first_seen: [constant('p.created_at'), constant('p.id')],
}

/** The columns of a `ListedPerson`, of persons `p` and when they were seen `s`. */
export const listedColumns = constant(`
  p.id, p.properties ->> 'name' as name, p.properties ->> 'email' as email,
  p.properties ->> '$geoip_country_code' as "countryCode", p.properties ->> '$geoip_country_name' as "countryName",
  p.properties ->> '$geoip_city_name' as city,
  p.auth_user_id as "userId", p.is_identified as "isIdentified", p.created_at as "createdAt",
  s.last_seen_at as "lastSeenAt",
  array(
    select d.distinct_id
    from clew_analytics.distinct_ids d
    where d.person_id = p.id
    order by d.distinct_id
    limit ${idsPerPerson}
  ) as "distinctIds"`)

/** People, those seen latest first. */
export function selectPeopleStatement({ sort, kind, text, after, limit }: PeopleQuery): Statement {
  const [at, id] = columnsOf[sort]
  const conditions = [
    constant('true'),
    ...(kind === null ? [] : [ofKind[sort][kind]]),
    ...(text === null ? [] : [matches(text)]),
    ...(after === null ? [] : [sql`(${at}, ${id}) < (${typed(after.at, 'timestamptz')}, ${typed(after.id, 'uuid')})`]),
  ]
  return compile(sql`
    select ${listedColumns}
    from clew_analytics.persons p
    join clew_analytics.persons_seen s on s.person_id = p.id
    where ${join(conditions, ' and ')}
    order by ${at} desc, ${id} desc
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
