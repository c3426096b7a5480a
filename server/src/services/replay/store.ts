import type { Lifetime } from '../../engines/clickhouse/index.ts'
import type { WantedMessages } from '../../ground/model/recording.ts'
import { isShortStretch, longestSessionMs, type SessionStartsQuery } from '../../ground/model/session.ts'
import type { RowTimes } from '../../ground/privacy/consent.ts'
import { isWithdrawn } from '../../ground/privacy/withdrawal.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'
import { activityGapMs } from './ingest/summary.ts'
import type { ReplaySettings } from './settings.ts'
import { ofStretch } from './stretches.ts'

/** A client that changes its id with every message is cut off here. */
const identitiesPerSession = 200

/** A session as a row of the list: 64-bit numbers arrive as texts. */
export interface SessionRow {
  readonly session_id: string
  readonly distinct_id: string
  readonly started_at: string
  readonly ended_at: string
  readonly last_active_at: string
  readonly active: string
  readonly pages: string
  readonly clicks: string
  readonly console_errors: string
  /** Window, time on the browser's clock, text. */
  readonly error_lines: readonly (readonly [windowId: string, atMs: string, text: string])[]
  readonly first_url: string
  readonly browser: string
  readonly os: string
  readonly device: string
  /** The smallest (arrival − sent). */
  readonly offset: string
  /** JSON of window, distinct id and user agent, with the first and the last time of each on the browser's clock. */
  readonly firsts: readonly (readonly [who: string, ms: string])[]
  readonly lasts: readonly (readonly [who: string, ms: string])[]
}

/**
 * Sessions from their messages' summaries; `data` is not read. A session's times are the browser's plus the smallest
 * (arrival − sent) of its messages, for that one waited least on its way.
 *
 * @param errorsPerSession how many console errors of a session are returned; all are counted
 */
export function sessionsStatement(ids: readonly string[], errorsPerSession: number): ClickHouseStatement {
  return compileClickHouse(sql`
    select
      session_id,
      argMin(distinct_id, first_ts) as distinct_id,
      min(first_ts) + coalesce(min(offset_ms), 0) as started_at,
      max(last_ts) + coalesce(min(offset_ms), 0) as ended_at,
      greatest(max(active_to), min(first_ts)) + coalesce(min(offset_ms), 0) as last_active_at,
      arraySort(groupArrayIf((active_from, active_to), active_from > 0)) as spans,
      -- A stretch that goes on in the next message is one: the time between them counts too.
      sum(active_ms) + arraySum(
        (one, next) -> if((next.1 - one.2) between 0 and ${typed(activityGapMs, 'Int64')}, next.1 - one.2, 0),
        arrayPopBack(spans),
        arrayPopFront(spans)
      ) as active,
      arrayCompact(arrayFlatten(arrayMap(one -> one.2, arraySort(groupArray((first_ts, urls)))))) as visited,
      length(visited) as pages,
      visited[1] as first_url,
      sum(clicks) as clicks,
      sum(console_errors) as console_errors,
      arraySlice(
        arrayFlatten(groupArray(arrayMap(one -> (window_id, one.1, one.2), errors))), 1, ${typed(errorsPerSession, 'UInt32')}
      ) as error_lines,
      any(browser) as browser,
      any(os) as os,
      any(device) as device,
      coalesce(min(offset_ms), 0) as offset,
      ${timesBySender('minMap', 'first_ts')} as firsts,
      ${timesBySender('maxMap', 'last_ts')} as lasts
    from snapshots final
    where session_id in ${typed(ids, 'Array(String)')}
    group by session_id`)
}

/** Times of each tab and id of the browser: pairs of JSON and milliseconds. */
function timesBySender(aggregate: 'minMap' | 'maxMap', column: 'first_ts' | 'last_ts'): SqlFragment {
  const who = 'toJSONString((window_id, snapshots.distinct_id, user_agent))'
  const times = constant(`${aggregate}([${who}], [${column}])`)
  return sql`arraySlice(arrayZip(${times}.1, ${times}.2), 1, ${typed(identitiesPerSession, 'UInt32')})`
}

/** How much later a session's first message may seem to begin than the session: it may have waited on its way. */
const longestWaitMs = 15 * 60_000

