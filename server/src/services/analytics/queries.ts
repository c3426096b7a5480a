import { type ClickHouseStatement, compileClickHouse, withoutIndexes } from '../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'

/** A client that changes its id with every event is cut off here. */
const identitiesPerSession = 200

const since = (at: Date): SqlFragment => sql`received_at >= fromUnixTimestamp64Milli(${typed(at.getTime(), 'Int64')})`

/** When the first event since a moment arrived. */
export const selectFirstArrivalStatement = (from: Date): ClickHouseStatement =>
  compileClickHouse(sql`
    select toUnixTimestamp64Milli(minOrNull(received_at)) as first
    from events
    where ${since(from)}`)

/** An event of a session; times are milliseconds as texts. */
export interface EventRow {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly window_id: string
  readonly current_url: string
  readonly elements_chain: string
  readonly properties: string
  readonly client_ms: string
  readonly sent_ms: string | null
  readonly received_ms: string
}

/**
 * What makes an event one, however often it is sent: the table's sorting key. Where only columns of a projection are read,
 * which has no `final`, the copy that came last is taken by it.
 */
const identity = constant('toDate(client_time), event, cityHash64(distinct_id), uuid')
export const lastCopies = sql`order by received_at desc limit 1 by ${identity}`

/** The end of a statement that reads events by session. */
export const bySession = withoutIndexes('session_index')
/** The end of a statement that reads the sessions of an id of a browser. */
export const byVisitor = withoutIndexes('distinct_index')

const count = (limit: number): SqlFragment => sql`${typed(limit, 'UInt32')}`
const texts = (values: readonly string[]): SqlFragment => sql`${typed(values, 'Array(String)')}`

/** The first events of a session, by the browser’s clock. */
export const selectSessionEventsStatement = (sessionId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select uuid, event, distinct_id, window_id, current_url, elements_chain, properties,
      toUnixTimestamp64Milli(client_time) as client_ms,
      toUnixTimestamp64Milli(sent_at) as sent_ms,
      toUnixTimestamp64Milli(received_at) as received_ms
    from events final
    where session_id = ${sessionId}
      -- Where they are, by the table's key: the session's projection has it, and not their properties.
      and (${identity}) in (select ${identity} from events where session_id = ${sessionId})
    order by client_time, uuid
    limit ${typed(limit, 'UInt32')}
    ${bySession}`)

/** The smallest (arrival − sent) of a session's events; null where none says when it was sent. */
export const selectSessionOffsetStatement = (sessionId: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select min(toUnixTimestamp64Milli(received_at) - toUnixTimestamp64Milli(sent_at)) as offset_ms
    from events final
    where session_id = ${sessionId}
      and (${identity}) in (select ${identity} from events where session_id = ${sessionId})
    ${bySession}`)

/** What a session’s events come to; 64-bit numbers arrive as texts. */
export interface SummaryRow {
  readonly session_id: string
  readonly last_distinct_id: string
  readonly started_ms: string
  readonly ended_ms: string
  readonly received_ms: string
  readonly event_count: string
  readonly pageviews: string
  readonly clicks: string
  readonly exceptions: string
  readonly exception_lines: readonly (readonly [windowId: string, atMs: string, text: string])[]
  readonly first_url: string
  readonly any_browser: string
  readonly any_os: string
  readonly any_device: string
  readonly signs: readonly (readonly [
    fromMs: string,
    toMs: string,
    windowId: string,
    distinctId: string,
    userAgent: string,
  ])[]
}

/**
 * What these sessions' events come to, by who sent them and together.
 *
 * @param exceptionsPerSession how many exceptions of a session are returned; all are counted
 */
