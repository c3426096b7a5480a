import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, empty, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** Which events are asked for. */
export interface EventFilter {
  readonly event: string | null
  /** The ids of a person. */
  readonly distinctIds: readonly string[] | null
  readonly session: string | null
  /** A group that they named. */
  readonly group: EventGroup | null
  /** What is asked of their properties; all of it holds. */
  readonly properties: readonly SqlFragment[]
  /** Events that are left out. */
  readonly without: readonly string[]
}

/** A group, and when its events were: from an instant on, up to another. */
export interface EventGroup {
  readonly type: string
  readonly key: string
  readonly fromMs: number
  /** Not included. */
  readonly toMs: number
}

/** An event's place among all, newest first. */
export interface EventPlace {
  readonly atMs: number
  readonly uuid: string
}

/** A stretch of time: from an instant on, up to another or to an event. */
export interface EventSpan {
  readonly fromMs: number
  /** Not included. */
  readonly toMs: number
  readonly before: EventPlace | null
}

/** Where an event stands in the table. */
export interface EventKeyRow {
  readonly uuid: string
  readonly at_ms: string
  readonly event: string
  readonly day: string
  readonly id_hash: string
}

const int = (value: number): SqlFragment => sql`${typed(Math.trunc(value), 'Int64')}`
const instant = (milliseconds: number): SqlFragment => sql`fromUnixTimestamp64Milli(${int(milliseconds)})`
const texts = (values: readonly string[]): SqlFragment => sql`${typed([...values], 'Array(String)')}`

/**
 * The keys of the newest events that fit: few and narrow columns, so that a day of them is read in no time. What the
 * events say is read for those of one page.
 */
export const selectEventKeysStatement = (
  filter: EventFilter,
  { fromMs, toMs, before }: EventSpan,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select uuid, toUnixTimestamp64Milli(timestamp) as at_ms, event, toDate(client_time) as day,
      toString(cityHash64(distinct_id)) as id_hash
    from events
    where timestamp >= ${instant(fromMs)} and timestamp < ${instant(toMs)}
      ${before === null ? empty : sql`and (timestamp, uuid) < (${instant(before.atMs)}, ${typed(before.uuid, 'UUID')})`}
      ${join(conditionsOf(filter), ' ')}
    order by timestamp desc, uuid desc
    limit 1 by uuid
    limit ${typed(limit, 'UInt32')}`)

function conditionsOf({
  event,
  distinctIds,
  session,
  group,
  properties,
  without,
}: EventFilter): readonly SqlFragment[] {
  return [
    event === null ? null : sql`and event = ${event}`,
    without.length === 0 ? null : sql`and event not in ${texts(without)}`,
    distinctIds === null ? null : sql`and distinct_id in ${texts(distinctIds)}`,
    session === null ? null : sql`and session_id = ${session}`,
    group === null ? null : sql`and groups[${group.type}] = ${group.key}`,
    ...properties.map((condition) => sql`and ${condition}`),
  ].flatMap((condition) => condition ?? [])
}

/** What a list shows of an event. */
export interface EventRow {
  readonly uuid: string
  readonly event: string
  readonly at_ms: string
  readonly distinct_id: string
  readonly session_id: string
  readonly window_id: string
  readonly current_url: string
  readonly pathname: string
  readonly browser: string
  readonly os: string
  readonly device_type: string
  readonly lib: string
  readonly elements_chain: string
  /** The text of what was clicked. */
  readonly el_text: string
  /** Of an exception. */
  readonly exception_type: string
  readonly exception_text: string
  /** Of a flag that was asked for; its value as JSON where it is no text. */
  readonly flag: string
  readonly flag_value: string
}

/** Texts of labels are cut where no line of the list shows more. */
const columns = constant(`
  uuid, event, toUnixTimestamp64Milli(timestamp) as at_ms, distinct_id, session_id, window_id, current_url, pathname,
  browser, os, device_type, lib, elements_chain, JSONExtractString(properties, '$el_text') as el_text,
  if(
    event = '$exception',
    substringUTF8(JSONExtractString(properties, '$exception_list', 1, 'type'), 1, 200),
    ''
  ) as exception_type,
  substringUTF8(exception, 1, 200) as exception_text,
  if(
    event = '$feature_flag_called',
    substringUTF8(JSONExtractString(properties, '$feature_flag'), 1, 200),
    ''
  ) as flag,
  if(
    event = '$feature_flag_called',
    substringUTF8(
      coalesce(
        nullIf(JSONExtractString(properties, '$feature_flag_response'), ''),
        JSONExtractRaw(properties, '$feature_flag_response')
      ), 1, 200),
    ''
  ) as flag_value`)

/** What these events say, in no order. */
export const selectEventsStatement = (keys: readonly EventKeyRow[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${columns}
    from events
    where ${keysAmong(keys)}
    limit 1 by uuid`)