/** A session as the list of the newest has it: 64-bit numbers arrive as texts. */
export interface StartRow {
  readonly session_id: string
  readonly started_at: string
  readonly ended_at: string
  readonly errors: string
}

/** Recorded sessions, latest beginning first: those that began since an instant. */
export function startsStatement(
  { startedBefore, only, limit }: SessionStartsQuery,
  since: Date | null,
): ClickHouseStatement {
  const fromMs = since?.getTime() ?? 0
  const beforeMs = startedBefore.getTime()
  const ms = (value: number): SqlFragment => sql`${typed(value, 'Int64')}`
  const sessionsWith = (condition: SqlFragment): SqlFragment =>
    sql`session_id in (select session_id from snapshots where ${condition})`
  const active = sessionsWith(sql`began >= ${ms(fromMs)} and began < ${ms(beforeMs + longestWaitMs)}`)
  // The error may follow long after the start.
  const failed = sessionsWith(
    sql`console_errors > 0 and began >= ${ms(fromMs)} and began < ${ms(beforeMs + longestSessionMs)}`,
  )
  const chosen =
    only === undefined
      ? active
      : only === 'errors'
        ? isShortStretch(since, startedBefore)
          ? sql`${active} and ${failed}`
          : failed
        : sessionsWith(sql`received_at >= ${ms(only.activeSince.getTime())}`)
  return compileClickHouse(sql`
    select session_id, min(first_ts) + coalesce(min(offset_ms), 0) as started_at,
      max(last_ts) + coalesce(min(offset_ms), 0) as ended_at, sum(console_errors) as errors
    from snapshots final
    where ${chosen}
    group by session_id
    having started_at >= ${ms(fromMs)} and started_at < ${ms(beforeMs)}
    order by started_at desc, session_id
    limit ${typed(limit, 'UInt64')}`)
}

/** What a session's messages say of one tab and one id of the browser. */
export interface SignRow {
  readonly session_id: string
  readonly window_id: string
  readonly distinct_id: string
  readonly user_agent: string
  readonly first_ms: string
  readonly last_ms: string
  /** The smallest (arrival − sent) of the session. */
  readonly offset_ms: string
}

/** Ids of the people who did something in a recording of which a message came since, and before `until`. */
export function activeSinceStatement(since: Date, until: Date | undefined): ClickHouseStatement {
  return compileClickHouse(sql`
    select distinct distinct_id
    from snapshots
    where ${arrived(since, until)} and active_to > 0`)
}

const arrived = (since: Date, until: Date | undefined): SqlFragment =>
  until === undefined
    ? sql`received_at >= ${typed(since.getTime(), 'Int64')}`
    : sql`received_at >= ${typed(since.getTime(), 'Int64')} and received_at < ${typed(until.getTime(), 'Int64')}`

/** Who sent the recordings of these sessions. */
export function signsStatement(sessionIds: readonly string[]): ClickHouseStatement {
  return compileClickHouse(sql`
    select session_id, window_id, distinct_id, user_agent,
      min(first_ts) as first_ms,
      max(last_ts) as last_ms,
      coalesce(min(min(offset_ms)) over (partition by session_id), 0) as offset_ms
    from snapshots
    where session_id in ${typed(sessionIds, 'Array(String)')}
    group by session_id, window_id, distinct_id, user_agent
    order by first_ms
    limit ${typed(identitiesPerSession, 'UInt64')} by session_id`)
}

/**
 * A session's messages, or those of them that are wanted, as JSON of `StoredMessage`, each once, in the order of the table, so
 * that they are streamed and never sorted. The engine writes them: a message may hold 25 MiB, which to parse here would hold the
 * event loop.
 */
export function messagesStatement(
  sessionId: string,
  offsetMs: number,
  { news, stretch, clock }: WantedMessages,
): ClickHouseStatement {
  const isNew =
    news === undefined
      ? constant('')
      : sql`and received_at >= ${typed(news.since.getTime(), 'Int64')}
          and not has(${typed(news.known, 'Array(String)')}, substring(toString(uuid), 25))`
  const isOfStretch = stretch === undefined ? constant('') : sql`and ${ofStretch(sessionId, stretch, clock?.begunMs)}`
  return compileClickHouse(sql`
    select concat('{', ${messageFields(offsetMs)}, '}')
    from snapshots
    where session_id = ${sessionId} ${isNew} ${isOfStretch}
    order by session_id, window_id, first_ts, uuid
    -- A message that came twice stands there twice until the table has merged it.
    limit 1 by window_id, first_ts, uuid
    settings max_threads = 1, max_block_size = 32, optimize_read_in_order = 1`)
}

