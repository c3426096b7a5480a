import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { empty, sql, typed } from '../../ground/sql/sql.ts'
import { isObject, type JsonObject } from './capture/json.ts'

/** An event on a session's timeline. */
export interface SessionEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly windowId: string
  /** On the browser's clock; a session's offset turns it into ours. */
  readonly clientTime: Date
  /** On our clock, with the time that sending took folded in. */
  readonly timestamp: Date
  /** When the client sent it, on its clock; null when it did not say. */
  readonly sentAt: Date | null
  readonly receivedAt: Date
  readonly currentUrl: string
  readonly pathname: string
  readonly elementsChain: string
  /** What the event itself says; the client's description of itself and its page is left out. */
  readonly properties: JsonObject
}

/** What a session's events say of it, whether or not it was recorded. */
export interface SessionEventSummary {
  readonly sessionId: string
  /** Of its latest event. */
  readonly distinctId: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly lastReceivedAt: Date
  readonly events: number
  readonly pageviews: number
  readonly clicks: number
  readonly exceptions: number
  readonly browser: string | null
  readonly os: string | null
  readonly deviceType: string | null
  /** Path of the first page. */
  readonly entryPath: string | null
}

export interface SessionEventFilter {
  /** Only these; null for all. */
  readonly sessionIds: readonly string[] | null
  /** Only sessions with an event at or after this moment. */
  readonly from: Date | null
  /** Only sessions that began before this moment. */
  readonly startedBefore: Date | null
  readonly limit: number
}

/** Reads of the table `events`. */
export interface EventStore {
  /** When the very first event arrived; null when none did. */
  firstEventAt(): Promise<Date | null>
  /** The events of a session by the browser's clock, the first `limit` of them. */
  events(sessionId: string, limit: number): Promise<readonly SessionEvent[]>
  /** Sessions that sent events, latest beginning first. */
  sessionEventSummaries(filter: SessionEventFilter): Promise<readonly SessionEventSummary[]>
}

// Names that describe the client and its page rather than what happened.
const aboutClient =
  /^(token|distinct_id|\$(set|set_once|unset|sdk_.*|session_.*|device.*|lib.*|os.*|browser.*|screen_.*|viewport_.*|timezone.*|raw_user_agent|referr.*|insert_id|time|window_id|pageview_id|user_id|initialization_time|config_defaults|configured_.*|recording_status|active_feature_flags|elements_chain|elements|current_url|host|.*_server_side|process_person_profile|is_identified|had_persisted_.*|groups|ce_version|geoip_.*|replay_.*))$/

/** The properties that tell what happened. */
export function tellingProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).filter(([name, value]) => value !== null && !aboutClient.test(name)),
  )
}

const instant = (milliseconds: string | number): Date => new Date(Number(milliseconds))
const orNull = (text: string): string | null => (text === '' ? null : text)

/** Events in ClickHouse. */
export function createEventStore(clickhouse: Pick<ClickHouse, 'query'>): EventStore {
  return {
    async firstEventAt() {
      const [row] = await clickhouse.query<{ first: string | null }>(
        compileClickHouse(sql`
          select toUnixTimestamp64Milli(minOrNull(received_at)) as first
          from events`),
      )
      return row?.first == null ? null : instant(row.first)
    },

    async events(sessionId, limit) {
      const rows = await clickhouse.query<EventRow>(
        compileClickHouse(sql`
          select uuid, event, distinct_id, window_id, current_url, pathname, elements_chain, properties,
            toUnixTimestamp64Milli(client_time) as client_ms,
            toUnixTimestamp64Milli(timestamp) as timestamp_ms,
            toUnixTimestamp64Milli(sent_at) as sent_ms,
            toUnixTimestamp64Milli(received_at) as received_ms
          from events final
          where session_id = ${sessionId}
          order by client_time, uuid
          limit ${typed(limit, 'UInt32')}`),
      )
      return rows.map(toEvent)
    },

    async sessionEventSummaries({ sessionIds, from, startedBefore, limit }) {
      // A session without an event after `from` is left out, but one that has such an event is counted whole.
      const chosen = sessionIds === null ? empty : sql`and session_id in ${typed(sessionIds, 'Array(String)')}`
      const recent =
        from === null
          ? empty
          : sql`and session_id in (
              select session_id from events where timestamp >= fromUnixTimestamp64Milli(${typed(from.getTime(), 'Int64')})
            )`
      const before =
        startedBefore === null ? empty : sql`having started_ms < ${typed(startedBefore.getTime(), 'Int64')}`
      const rows = await clickhouse.query<SummaryRow>(
        compileClickHouse(sql`
          select session_id,
            argMax(distinct_id, timestamp) as distinct_id_last,
            toUnixTimestamp64Milli(min(timestamp)) as started_ms,
            toUnixTimestamp64Milli(max(timestamp)) as ended_ms,
            toUnixTimestamp64Milli(max(received_at)) as received_ms,
            count() as events_count,
            countIf(event = '$pageview') as pageviews,
            countIf(event = '$autocapture' and JSONExtractString(properties, '$event_type') = 'click') as clicks,
            countIf(event = '$exception') as exceptions,
            anyIf(browser, browser != '') as browser_any,
            anyIf(os, os != '') as os_any,
            anyIf(device_type, device_type != '') as device_any,
            argMinIf(pathname, timestamp, pathname != '') as entry_path
          from events final
          where session_id != '' ${chosen} ${recent}
          group by session_id
          ${before}
          order by started_ms desc, session_id
          limit ${typed(limit, 'UInt32')}`),
      )
      return rows.map(toSummary)
    },
  }
}

interface EventRow {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly window_id: string
  readonly current_url: string
  readonly pathname: string
  readonly elements_chain: string
  readonly properties: string
  readonly client_ms: string
  readonly timestamp_ms: string
  readonly sent_ms: string | null
  readonly received_ms: string
}

function toEvent(row: EventRow): SessionEvent {
  const properties: unknown = JSON.parse(row.properties)
  return {
    uuid: row.uuid,
    event: row.event,
    distinctId: row.distinct_id,
    windowId: row.window_id,
    clientTime: instant(row.client_ms),
    timestamp: instant(row.timestamp_ms),
    sentAt: row.sent_ms === null ? null : instant(row.sent_ms),
    receivedAt: instant(row.received_ms),
    currentUrl: row.current_url,
    pathname: row.pathname,
    elementsChain: row.elements_chain,
    properties: isObject(properties) ? tellingProperties(properties) : {},
  }
}

interface SummaryRow {
  readonly session_id: string
  readonly distinct_id_last: string
  readonly started_ms: string
  readonly ended_ms: string
  readonly received_ms: string
  readonly events_count: string
  readonly pageviews: string
  readonly clicks: string
  readonly exceptions: string
  readonly browser_any: string
  readonly os_any: string
  readonly device_any: string
  readonly entry_path: string
}

const toSummary = (row: SummaryRow): SessionEventSummary => ({
  sessionId: row.session_id,
  distinctId: row.distinct_id_last,
  startedAt: instant(row.started_ms),
  endedAt: instant(row.ended_ms),
  lastReceivedAt: instant(row.received_ms),
  events: Number(row.events_count),
  pageviews: Number(row.pageviews),
  clicks: Number(row.clicks),
  exceptions: Number(row.exceptions),
  browser: orNull(row.browser_any),
  os: orNull(row.os_any),
  deviceType: orNull(row.device_any),
  entryPath: orNull(row.entry_path),
})