/** By all parts of the sorting key, so that few rows are read. */
const keysAmong = (keys: readonly EventKeyRow[]): SqlFragment => sql`
  toDate(client_time) in ${typed(unique(keys.map(({ day }) => day)), 'Array(Date)')}
  and event in ${texts(unique(keys.map(({ event }) => event)))}
  and cityHash64(distinct_id) in ${typed(unique(keys.map(({ id_hash }) => id_hash)).map(BigInt), 'Array(UInt64)')}
  and uuid in ${typed(
    keys.map(({ uuid }) => uuid),
    'Array(UUID)',
  )}`

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)]

/** An event with all that it says. */
export interface FullEventRow extends EventRow {
  readonly client_ms: string
  readonly sent_ms: string | null
  readonly received_ms: string
  /** JSON. */
  readonly properties: string
}

/** One event; its instant finds it, as nothing else of the table's order is known of it. */
export const selectEventStatement = ({ atMs, uuid }: EventPlace): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${columns}, properties, toUnixTimestamp64Milli(client_time) as client_ms,
      toUnixTimestamp64Milli(sent_at) as sent_ms, toUnixTimestamp64Milli(received_at) as received_ms
    from events
    where timestamp = ${instant(atMs)} and uuid = ${typed(uuid, 'UUID')}
    limit 1`)

/** How often an event came. */
export interface EventNameRow {
  readonly event: string
  readonly count: string
}

/** The names of events since an instant, the most frequent first. */
export const selectEventNamesStatement = (fromMs: number, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select event, count() as count
    from events
    where timestamp >= ${instant(fromMs)}
    group by event
    order by count desc, event
    limit ${typed(limit, 'UInt32')}`)

/** A name of properties, and how many events have it. */
export interface PropertyNameRow {
  readonly name: string
  readonly events: string
  /** All that were looked at. */
  readonly looked: string
}

/**
 * The names of the properties of the newest events since an instant, the most frequent first. Where they begin is found
 * in the narrow columns of all events; properties are read of their days alone, and of the day before, for clocks that
 * are behind.
 */
export const selectPropertiesStatement = (
  event: string | null,
  fromMs: number,
  { events, names }: { readonly events: number; readonly names: number },
): ClickHouseStatement => {
  const named = event === null ? empty : sql`and event = ${event}`
  return compileClickHouse(sql`
    with (
      select min(timestamp)
      from (
        select timestamp
        from events
        where timestamp >= ${instant(fromMs)} ${named}
        order by timestamp desc
        limit ${typed(events, 'UInt32')}
      )
    ) as begin
    select name, count() as events, any(looked) as looked
    from (
      select arrayJoin(keys) as name, looked
      from (
        select keys, count() over () as looked
        from (
          select JSONExtractKeys(properties) as keys
          from events
          where toDate(client_time) >= toDate(begin) - 1
            and timestamp >= begin and timestamp >= ${instant(fromMs)} ${named}
          limit 1 by uuid
        )
      )
    )
    group by name
    order by events desc, name
    limit ${typed(names, 'UInt32')}`)
}
