import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { PageObservation, PagePicture } from '../../ground/model/recording.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { sql, typed } from '../../ground/sql/sql.ts'
import { messageFields } from './store.ts'

/** Where the messages lie that draw a page. */
interface DrawableRow {
  readonly session_id: string
  readonly window_id: string
  readonly at_ms: string
  readonly from_ms: string
}

/** The latest of these moments that a recording draws with at most so many bytes of messages; no row without one. */
const selectDrawableStatement = (observations: readonly PageObservation[], maxBytes: number): ClickHouseStatement => {
  const sessions = typed(
    observations.map(({ sessionId }) => sessionId),
    'Array(String)',
  )
  const windows = typed(
    observations.map(({ windowId }) => windowId),
    'Array(String)',
  )
  const moments = typed(
    observations.map(({ clientMs }) => clientMs),
    'Array(Int64)',
  )
  return compileClickHouse(sql`
    select session_id, window_id, at_ms, maxIf(first_ts, has_full_snapshot) as from_ms
    from snapshots
    inner join (
      select observation.1 as session_id, observation.2 as window_id, observation.3 as at_ms
      from (select arrayJoin(arrayZip(${sessions}, ${windows}, ${moments})) as observation)
    ) as observations using (session_id, window_id)
    where session_id in ${sessions} and first_ts <= at_ms
    group by session_id, window_id, at_ms
    having countIf(has_full_snapshot) > 0
      and arraySum(arrayMap(m -> if(m.1 >= from_ms, m.2, 0), groupUniqArray((first_ts, bytes)))) <= ${typed(maxBytes, 'UInt64')}
    order by at_ms desc, session_id
    limit 1`)
}

/** The messages of a window from a moment up to another, each once. */
const selectPictureMessagesStatement = ({ session_id, window_id, from_ms, at_ms }: DrawableRow): ClickHouseStatement =>
  compileClickHouse(sql`
    select concat('{', ${messageFields(0)}, '}')
    from snapshots
    where session_id = ${session_id} and window_id = ${window_id}
      and first_ts between ${typed(from_ms, 'Int64')} and ${typed(at_ms, 'Int64')}
    order by session_id, window_id, first_ts, uuid
    limit 1 by first_ts, uuid
    settings max_threads = 1, max_block_size = 32, optimize_read_in_order = 1`)

/**
 * What draws a page as it was at the latest of these moments that is recorded.
 *
 * @param maxBytes of messages, as they were sent
 */
export async function findPagePicture(
  { query, streamTexts }: Pick<ClickHouse, 'query' | 'streamTexts'>,
  observations: readonly PageObservation[],
  maxBytes: number,
): Promise<PagePicture | null> {
  if (observations.length === 0) return null
  const [found] = await query<DrawableRow>(selectDrawableStatement(observations, maxBytes))
  const observation = observations.find(
    ({ sessionId, windowId, clientMs }) =>
      sessionId === found?.session_id && windowId === found.window_id && clientMs === Number(found.at_ms),
  )
  if (found === undefined || observation === undefined) return null
  const messages: string[] = []
  for await (const text of streamTexts(selectPictureMessagesStatement(found))) messages.push(text)
  const { clientMs, ...seen } = observation
  return { ...seen, atMs: clientMs, messages: messages.join('\n') }
}
