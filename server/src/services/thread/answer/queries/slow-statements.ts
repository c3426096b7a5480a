import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql } from '../../../../ground/sql/sql.ts'
import { at, count, texts } from './columns.ts'

/** By what statements are slow: all their calls together, or most of their calls. */
export type SlowOrder = 'total' | 'p95' | 'calls'

/** A statement with its calls; 64-bit integers are texts. */
export interface SlowRow {
  readonly fingerprint: string
  readonly calls: string
  readonly errors: string
  readonly total_ms: number
  /** The median, the 95th percentile. */
  readonly durations: readonly [number, number]
  readonly max_ms: number
  readonly rows: string
  /** Request and place of the latest call. */
  readonly latest_key: readonly [requestId: string, ordinal: number]
}

/** A call of a statement. */
export interface CallRow {
  readonly request_id: string
  readonly ordinal: number
  readonly time: string
  readonly text: string
  readonly role: string
}

/** Whose requests ran a statement. */
export interface HurtRow {
  readonly fingerprint: string
  readonly services: readonly string[]
  readonly sessions: string
  readonly people: string
}

/** The stretch that is looked at. */
export interface SlowStretch {
  readonly from: Date
  readonly to: Date
}

const orders: Readonly<Record<SlowOrder, SqlFragment>> = {
  total: constant('total_ms'),
  p95: constant('durations[2]'),
  calls: constant('calls'),
}

// The table is in the order of requests' ids, which begin with their time.
const idAt = (instant: Date): string => {
  const hex = instant.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
/** How long a statement may begin after its request did. */
const longestCallMs = 3_600_000

const within = ({ from, to }: SlowStretch): SqlFragment => sql`
  request_id >= ${idAt(new Date(from.getTime() - longestCallMs))} and request_id < ${idAt(to)}
    and time >= ${at(from)} and time < ${at(to)}`

const isOneOf = (fingerprints: readonly string[]): SqlFragment =>
  sql`has(arrayMap(one -> toUInt64(one), ${texts(fingerprints)}), fingerprint)`

/** The statements that took most. */
export const selectSlowStatement = (stretch: SlowStretch, order: SlowOrder, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select
      toString(fingerprint) as fingerprint,
      count() as calls,
      countIf(error_code != '') as errors,
      sum(duration_ms) as total_ms,
      quantilesTDigest(0.5, 0.95)(duration_ms) as durations,
      max(duration_ms) as max_ms,
      toString(sum(coalesce(statements.rows, 0))) as rows,
      argMax((request_id, ordinal), (time, request_id, ordinal)) as latest_key
    from statements
    where ${within(stretch)}
    group by fingerprint
    order by ${orders[order]} desc, fingerprint
    limit ${count(limit)}`)

/** The calls of the requests in these keys, with their texts: a text is read of one call of a statement only. */
export const selectCallsStatement = (keys: readonly SlowRow['latest_key'][]): ClickHouseStatement =>
  compileClickHouse(sql`
    select request_id, ordinal, time, text, role
    from statements
    where request_id in (${texts(keys.map(([requestId]) => requestId))})`)

/**
 * Who waited for these statements, of the newest calls of each.
 *
 * @param calls the most that are looked at for a statement
 */
export const selectHurtStatement = (
  stretch: SlowStretch,
  fingerprints: readonly string[],
  calls: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select
      toString(calls.fingerprint) as fingerprint,
      groupUniqArray(20)(senders.service) as services,
      uniqIf(senders.session_id, senders.session_id != '') as sessions,
      uniqIf(if(senders.user_id = '', senders.distinct_id, senders.user_id),
        senders.user_id != '' or senders.distinct_id != '') as people
    from (
      select fingerprint, request_id
      from statements
      where ${within(stretch)} and ${isOneOf(fingerprints)}
      order by request_id desc
      limit ${count(calls)} by fingerprint
    ) as calls
    inner join (
      select id, service, session_id, user_id, distinct_id
      from requests
      where time >= ${at(new Date(stretch.from.getTime() - longestCallMs))} and time < ${at(stretch.to)}
        and id in (
          select request_id from statements
          where ${within(stretch)} and ${isOneOf(fingerprints)}
          order by request_id desc
          limit ${count(calls)} by fingerprint
        )
    ) as senders on senders.id = calls.request_id
    group by calls.fingerprint`)
