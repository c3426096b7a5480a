import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { SessionQuery, SessionSign } from '../../ground/model/session.ts'
import type { SessionEvent, SessionEventSummary } from '../../ground/model/session-event.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { constant, empty, sql, typed } from '../../ground/sql/sql.ts'
import { isObject, type JsonObject } from './event/json.ts'

/** More are counted, but not compared with the recorded console. */
const exceptionsPerSession = 500
/** A client that changes its id with every event is not heard out. */
const signsPerSession = 200

/** Reads of the table `events`. */
export interface EventStore {
  /** When the first event since a moment arrived; null when none did. */
  firstAt(since: Date): Promise<Date | null>
  /** The events of a session by the browser's clock, the first `limit` of them. */
  ofSession(sessionId: string, limit: number): Promise<readonly SessionEvent[]>
  /** Sessions that sent events, latest beginning first. */
  summaries(query: SessionQuery): Promise<readonly SessionEventSummary[]>
  /** Who sent these sessions' events, by tab and id of the browser. */
  signs(sessionIds: readonly string[]): Promise<readonly SessionSign[]>
  /** Sessions in which a page's address contains a text, in any case; latest first. */
  sessionsByUrl(text: string, limit: number): Promise<readonly string[]>
  /** Sessions in which one of these ids was seen; latest first. */
  sessionsByDistinctId(distinctIds: readonly string[], limit: number): Promise<readonly string[]>
  /** Sessions of which something arrived since a moment. */
  sessionIdsSince(since: Date): Promise<readonly string[]>
  /** Ids of the people of whom something arrived since a moment. */
  distinctIdsSince(since: Date): Promise<readonly string[]>
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
    async firstAt(since) {
      const [row] = await clickhouse.query<{ first: string | null }>(
        compileClickHouse(sql`
          select toUnixTimestamp64Milli(minOrNull(received_at)) as first
          from events
          where received_at >= fromUnixTimestamp64Milli(${typed(since.getTime(), 'Int64')})`),
      )
      return row?.first == null ? null : instant(row.first)
    },

    async ofSession(sessionId, limit) {
      const rows = await clickhouse.query<EventRow>(
        compileClickHouse(sql`
          select uuid, event, distinct_id, window_id, current_url, elements_chain, properties,
            toUnixTimestamp64Milli(client_time) as client_ms,
            toUnixTimestamp64Milli(sent_at) as sent_ms,
            toUnixTimestamp64Milli(received_at) as received_ms
          from events final
          where session_id = ${sessionId}
          order by client_time, uuid
          limit ${typed(limit, 'UInt32')}`),
      )
      return rows.map(toEvent)
    },

    async summaries({ ids, startedBefore, limit }) {
      const chosen = ids === undefined ? empty : sql`and session_id in ${typed(ids, 'Array(String)')}`
      const before =
        startedBefore === undefined ? empty : sql`having started_ms < ${typed(startedBefore.getTime(), 'Int64')}`
      const rows = await clickhouse.query<SummaryRow>(
        compileClickHouse(sql`
          select session_id,
            argMax(distinct_id, timestamp) as last_distinct_id,
            toUnixTimestamp64Milli(min(timestamp)) as started_ms,
            toUnixTimestamp64Milli(max(timestamp)) as ended_ms,
            toUnixTimestamp64Milli(max(received_at)) as received_ms,
            count() as event_count,
            countIf(event = '$pageview') as pageviews,
            countIf(event = '$autocapture' and JSONExtractString(properties, '$event_type') = 'click') as clicks,
            countIf(event = '$exception') as exceptions,
            groupArrayIf(${constant(String(exceptionsPerSession))})(
              (
                window_id,
                toUnixTimestamp64Milli(client_time),
                coalesce(
                  nullIf(JSONExtractString(properties, '$exception_list', 1, 'value'), ''),
                  JSONExtractString(properties, '$exception_message')
                )
              ),
              event = '$exception'
            ) as exception_lines,
            argMinIf(current_url, timestamp, current_url != '') as first_url,
            anyIf(browser, browser != '') as any_browser,
            anyIf(os, os != '') as any_os,
            anyIf(device_type, device_type != '') as any_device
          from events final
          where session_id != '' ${chosen}
          group by session_id
          ${before}
          order by started_ms desc, session_id
          limit ${typed(limit, 'UInt32')}`),
      )
      return rows.map(toSummary)
    },

