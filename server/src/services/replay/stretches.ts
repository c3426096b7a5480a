import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { RecordedStretch, RecordingOutline, RecordingPart } from '../../ground/model/recording.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'

/** The address and size of a page may have left in the message before the one that has the page. */
const pageLeadMs = 2000

/**
 * The messages of a stretch: those of others are not read.
 *
 * @param begunMs when the recording's first message began, on the browser's clock; undefined: it is looked up, which takes as
 *                long as to read a minute
 */
export function ofStretch(
  sessionId: string,
  { fromMs, toMs, withPage }: RecordedStretch,
  begunMs: number | undefined,
): SqlFragment {
  const begun =
    begunMs === undefined
      ? sql`(select min(first_ts) from snapshots where session_id = ${sessionId})`
      : typed(begunMs, 'Int64')
  const after = (ms: number): SqlFragment => sql`${begun} + ${typed(ms, 'Int64')}`
  // Nothing stands before the beginning.
  const begins =
    withPage && fromMs > 0
      ? sql`first_ts >= least(${after(fromMs)}, ${lastPages(sessionId, after(fromMs))}[window_id] - ${typed(pageLeadMs, 'Int64')})`
      : sql`first_ts >= ${after(fromMs)}`
  return sql`${begins} and first_ts < ${after(toMs)}`
}

/** By window, when the message with its last whole page before an instant began; 0 where there is none. */
const lastPages = (sessionId: string, instant: SqlFragment): SqlFragment => sql`(
  select mapFromArrays(groupArray(window_id), groupArray(page_ts))
  from (
    select window_id, maxIf(first_ts, has_full_snapshot and last_ts <= ${instant}) as page_ts
    from snapshots
    where session_id = ${sessionId}
    group by window_id
  ))`

/** A part of an outline: 64-bit numbers arrive as texts. */
interface PartRow {
  readonly window_id: string
  readonly tail: string
  readonly messages: string
  readonly begins: string
  readonly last_begins: string
  readonly ends: string
  /** 0 without activity. */
  readonly acts_from: string
  readonly acts_to: string
  readonly has_page: boolean
  readonly size: string
}

const tailOf = (uuid: SqlFragment): SqlFragment => sql`substring(toString(${uuid}), 25)`

/** A session's messages without their events, in the order in which they begin. */
const messagesStatement = (sessionId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select window_id, ${tailOf(sql`uuid`)} as tail, 1 as messages, first_ts as begins, first_ts as last_begins,
      last_ts as ends, active_from as acts_from, active_to as acts_to, has_full_snapshot as has_page, bytes as size
    from snapshots
    where session_id = ${sessionId}
    order by first_ts, window_id, uuid
    limit 1 by window_id, first_ts, uuid
    limit ${typed(limit, 'UInt64')}`)

/**
 * A session's minutes by window, each in three at most: its first message with a whole page, from which a picture can be drawn,
 * what comes before, and what comes after.
 */
const minutesStatement = (sessionId: string, limit: number): ClickHouseStatement => {
  const minute = sql`intDiv(first_ts - (select min(first_ts) from snapshots where session_id = ${sessionId}), 60000)`
  return compileClickHouse(sql`
    select window_id, if(uniqExact(first_ts, uuid) = 1, ${tailOf(sql`any(uuid)`)}, '') as tail,
      uniqExact(first_ts, uuid) as messages, min(first_ts) as begins, max(first_ts) as last_begins, max(last_ts) as ends,
      minIf(active_from, active_to > 0) as acts_from, max(active_to) as acts_to, (side = 0)::Bool as has_page,
      sum(bytes) as size
    from (
      select window_id, minute, uuid, first_ts, last_ts, active_from, active_to, bytes,
        multiIf((first_ts, uuid) < page, -1, (first_ts, uuid) = page, 0, 1) as side
      from (
        select window_id, uuid, first_ts, last_ts, active_from, active_to, bytes, ${minute} as minute
        from snapshots
        where session_id = ${sessionId}
      ) as all_messages
      left join (
        select window_id, ${minute} as minute, min((first_ts, uuid)) as page
        from snapshots
        where session_id = ${sessionId} and has_full_snapshot
        group by window_id, minute
      ) as pages using (window_id, minute)
    )
    group by window_id, minute, side
    order by begins, window_id, side
    limit ${typed(limit, 'UInt64')}`)
}

/**
 * What a session's messages are, without their events: each, or where there are too many for that, those of each minute.
 *
 * @param most so many parts are listed
 * @returns    null without a recording
 */
export async function readOutline(
  { query }: Pick<ClickHouse, 'query'>,
  sessionId: string,
  most: number,
): Promise<RecordingOutline | null> {
  const messages = await query<PartRow>(messagesStatement(sessionId, most + 1))
  const rows = messages.length > most ? await query<PartRow>(minutesStatement(sessionId, most + 1)) : messages
  const [first] = rows
  if (first === undefined) return null
  const begunMs = Number(first.begins)
  return { begunMs, parts: rows.slice(0, most).map((row) => parsePart(row, begunMs)), isCut: rows.length > most }
}

function parsePart(row: PartRow, begunMs: number): RecordingPart {
  const after = (ms: string): number => Number(ms) - begunMs
  return {
    ...{ windowId: row.window_id, tail: row.tail, messages: Number(row.messages), hasPage: row.has_page },
    ...{
      fromMs: after(row.begins),
      lastFromMs: after(row.last_begins),
      toMs: after(row.ends),
      bytes: Number(row.size),
    },
    active: Number(row.acts_to) > 0 ? { fromMs: after(row.acts_from), toMs: after(row.acts_to) } : null,
  }
}
