import type { JsonObject } from '../../../ground/json/object.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { wordsQuery } from '../people/words.ts'

/** A group as the list has them. */
export interface ListedGroup {
  readonly key: string
  readonly name: string | null
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
}

/** The place of a group in the list. */
export interface GroupPlace {
  readonly at: Date
  readonly key: string
}

export interface GroupsQuery {
  readonly type: string
  /** The beginning of a key, or beginnings of words of the name. */
  readonly text: string | null
  readonly after: GroupPlace | null
  readonly limit: number
}

/** Groups that are found by words of their names. */
const mostByName = 200

const columns = constant(`
  s.key, g.properties ->> 'name' as name, s.first_seen_at as "firstSeenAt", s.last_seen_at as "lastSeenAt"`)

/** Groups of a type, those seen latest first. */
export const selectGroupListStatement = ({ type, text, after, limit }: GroupsQuery): Statement => {
  const conditions = [
    sql`s.type = ${typed(type, 'text')}`,
    ...(text === null ? [] : [matches(type, text)]),
    ...(after === null
      ? []
      : [sql`(s.last_seen_at, s.key) < (${typed(after.at, 'timestamptz')}, ${typed(after.key, 'text')})`]),
  ]
  return compile(sql`
    select ${columns}
    from clew_analytics.groups_seen s
    left join clew_analytics.groups g on g.type = s.type and g.key = s.key
    where ${join(conditions, ' and ')}
    order by s.last_seen_at desc, s.key desc
    limit ${typed(limit, 'int')}`)
}

function matches(type: string, text: string): SqlFragment {
  const byKey = sql`s.key ~>=~ ${typed(text, 'text')} and s.key ~<~ ${typed(`${text}\u{10FFFF}`, 'text')}`
  const words = wordsQuery(text)
  if (words === null) return sql`(${byKey})`
  // An array, not a join: an index answers each side of `or`.
  return sql`(${byKey} or s.key = any(array(
    select named.key
    from clew_analytics.groups named
    where named.type = ${typed(type, 'text')} and named.words @@ ${words}
    limit ${typed(mostByName, 'int')}
  )))`
}

/** A group with what is stored of it. */
export interface StoredGroupRow extends ListedGroup {
  /** Null where it was never described. */
  readonly properties: JsonObject | null
  readonly propertyTimes: Readonly<Record<string, number>> | null
}

export const selectGroupStatement = (type: string, key: string): Statement =>
  compile(sql`
    select ${columns}, g.properties, g.property_times as "propertyTimes"
    from clew_analytics.groups_seen s
    left join clew_analytics.groups g on g.type = s.type and g.key = s.key
    where s.type = ${typed(type, 'text')} and s.key = ${typed(key, 'text')}`)
