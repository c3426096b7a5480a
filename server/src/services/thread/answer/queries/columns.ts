import { withoutIndexes } from '../../../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql, typed } from '../../../../ground/sql/sql.ts'
import { clickhouseTime } from '../../record/request-lines.ts'

/** What a request says of who sent it; empty where it does not say. */
export interface ClaimRow {
  readonly session_id: string
  readonly window_id: string
  readonly distinct_id: string
  readonly user_id: string
  readonly auth_session_id: string
  readonly user_agent: string
}

/** The columns of a `ClaimRow`. */
export const claimColumns = constant('session_id, window_id, distinct_id, user_id, auth_session_id, user_agent')

/** A request that failed; the person leaving (499) is no error of the answer. */
export const isError = constant('(status >= 400 and status != 499)')

/** The earliest instant that a time column can hold; what is before it may have no text that ClickHouse reads. */
const earliestMs = Date.UTC(1900, 0, 1)

/** An instant as a value of a time column. */
export const at = (instant: Date): SqlFragment => {
  const heldMs = Math.max(instant.getTime(), earliestMs)
  return sql`${typed(clickhouseTime(new Date(heldMs)), "DateTime64(3, 'UTC')")}`
}

/** Texts as one value. */
export const texts = (values: readonly string[]): SqlFragment => sql`${typed([...values], 'Array(String)')}`

/** Most ids that a statement is asked about. */
export const idsPerQuestion = 250

/** How many rows an answer may have. */
export const count = (limit: number): SqlFragment => sql`${typed(limit, 'UInt32')}`

/** The end of a statement that finds requests by session. */
export const bySession = withoutIndexes('session_index')
/** The end of a statement that finds requests by id. */
export const byId = withoutIndexes('id_index')
/** The end of a statement that finds changes by request. */
export const byRequest = withoutIndexes('request_index')
/** The end of a statement that finds changes by the session of their request. */
export const byRequestOfSession = withoutIndexes('session_index', 'id_index', 'request_index')