export const selectSummariesStatement = (ids: readonly string[], exceptionsPerSession: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id,
      argMax(distinct_id, last) as last_distinct_id,
      toString(min(first)) as started_ms,
      toString(max(last)) as ended_ms,
      toString(max(received)) as received_ms,
      sum(n) as event_count,
      sum(n_pageviews) as pageviews,
      sum(n_clicks) as clicks,
      sum(n_exceptions) as exceptions,
      arraySlice(arrayFlatten(groupArray(lines)), 1, ${count(exceptionsPerSession)}) as exception_lines,
      argMinIf(url, url_at, url != '') as first_url,
      anyIf(a_browser, a_browser != '') as any_browser,
      anyIf(an_os, an_os != '') as any_os,
      anyIf(a_device, a_device != '') as any_device,
      arraySlice(arraySort(groupArray((first, last, window_id, distinct_id, user_agent))), 1, ${count(identitiesPerSession)}) as signs
    from (
      select session_id, window_id, distinct_id, user_agent,
        toUnixTimestamp64Milli(min(timestamp)) as first,
        toUnixTimestamp64Milli(max(timestamp)) as last,
        toUnixTimestamp64Milli(max(received_at)) as received,
        count() as n,
        countIf(event = '$pageview') as n_pageviews,
        countIf(event_type = 'click') as n_clicks,
        countIf(event = '$exception') as n_exceptions,
        groupArrayIf(${constant(String(exceptionsPerSession))})(
          (window_id, toUnixTimestamp64Milli(client_time), exception),
          event = '$exception'
        ) as lines,
        argMinIf(current_url, timestamp, current_url != '') as url,
        minIf(timestamp, current_url != '') as url_at,
        anyIf(browser, browser != '') as a_browser,
        anyIf(os, os != '') as an_os,
        anyIf(device_type, device_type != '') as a_device
      from (
        select session_id, client_time, event, timestamp, received_at, distinct_id, window_id, current_url, browser, os,
          device_type, user_agent, event_type, exception
        from events
        where session_id in ${texts(ids)}
        ${lastCopies}
      )
      group by session_id, window_id, distinct_id, user_agent
    )
    group by session_id
    ${bySession}`)

/** Where a session's events came from last. */
export interface PlaceRow {
  readonly session_id: string
  readonly country_code: string
  readonly city_name: string
}

/** Where these sessions' events came from last; without those of which it is not known. */
export const selectPlacesStatement = (ids: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, country_code, city_name
    from (
      select session_id, country_code, city_name, max(timestamp) as last
      from events
      where session_id in ${texts(ids)}
      group by session_id, country_code, city_name
    )
    where country_code != ''
    order by last desc
    limit 1 by session_id
    ${bySession}`)

/** What a session’s events say of one tab and one id of the browser. */
export interface SignRow {
  readonly session_id: string
  readonly window_id: string
  readonly distinct_id: string
  readonly user_agent: string
  readonly first_ms: string
  readonly last_ms: string
}

/** Who sent these sessions’ events, by tab and id of the browser. */
export const selectSignsStatement = (sessionIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, window_id, distinct_id,
      user_agent,
      toUnixTimestamp64Milli(min(timestamp)) as first_ms,
      toUnixTimestamp64Milli(max(timestamp)) as last_ms
    from events
    where session_id in ${typed(sessionIds, 'Array(String)')}
    group by session_id, window_id, distinct_id, user_agent
    order by first_ms
    limit ${typed(identitiesPerSession, 'UInt32')} by session_id
    ${bySession}`)

/** Sessions of these ids that began up to an instant, newest first. */
export const selectSessionStartsStatement = (
  distinctIds: readonly string[],
  until: Date,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, toUnixTimestamp64Milli(min(timestamp)) as started_ms
    from events
    where session_id != '' and distinct_id in ${typed(distinctIds, 'Array(String)')}
    group by session_id
    having started_ms <= ${typed(until.getTime(), 'Int64')}
    order by started_ms desc, session_id
    limit ${typed(limit, 'UInt32')}
    ${byVisitor}`)

/** Sessions with an event since a moment, and before `to`. */
export const selectSessionIdsStatement = (from: Date, to: Date | undefined): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct session_id
    from events
    where session_id != '' and ${happened(from, to)}`)

/** Distinct ids of events since a moment, and before `to`. */
export const selectDistinctIdsStatement = (from: Date, to: Date | undefined): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct distinct_id
    from events
    where ${happened(from, to)}`)

/** By when it happened, not by when it was told: events that come late, or are imported, are no visits of today. */
const happened = (from: Date, to: Date | undefined): SqlFragment =>
  to === undefined
    ? sql`timestamp >= ${instant(from)}`
    : sql`timestamp >= ${instant(from)} and timestamp < ${instant(to)}`

const instant = (at: Date): SqlFragment => sql`fromUnixTimestamp64Milli(${typed(at.getTime(), 'Int64')})`

/** Who came in an hour, counted back from an instant. */
export interface VisitorHourRow {
  /** Hours that passed since its end. */
  readonly ago: number
  readonly sessions: string
  readonly people: string
}

/** Sessions and browsers with events, by the hours before an instant. */
export const selectVisitorHoursStatement = (until: Date, hours: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select intDiv(${typed(until.getTime() - 1, 'Int64')} - toUnixTimestamp64Milli(timestamp), 3600000) as ago,
      uniqExactIf(session_id, session_id != '') as sessions, uniqExact(distinct_id) as people
    from events
    where ${happened(new Date(until.getTime() - hours * 3_600_000), until)}
    group by ago`)

/** So many of the latest events are looked at for names. */
const eventsLookedAt = 20_000

/** Names of the properties of the latest events and of what they set of people, the most frequent first. */
export const selectPropertyNamesStatement = (limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select name
    from (
      select arrayJoin(arrayConcat(
        JSONExtractKeys(properties),
        JSONExtractKeys(properties, '$set'),
        JSONExtractKeys(properties, '$set_once'))) as name
      from (
        select properties
        from events
        order by received_at desc
        limit ${typed(eventsLookedAt, 'UInt64')}
      )
    )
    group by name
    order by count() desc, name
    limit ${typed(limit, 'UInt64')}`)
