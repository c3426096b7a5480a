import { type ClickHouse, createReaches } from '../../engines/clickhouse/index.ts'
import { isObject, type JsonObject } from '../../ground/json/object.ts'
import {
  type FoundSession,
  kindOfAllStarts,
  kindOfStarts,
  type SeenFlag,
  type SessionSign,
  type SessionStart,
  type SessionStartsQuery,
} from '../../ground/model/session.ts'
import type { SessionEvent, SessionEventSummary } from '../../ground/model/session-event.ts'
import type { ClickHouseStatement } from '../../ground/sql/clickhouse.ts'
import { findSessionsByDistinctId, findSessionsByUrl } from './events/session-search.ts'
import { findSessionsWithFlag, findStarts } from './events/session-starts.ts'
import {
  type EventRow,
  type PlaceRow,
  type SignRow,
  type SummaryRow,
  selectDistinctIdsStatement,
  selectFirstArrivalStatement,
  selectPlacesStatement,
  selectSessionEventsStatement,
  selectSessionIdsStatement,
  selectSessionOffsetStatement,
  selectSessionStartsStatement,
  selectSignsStatement,
  selectSummariesStatement,
  selectVisitorHoursStatement,
  type VisitorHourRow,
} from './queries.ts'
import type { AnalyticsSettings } from './settings.ts'

/** Reads of the table `events`. */
export interface EventStore {
  /** When the first event since a moment arrived; null when none did. */
  firstAt(since: Date): Promise<Date | null>
  /** The events of a session by the browser's clock, the first `limit` of them. */
  ofSession(sessionId: string, limit: number): Promise<readonly SessionEvent[]>
  /** The smallest (arrival − sent) of a session's events, in milliseconds; null where none says when it was sent. */
  offsetMs(sessionId: string): Promise<number | null>
  /** Sessions that sent events, latest beginning first. */
  starts(query: SessionStartsQuery): Promise<readonly SessionStart[]>
  /** Those of the sessions in which a visitor was shown the flag. */
  sessionsWithFlag(ids: readonly string[], flag: SeenFlag): Promise<readonly string[]>
  /** What these sessions' events come to; without those that sent none. */
  summaries(ids: readonly string[]): Promise<readonly SessionEventSummary[]>
  /** Who sent these sessions' events, by tab and id of the browser. */
  signs(sessionIds: readonly string[]): Promise<readonly SessionSign[]>
  /** Sessions in which a page's address contains a text, in any case; latest first. */
  sessionsByUrl(text: string, limit: number): Promise<readonly FoundSession[]>
  /** Sessions in which one of these ids was seen; latest first. */
  sessionsByDistinctId(distinctIds: readonly string[], limit: number): Promise<readonly FoundSession[]>
  /** Sessions of these ids that began up to an instant, newest first. */
  sessionStarts(
    distinctIds: readonly string[],
    until: Date,
    limit: number,
  ): Promise<readonly { readonly sessionId: string; readonly startedAt: Date }[]>
  /** Sessions with an event since a moment, and before `until` where that is given. */
  sessionIdsSince(since: Date, until?: Date): Promise<readonly string[]>
  /** Distinct ids of events since a moment, and before `until` where that is given. */
  distinctIdsSince(since: Date, until?: Date): Promise<readonly string[]>
  /** Sessions and browsers with events, by the hours before an instant; without hours that had none. */
  visitorHours(
    until: Date,
    hours: number,
  ): Promise<readonly { readonly ago: number; readonly sessions: number; readonly people: number }[]>
}

// Names that describe the client and its page rather than what happened.
const aboutClient =
  /^(token|distinct_id|\$(set|set_once|unset|sdk_.*|session_.*|device.*|lib.*|os.*|browser.*|screen_.*|viewport_.*|timezone.*|raw_user_agent|referr.*|insert_id|time|window_id|pageview_id|user_id|initialization_time|config_defaults|configured_.*|recording_status|active_feature_flags|elements_chain|elements|current_url|host|.*_server_side|process_person_profile|is_identified|had_persisted_.*|groups|ce_version|geoip_.*|replay_.*))$/

