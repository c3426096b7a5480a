import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, empty, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A stretch of time in equal parts. */
export interface TimeParts {
  readonly from: Date
  readonly parts: number
  readonly partMs: number
}

const texts = (values: readonly string[]) => typed(values, 'Array(String)')
const int = (value: number) => typed(Math.trunc(value), 'Int64')
const since = (from: Date): SqlFragment => sql`time >= fromUnixTimestamp64Milli(${int(from.getTime())})`
const before = (to: Date): SqlFragment => sql`time < fromUnixTimestamp64Milli(${int(to.getTime())})`
const endOf = ({ from, parts, partMs }: TimeParts): Date => new Date(from.getTime() + parts * partMs)

/** A user, else a browser; a server's exception may have neither. */
const person = constant(`if(user_id != '', user_id, distinct_id)`)
const people = constant(`uniqExactIf(if(user_id != '', user_id, distinct_id), user_id != '' or distinct_id != '')`)

export interface FingerprintCountRow {
  readonly fingerprint: string
  readonly count: string
}

/** How many exceptions, or people, fingerprints have in a time; the most first. */
export const countFingerprintsStatement = (
  time: TimeParts,
  of: 'events' | 'people',
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select fingerprint, ${of === 'events' ? constant('count()') : people} as count
    from exceptions final
    where ${since(time.from)} and ${before(endOf(time))}
    group by fingerprint
    order by count desc, fingerprint
    limit ${typed(limit, 'UInt32')}`)

/** What issues come to in a time; 64-bit numbers arrive as texts. */
export interface CountsRow {
  readonly issue: string
  readonly events: string
  readonly people: string
  readonly sessions: string
  /** Numbers of parts, and how many exceptions each has. */
  readonly parts: readonly [readonly number[], readonly string[]]
}

/**
 * What issues come to in a time.
 *
 * @param fingerprints of the issues; `issues` has the issue of each, in their order
 */
export const countIssuesStatement = (
  fingerprints: readonly string[],
  issues: readonly string[],
  time: TimeParts,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select transform(fingerprint, ${texts(fingerprints)}, ${texts(issues)}) as issue,
      count() as events,
      ${people} as people,
      uniqExactIf(session_id, session_id != '') as sessions,
      sumMap(
        [toUInt32(intDiv(toUnixTimestamp64Milli(time) - ${int(time.from.getTime())}, ${int(time.partMs)}))],
        [toUInt64(1)]
      ) as parts
    from exceptions final
    where fingerprint in ${texts(fingerprints)} and ${since(time.from)} and ${before(endOf(time))}
    group by issue`)

export interface ShareRow {
  readonly value: string
  readonly count: string
}

const shared = {
  release: constant('release'),
  browser: constant('browser'),
  os: constant('os'),
  url: constant(`cutQueryStringAndFragment(url)`),
} as const

/** What exceptions have in common: the values of one column, the most frequent first. */
export const countSharesStatement = (
  fingerprints: readonly string[],
  column: keyof typeof shared,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${shared[column]} as value, count() as count
    from exceptions final
    where fingerprint in ${texts(fingerprints)} and value != ''
    group by value
    order by count desc, value
    limit ${typed(limit, 'UInt32')}`)

export interface PersonRow {
  readonly person: string
  readonly any_distinct_id: string
  readonly any_user_id: string
  readonly count: string
  readonly last_ms: string
}

/** Who met the exceptions, the latest first. */
export const selectPeopleStatement = (fingerprints: readonly string[], limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${person} as person, anyLast(distinct_id) as any_distinct_id, anyLast(user_id) as any_user_id, count() as count,
      toUnixTimestamp64Milli(max(time)) as last_ms
    from exceptions final
    where fingerprint in ${texts(fingerprints)} and (user_id != '' or distinct_id != '')
    group by person
    order by last_ms desc, person
    limit ${typed(limit, 'UInt32')}`)

/** One exception without its stack; times are milliseconds as texts. */
export interface ExceptionRow {
  readonly id: string
  readonly time_ms: string
  readonly source: string
  readonly level: string
  readonly handled: boolean
  readonly release: string
  readonly session_id: string
  readonly window_id: string
  readonly distinct_id: string
  readonly user_id: string
  readonly request_id: string
  readonly url: string
  readonly browser: string
  readonly os: string
}

const columns = constant(`
  id, toUnixTimestamp64Milli(time) as time_ms, source, level, handled, release, session_id, window_id, distinct_id,
  user_id, request_id, url, browser, os`)

/** An exception's place in a list by time. */
export interface ExceptionPlace {
  readonly timeMs: number
  readonly id: string
}

/** Exceptions, the latest first. */
export function selectExceptionsStatement(
  fingerprints: readonly string[],
  after: ExceptionPlace | null,
  limit: number,
): ClickHouseStatement {
  const earlier =
    after === null ? empty : sql`and (toUnixTimestamp64Milli(time), id) < (${int(after.timeMs)}, ${after.id})`
  return compileClickHouse(sql`
    select ${columns}
    from exceptions final
    where fingerprint in ${texts(fingerprints)} ${earlier}
    order by time desc, id desc
    limit ${typed(limit, 'UInt32')}`)
}

/** An exception that a person met. */
export interface PersonExceptionRow {
  readonly id: string
  readonly time_ms: string
  readonly fingerprint: string
  readonly source: string
  readonly session_id: string
}

/** Exceptions of these ids, or of a user's requests, up to an instant, newest first. */
export const selectPersonExceptionsStatement = (
  distinctIds: readonly string[],
  userId: string | null,
  until: Date,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select id, toUnixTimestamp64Milli(time) as time_ms, fingerprint, source, session_id
    from exceptions final
    where time <= fromUnixTimestamp64Milli(${int(until.getTime())})
      and (distinct_id in ${texts(distinctIds)}${userId === null ? empty : sql` or user_id = ${userId}`})
    order by time desc, id desc
    limit ${typed(limit, 'UInt32')}`)

/** The exceptions that were captured in a session, the latest first. */
export const selectSessionExceptionsStatement = (sessionId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select id, fingerprint
    from exceptions final
    where session_id = ${sessionId}
    order by time desc, id desc
    limit ${typed(limit, 'UInt32')}`)

export interface FullExceptionRow extends ExceptionRow {
  /** JSON. */
  readonly exceptions: string
  readonly steps: string
}

/** One exception with its stack; the latest where no id is named. */
export const selectExceptionStatement = (fingerprints: readonly string[], id: string | null): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${columns}, exceptions, steps
    from exceptions final
    where fingerprint in ${texts(fingerprints)} ${id === null ? empty : sql`and id = ${id}`}
    order by time desc, id desc
    limit 1`)