    async signs(sessionIds) {
      const rows = await clickhouse.query<SignRow>(
        compileClickHouse(sql`
          select session_id, window_id, distinct_id,
            JSONExtractString(properties, '$raw_user_agent') as user_agent,
            toUnixTimestamp64Milli(min(timestamp)) as first_ms,
            toUnixTimestamp64Milli(max(timestamp)) as last_ms
          from events
          where session_id in ${typed(sessionIds, 'Array(String)')}
          group by session_id, window_id, distinct_id, user_agent
          order by first_ms
          limit ${typed(signsPerSession, 'UInt32')} by session_id`),
      )
      return rows.map((row) => ({
        sessionId: row.session_id,
        windowId: orNull(row.window_id),
        distinctId: row.distinct_id,
        userAgent: orNull(row.user_agent),
        from: instant(row.first_ms),
        to: instant(row.last_ms),
      }))
    },

    async sessionsByUrl(text, limit) {
      const rows = await clickhouse.query<{ session_id: string }>(
        compileClickHouse(sql`
          select session_id
          from events
          where session_id != '' and positionCaseInsensitiveUTF8(current_url, ${text}) > 0
          group by session_id
          order by max(timestamp) desc, session_id
          limit ${typed(limit, 'UInt32')}`),
      )
      return rows.map((row) => row.session_id)
    },

    async sessionsByDistinctId(distinctIds, limit) {
      const rows = await clickhouse.query<{ session_id: string }>(
        compileClickHouse(sql`
          select session_id
          from events
          where session_id != '' and distinct_id in ${typed(distinctIds, 'Array(String)')}
          group by session_id
          order by max(timestamp) desc, session_id
          limit ${typed(limit, 'UInt32')}`),
      )
      return rows.map((row) => row.session_id)
    },

    async sessionIdsSince(since) {
      const rows = await clickhouse.query<{ session_id: string }>(
        compileClickHouse(sql`
          select distinct session_id
          from events
          where session_id != '' and received_at >= fromUnixTimestamp64Milli(${typed(since.getTime(), 'Int64')})`),
      )
      return rows.map((row) => row.session_id)
    },

    async distinctIdsSince(since) {
      const rows = await clickhouse.query<{ distinct_id: string }>(
        compileClickHouse(sql`
          select distinct distinct_id
          from events
          where received_at >= fromUnixTimestamp64Milli(${typed(since.getTime(), 'Int64')})`),
      )
      return rows.map((row) => row.distinct_id)
    },
  }
}

interface EventRow {
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

function toEvent(row: EventRow): SessionEvent {
  const properties: unknown = JSON.parse(row.properties)
  return {
    uuid: row.uuid,
    event: row.event,
    distinctId: row.distinct_id,
    windowId: orNull(row.window_id),
    clientTime: instant(row.client_ms),
    sentAt: row.sent_ms === null ? null : instant(row.sent_ms),
    receivedAt: instant(row.received_ms),
    currentUrl: orNull(row.current_url),
    elementsChain: row.elements_chain,
    properties: isObject(properties) ? tellingProperties(properties) : {},
  }
}

interface SignRow {
  readonly session_id: string
  readonly window_id: string
  readonly distinct_id: string
  readonly user_agent: string
  readonly first_ms: string
  readonly last_ms: string
}

interface SummaryRow {
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
}

const toSummary = (row: SummaryRow): SessionEventSummary => ({
  sessionId: row.session_id,
  distinctId: row.last_distinct_id,
  startedAt: instant(row.started_ms),
  endedAt: instant(row.ended_ms),
  lastReceivedAt: instant(row.received_ms),
  events: Number(row.event_count),
  pageviews: Number(row.pageviews),
  autocaptureClicks: Number(row.clicks),
  exceptions: Number(row.exceptions),
  exceptionLines: row.exception_lines.map(([windowId, atMs, text]) => ({
    windowId: orNull(windowId),
    clientMs: Number(atMs),
    text,
  })),
  firstUrl: orNull(row.first_url),
  browser: orNull(row.any_browser),
  os: orNull(row.any_os),
  device: orNull(row.any_device),
})
