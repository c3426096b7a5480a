import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** The latest instant of an id. */
export interface SeenId {
  readonly id: string
  readonly at: Date
}

/** Notes when the persons of ids were seen; ids without a person, and earlier instants, change nothing. */
export const raiseSeenStatement = (seen: readonly SeenId[]): Statement => {
  const ids = seen.map(({ id }) => id)
  const times = seen.map(({ at }) => at)
  // Rows are locked in one order, as processes may note the same persons at once.
  return compile(sql`
    with latest as (
      select d.person_id, max(given.at) as at
      from unnest(${typed(ids, 'text[]')}, ${typed(times, 'timestamptz[]')}) as given (id, at)
      join clew_analytics.distinct_ids d on d.distinct_id = given.id
      group by d.person_id
    ), later as (
      select s.person_id, latest.at
      from clew_analytics.persons_seen s
      join latest on latest.person_id = s.person_id and latest.at > s.last_seen_at
      order by s.person_id
      for update of s
    )
    update clew_analytics.persons_seen s
    set last_seen_at = later.at
    from later
    where s.person_id = later.person_id`)
}

/** A group with the first and the last instant at which it was named. */
export interface SeenGroup {
  readonly type: string
  readonly key: string
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Notes when groups were seen; those of a type without a number are left out. Rows are locked in one order. */
export const raiseGroupsSeenStatement = (groups: readonly SeenGroup[]): Statement => {
  const column = (name: keyof SeenGroup): readonly unknown[] => groups.map((group) => group[name])
  return compile(sql`
    insert into clew_analytics.groups_seen as known (type, key, first_seen_at, last_seen_at)
    select given.type, given.key, given.first_at, given.last_at
    from unnest(
      ${typed(column('type'), 'text[]')}, ${typed(column('key'), 'text[]')},
      ${typed(column('firstAt'), 'timestamptz[]')}, ${typed(column('lastAt'), 'timestamptz[]')}
    ) as given (type, key, first_at, last_at)
    join clew_analytics.group_types t on t.type = given.type
    order by given.type, given.key
    on conflict (type, key) do update set
      first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)
    where known.first_seen_at > excluded.first_seen_at or known.last_seen_at < excluded.last_seen_at`)
}

/** A person was last seen with their ids, or when they appeared. */
export const setSeenStatement = (personId: string, at: Date | null): Statement =>
  compile(sql`
    update clew_analytics.persons_seen s
    set last_seen_at = coalesce(${typed(at, 'timestamptz')}, date_trunc('milliseconds', p.created_at))
    from clew_analytics.persons p
    where p.id = s.person_id and p.id = ${typed(personId, 'uuid')}`)

/** What is seen. */
export type SeenKind = 'persons' | 'groups'

const fillOf: Readonly<Record<SeenKind, SqlFragment>> = {
  persons: constant('clew_analytics.persons_seen_fill'),
  groups: constant('clew_analytics.groups_seen_fill'),
}

/** Where the look through what was stored before stands, for one process at a time; no row: it is done, or another does it. */
export const takeFillStatement = (kind: SeenKind): Statement =>
  compile(sql`select after_id as "afterId" from ${fillOf[kind]} for update skip locked`)

export const keepFillStatement = (kind: SeenKind, afterId: string): Statement =>
  compile(sql`update ${fillOf[kind]} set after_id = ${typed(afterId, 'text')}`)

export const endFillStatement = (kind: SeenKind): Statement => compile(sql`delete from ${fillOf[kind]}`)

export interface SeenRow {
  readonly id: string
  readonly last_ms: string
}

/** The latest events of the ids behind one, by id. */
export const selectSeenAfterStatement = (afterId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct_id as id, toUnixTimestamp64Milli(max(last_at)) as last_ms
    from visitor_days
    where distinct_id > ${typed(afterId, 'String')}
    group by distinct_id
    order by distinct_id
    limit ${typed(limit, 'UInt32')}
    settings optimize_aggregation_in_order = 1`)

/** The latest event of any of these ids. */
export const selectSeenOfStatement = (ids: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select toUnixTimestamp64Milli(max(last_at)) as last_ms
    from visitor_days
    where distinct_id in ${typed([...ids], 'Array(String)')}
    having count() > 0`)

export interface SeenGroupRow {
  readonly type: string
  readonly key: string
  readonly first_ms: string
  readonly last_ms: string
}

/** When the groups behind one were named, by type and key. */
export const selectGroupsSeenAfterStatement = (
  [type, key]: readonly [type: string, key: string],
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select type, key, toUnixTimestamp64Milli(min(first_at)) as first_ms, toUnixTimestamp64Milli(max(last_at)) as last_ms
    from group_visits
    where (type, key) > (${type}, ${key})
    group by type, key
    order by type, key
    limit ${typed(limit, 'UInt32')}
    settings optimize_aggregation_in_order = 1`)
