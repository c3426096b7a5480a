import { type ClickHouse, type Reach, readBack } from '../../../engines/clickhouse/index.ts'
import {
  isShortStretch,
  longestSessionMs,
  type SeenFlag,
  type SessionStart,
  type SessionStartsQuery,
} from '../../../ground/model/session.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { bySession, lastCopies } from '../queries.ts'

interface Row {
  readonly session_id: string
  readonly started_ms: string
  readonly ended_ms: string
  readonly exceptions: string
}

/** Sessions that sent events, latest beginning first. */
export function findStarts(
  { query }: Pick<ClickHouse, 'query'>,
  wanted: SessionStartsQuery,
  reach: Reach<SessionStart>,
): Promise<readonly SessionStart[]> {
  const find = async (since: Date | null): Promise<readonly SessionStart[]> => {
    const rows = await query<Row>(selectStartsStatement(wanted, since))
    return rows.map((row) => ({
      sessionId: row.session_id,
      startedAt: new Date(Number(row.started_ms)),
      endedAt: new Date(Number(row.ended_ms)),
      errors: Number(row.exceptions),
    }))
  }
  const { limit, from, only } = wanted
  if (typeof only === 'object') return find(null)
  return readBack({ limit, from, find, reach })
}

const hourMs = 3_600_000
const lastSecond = 2 ** 32 - 1
const longestSession = constant(`toIntervalMillisecond(${longestSessionMs})`)
/** How long a client keeps an event before it sends it, unless it has no network. */
const longestWait = constant('toIntervalMinute(15)')

const instant = (at: Date): SqlFragment => sql`fromUnixTimestamp64Milli(${typed(at.getTime(), 'Int64')})`
/** The hour of an instant; of those that the column cannot hold the last. */
const hour = (at: Date): SqlFragment =>
  sql`toDateTime(${typed(Math.min(Math.floor(at.getTime() / hourMs) * 3600, lastSecond), 'UInt32')}, 'UTC')`
const sessionsWith = (condition: SqlFragment): SqlFragment =>
  sql`session_id in (select session_id from events where session_id != '' and ${condition})`

/** Those that began since an instant. */
function selectStartsStatement(wanted: SessionStartsQuery, since: Date | null): ClickHouseStatement {
  const { startedBefore, limit, country } = wanted
  const before = instant(startedBefore)
  const from = instant(since ?? new Date(0))
  const active = sessionsWith(sql`timestamp >= ${from} and timestamp < ${before}`)
  const stretch = { active, from, before, isShort: isShortStretch(since, startedBefore) }
  const [rows, exceptions] =
    country === undefined
      ? [
          sql`(select session_id, timestamp, event from events where ${chosen(wanted, stretch)} ${lastCopies})`,
          sql`countIf(event = '$exception')`,
        ]
      : // The projections have no event, and a copy of one changes nothing of them.
        [
          sql`events where session_id in (${sessionsFrom(country, hour(since ?? new Date(0)), hour(startedBefore))})`,
          sql`0`,
        ]
  return compileClickHouse(sql`
    select session_id, toUnixTimestamp64Milli(min(timestamp)) as started_ms, toUnixTimestamp64Milli(max(timestamp)) as ended_ms,
      toString(${exceptions}) as exceptions
    from ${rows}
    group by session_id
    having min(timestamp) >= ${from} and min(timestamp) < ${before}
    order by started_ms desc, session_id
    limit ${typed(limit, 'UInt32')}
    ${bySession}`)
}

/** By the hour, which the projection is ordered by. */
const sessionsFrom = (country: string, from: SqlFragment, before: SqlFragment): SqlFragment => sql`
  select session_id
  from events
  where session_id != '' and country_code = ${country}
    and toStartOfHour(timestamp) >= ${from} and toStartOfHour(timestamp) <= ${before}
  group by session_id`

interface Stretch {
  /** Whether a session has events in it. */
  readonly active: SqlFragment
  readonly from: SqlFragment
  readonly before: SqlFragment
  readonly isShort: boolean
}

function chosen({ only, flag }: SessionStartsQuery, { active, from, before, isShort }: Stretch): SqlFragment {
  if (typeof only === 'object')
    return sessionsWith(
      sql`received_at >= ${instant(only.activeSince)} and timestamp >= ${instant(only.activeSince)} - ${longestWait}`,
    )
  // What is rare may follow long after the start.
  const within = sql`timestamp >= ${from} and timestamp < ${before} + ${longestSession}`
  const found = [
    ...(only === 'errors' ? [sessionsWith(sql`event = '$exception' and ${within}`)] : []),
    ...(flag === undefined ? [] : [sessionsWith(sql`${sawFlag(flag)} and ${within}`)]),
  ]
  return join(found.length === 0 || isShort ? [active, ...found] : found, ' and ')
}

/** Whether an event says that a visitor was shown the flag. */
const sawFlag = ({ key, variant }: SeenFlag): SqlFragment =>
  sql`event = '$feature_flag_called' and ${
    variant === null ? sql`startsWith(flag_seen, ${`${key}=`})` : sql`flag_seen = ${`${key}=${variant}`}`
  }`

/** Those of the sessions in which a visitor was shown the flag. */
export async function findSessionsWithFlag(
  { query }: Pick<ClickHouse, 'query'>,
  ids: readonly string[],
  flag: SeenFlag,
): Promise<readonly string[]> {
  const rows = await query<{ session_id: string }>(
    compileClickHouse(sql`
      select distinct session_id
      from events
      where session_id in ${typed(ids, 'Array(String)')} and ${sawFlag(flag)}`),
  )
  return rows.map((row) => row.session_id)
}