/** The first message with which a picture of the page begins, as JSON of `StoredMessage`; no row without one. */
export const pictureStatement = (sessionId: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select concat('{', ${messageFields(0)}, '}')
    from snapshots
    where session_id = ${sessionId} and has_full_snapshot
    order by first_ts, uuid
    limit 1`)

/** What a reader of a message is told, as the text of an object's members; its events stand last. */
export const messageFields = (offsetMs: number): SqlFragment => sql`concat(
      '"windowId":', toJSONString(window_id),
      ',"tail":"', substring(toString(uuid), 25),
      '","receivedMs":', toString(received_at),
      ',"offsetMs":', ${String(offsetMs)},
      ',"events":', data
    )`

/** A session's messages as lines of a file, each a `MessageLineHead` with its `events`; in the order of the table. */
export const fileLinesStatement = (sessionId: string, offsetMs: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select concat(
      '{"message":"', toString(uuid),
      '","distinctId":', toJSONString(distinct_id),
      ',"sentAtMs":', ifNull(toString(sent_at), 'null'),
      ',"userAgent":', toJSONString(user_agent),
      ',', ${messageFields(offsetMs)}, '}'
    )
    from snapshots
    where session_id = ${sessionId}
    order by session_id, window_id, first_ts, uuid
    limit 1 by window_id, first_ts, uuid
    settings max_threads = 1, max_block_size = 32, optimize_read_in_order = 1`)

/** Which of these messages of a session are stored. */
export const storedIdsStatement = (sessionId: string, uuids: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct toString(uuid) as id
    from snapshots
    where session_id = ${sessionId} and uuid in ${typed(uuids, 'Array(UUID)')}`)

/** How far a session's clock is from ours: (arrival − sent) of each message, the smallest first. */
export function clockStatement(sessionId: string): ClickHouseStatement {
  return compileClickHouse(sql`
    select
      count() as messages,
      arraySort(groupArrayIf(assumeNotNull(offset_ms), offset_ms is not null)) as offsets
    from snapshots final
    where session_id = ${sessionId}`)
}

/** Messages of these ids from before; one happened when it begins. */
const isForgotten = (distinctIds: readonly string[], before: RowTimes): SqlFragment =>
  isWithdrawn(distinctIds, before, {
    received: sql`received_at`,
    happened: sql`first_ts + coalesce(offset_ms, 0)`,
  })

/** A row where there are recordings of these ids from before. */
export const anyForgottenStatement = (distinctIds: readonly string[], before: RowTimes): ClickHouseStatement =>
  compileClickHouse(sql`
    select 1
    from snapshots
    where ${isForgotten(distinctIds, before)}
    limit 1`)

/** Writes the parts anew without these ids' recordings from before. */
export const forgetStatement = (distinctIds: readonly string[], before: RowTimes): ClickHouseStatement =>
  compileClickHouse(sql`
    alter table snapshots
    delete where ${isForgotten(distinctIds, before)}
    settings mutations_sync = 2`)

/** Sessions of which something arrived since, and before `until`. */
export function sessionsSinceStatement(since: Date, until: Date | undefined): ClickHouseStatement {
  return compileClickHouse(sql`
    select distinct session_id
    from snapshots
    where ${arrived(since, until)}`)
}

/** When the first message since a moment arrived; no row without one. */
export function firstStatement(since: Date): ClickHouseStatement {
  return compileClickHouse(sql`
    select min(received_at) as at
    from snapshots
    where received_at >= ${typed(since.getTime(), 'Int64')}
    having count() > 0`)
}

/** How long recordings are kept. */
export const recordingLifetime = ({ retentionDays }: Pick<ReplaySettings, 'retentionDays'>): Lifetime => ({
  table: 'snapshots',
  days: retentionDays,
  isBefore: (instant) => sql`received_at < ${typed(instant.getTime(), 'Int64')}`,
})
