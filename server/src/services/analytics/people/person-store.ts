import type { JsonObject } from '../../../ground/json/object.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { type ListedPerson, listedColumns } from './list-store.ts'

/** A person with all that is stored of them. */
export interface PersonRow extends ListedPerson {
  readonly properties: JsonObject
  readonly propertyTimes: Readonly<Record<string, number>>
  /** The first of their ids by name. */
  readonly allIds: readonly string[]
  /** How many ids there are. */
  readonly ids: number
}

/** One person, with the first `limit` of their ids by name. */
export const selectPersonStatement = (id: string, limit: number): Statement =>
  compile(sql`
    select ${listedColumns}, p.properties, p.property_times as "propertyTimes",
      array(
        select d.distinct_id
        from clew_analytics.distinct_ids d
        where d.person_id = p.id
        order by d.distinct_id
        limit ${typed(limit, 'int')}
      ) as "allIds",
      (select count(*)::int from clew_analytics.distinct_ids d where d.person_id = p.id) as ids
    from clew_analytics.persons p
    join clew_analytics.persons_seen s on s.person_id = p.id
    where p.id = ${typed(id, 'uuid')}`)

/** By what a person is found elsewhere. */
export interface PersonIdsRow {
  readonly userId: string | null
  readonly email: string | null
  readonly distinctIds: readonly string[]
}

/** The first `limit` ids of a person by name, with that of their user. */
export const selectPersonIdsStatement = (id: string, limit: number): Statement =>
  compile(sql`
    select p.auth_user_id as "userId", p.properties ->> 'email' as email,
      array(
        select d.distinct_id
        from clew_analytics.distinct_ids d
        where d.person_id = p.id
        order by d.distinct_id
        limit ${typed(limit, 'int')}
      ) as "distinctIds"
    from clew_analytics.persons p
    where p.id = ${typed(id, 'uuid')}`)

const texts = (values: readonly string[]): SqlFragment => sql`${typed([...values], 'Array(String)')}`
const since = (from: Date): SqlFragment => sql`timestamp >= fromUnixTimestamp64Milli(${typed(from.getTime(), 'Int64')})`

/** What one id did, of all time. */
export interface IdRow {
  readonly distinct_id: string
  readonly event_count: string
  readonly session_count: string
  readonly first_ms: string
  readonly last_ms: string
}

/** What each of these ids did. */
export const selectIdsStatement = (ids: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct_id, uniqMerge(events) as event_count, uniqMerge(sessions) as session_count,
      toUnixTimestamp64Milli(min(first_at)) as first_ms, toUnixTimestamp64Milli(max(last_at)) as last_ms
    from visitor_days
    where distinct_id in ${texts(ids)}
    group by distinct_id`)

/** A browser on a system on a kind of device. */
export interface DeviceRow {
  readonly browser: string
  readonly os: string
  readonly device_type: string
  readonly event_count: string
  readonly last_ms: string
}

/** What these ids used, the latest first. */
export const selectDevicesStatement = (ids: readonly string[], from: Date, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select browser, os, device_type, uniq(uuid) as event_count, toUnixTimestamp64Milli(max(timestamp)) as last_ms
    from events
    where distinct_id in ${texts(ids)} and ${since(from)} and (browser != '' or os != '' or device_type != '')
    group by browser, os, device_type
    order by last_ms desc
    limit ${typed(limit, 'UInt32')}`)

/** A group that events were made for. */
export interface GroupOfPersonRow {
  readonly type: string
  readonly key: string
  readonly last_ms: string
}

/** The groups that these ids' events were made for, the latest first. */
export const selectGroupsOfIdsStatement = (ids: readonly string[], from: Date, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select g.1 as type, g.2 as key, toUnixTimestamp64Milli(max(timestamp)) as last_ms
    from events
    array join arrayZip(mapKeys(groups), mapValues(groups)) as g
    where distinct_id in ${texts(ids)} and ${since(from)}
    group by type, key
    order by last_ms desc
    limit ${typed(limit, 'UInt32')}`)
