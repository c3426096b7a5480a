import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { RecordedStretch, RecordingOutline, RecordingPart } from '../../ground/model/recording.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'

/** The address and size of a page may have left in the message before the one that has the page. */
const pageLeadMs = 2000

/** The messages of a stretch: those of others are not read. */
export function ofStretch(sessionId: string, { fromMs, toMs, withPage }: RecordedStretch): SqlFragment {
  const after = (ms: number): SqlFragment =>
    sql`(select min(first_ts) from snapshots where session_id = ${sessionId}) + ${typed(ms, 'Int64')}`
  const begins = withPage
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

/** What is known of a message without its events: 64-bit numbers arrive as texts. */
interface PartRow {
  readonly window_id: string
  readonly tail: string
  readonly first_ts: string
  readonly last_ts: string
  readonly active_from: string
  readonly active_to: string
  readonly has_full_snapshot: boolean
  readonly bytes: string
}

/** A session's messages without their events, in the order in which they begin. */
const partsStatement = (sessionId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select window_id, substring(toString(uuid), 25) as tail, first_ts, last_ts, active_from, active_to,
      has_full_snapshot, bytes
    from snapshots
    where session_id = ${sessionId}
    order by first_ts, window_id, uuid
    limit 1 by window_id, first_ts, uuid
    limit ${typed(limit, 'UInt64')}`)

/**
 * What a session's messages are, without their events.
 *
 * @param most so many are listed
 * @returns    null without a recording
 */
export async function readOutline(
  { query }: Pick<ClickHouse, 'query'>,
  sessionId: string,
  most: number,
): Promise<RecordingOutline | null> {
  const rows = await query<PartRow>(partsStatement(sessionId, most + 1))
  const [first] = rows
  if (first === undefined) return null
  const begunMs = Number(first.first_ts)
  return { begunMs, parts: rows.slice(0, most).map((row) => parsePart(row, begunMs)), isCut: rows.length > most }
}

function parsePart(row: PartRow, begunMs: number): RecordingPart {
  const after = (ms: string): number => Number(ms) - begunMs
  return {
    ...{ windowId: row.window_id, tail: row.tail, hasPage: row.has_full_snapshot, bytes: Number(row.bytes) },
    ...{ fromMs: after(row.first_ts), toMs: after(row.last_ts) },
    active: Number(row.active_to) > 0 ? { fromMs: after(row.active_from), toMs: after(row.active_to) } : null,
  }
}
