import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, sql } from '../../../../ground/sql/sql.ts'
import { type ClaimRow, count, texts } from './columns.ts'

/** A row of `frames` as ClickHouse answers it; 64-bit integers are texts. */
export interface FrameRow extends Omit<ClaimRow, 'user_agent'> {
  readonly id: string
  readonly time: string
  readonly connection_id: string
  readonly channel: string
  readonly exact: boolean
  readonly direction: 'sent' | 'received'
  readonly kind: 'broadcast' | 'presence' | 'change'
  readonly topic: string
  readonly event: string
  readonly bytes: string
  readonly cause_id: string
  readonly delay_ms: number | null
  readonly skipped: number
}

const columns = constant(
  `id, time, connection_id, session_id, window_id, distinct_id, user_id, auth_session_id, channel, exact, direction,
   kind, topic, event, bytes, cause_id, delay_ms, skipped`,
)

/** The first messages of a session's sockets; one that was stored twice comes once. */
export const selectSessionFramesStatement = (sessionId: string, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${columns}
    from frames
    where session_id = ${sessionId}
    order by time, id
    limit 1 by id
    limit ${count(limit)}`)

/** Messages by their ids. */
export const selectFramesByIdStatement = (ids: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`select ${columns} from frames where id in (${texts(ids)}) order by time limit 1 by id`)

/** The first messages that each of these led to. */
export const selectFramesOfCausesStatement =
  (limit: number) =>
  (causeIds: readonly string[]): ClickHouseStatement =>
    compileClickHouse(sql`
      select * from (
        select ${columns} from frames where cause_id in (${texts(causeIds)}) order by time, id limit 1 by id
      )
      order by time, id
      limit ${count(limit)} by cause_id`)