/** The properties that tell what happened. */
function tellingProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).filter(([name, value]) => value !== null && !aboutClient.test(name)),
  )
}

const instant = (milliseconds: string | number): Date => new Date(Number(milliseconds))
const orNull = (text: string): string | null => (text === '' ? null : text)

/** Reads on one ClickHouse; their statements are in `queries.ts`. */
export function createEventStore(
  { query }: Pick<ClickHouse, 'query'>,
  { exceptionsPerSession }: Pick<AnalyticsSettings, 'exceptionsPerSession'>,
): EventStore {
  const sessionIds = async (statement: ClickHouseStatement): Promise<readonly string[]> =>
    (await query<{ session_id: string }>(statement)).map((row) => row.session_id)

  const reaches = createReaches<SessionStart>(({ startedAt }) => startedAt)
  return {
    async firstAt(since) {
      const [row] = await query<{ first: string | null }>(selectFirstArrivalStatement(since))
      return row?.first == null ? null : instant(row.first)
    },
    async ofSession(sessionId, limit) {
      return (await query<EventRow>(selectSessionEventsStatement(sessionId, limit))).map(toEvent)
    },
    async offsetMs(sessionId) {
      const [row] = await query<{ offset_ms: string | null }>(selectSessionOffsetStatement(sessionId))
      return row?.offset_ms == null ? null : Number(row.offset_ms)
    },
    starts: (wanted) => findStarts({ query }, wanted, reaches.of(kindOfStarts(wanted), kindOfAllStarts(wanted))),
    sessionsWithFlag: (ids, flag) => findSessionsWithFlag({ query }, ids, flag),
    async summaries(ids) {
      if (ids.length === 0) return []
      const [rows, places] = await Promise.all([
        query<SummaryRow>(selectSummariesStatement(ids, exceptionsPerSession)),
        query<PlaceRow>(selectPlacesStatement(ids)),
      ])
      const placeOf = new Map(places.map((place) => [place.session_id, place]))
      return rows.map((row) => toSummary(row, placeOf.get(row.session_id)))
    },
    async signs(ids) {
      return (await query<SignRow>(selectSignsStatement(ids))).map(toSign)
    },
    sessionsByUrl: (text, limit) => findSessionsByUrl({ query }, text, limit),
    sessionsByDistinctId: (ids, limit) => findSessionsByDistinctId({ query }, ids, limit),
    async sessionStarts(distinctIds, until, limit) {
      if (distinctIds.length === 0) return []
      const rows = await query<{ session_id: string; started_ms: string }>(
        selectSessionStartsStatement(distinctIds, until, limit),
      )
      return rows.map((row) => ({ sessionId: row.session_id, startedAt: instant(row.started_ms) }))
    },
    sessionIdsSince: (since, until) => sessionIds(selectSessionIdsStatement(since, until)),
    async distinctIdsSince(since, until) {
      const rows = await query<{ distinct_id: string }>(selectDistinctIdsStatement(since, until))
      return rows.map((row) => row.distinct_id)
    },
    async visitorHours(until, hours) {
      const rows = await query<VisitorHourRow>(selectVisitorHoursStatement(until, hours))
      return rows.map(({ ago, sessions, people }) => ({
        ago: Number(ago),
        sessions: Number(sessions),
        people: Number(people),
      }))
    },
  }
}

const toSign = (row: SignRow): SessionSign => ({
  sessionId: row.session_id,
  windowId: orNull(row.window_id),
  distinctId: row.distinct_id,
  userAgent: orNull(row.user_agent),
  from: instant(row.first_ms),
  to: instant(row.last_ms),
})

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

const toSummary = (row: SummaryRow, place: PlaceRow | undefined): SessionEventSummary => ({
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
  countryCode: orNull(place?.country_code ?? ''),
  city: orNull(place?.city_name ?? ''),
  signs: row.signs.map(([fromMs, toMs, windowId, distinctId, userAgent]) => ({
    sessionId: row.session_id,
    windowId: orNull(windowId),
    distinctId,
    userAgent: orNull(userAgent),
    from: instant(fromMs),
    to: instant(toMs),
  })),
})
