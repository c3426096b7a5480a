import { lsnText } from '../record/change-lines.ts'
import { instantOf } from '../record/request-lines.ts'
import type { ChangeShape, RequestMoment, RequestSummary, StatementShape } from '../shapes.ts'
import { why } from '../why.ts'

/** A row of `requests` as ClickHouse answers it; 64-bit integers are texts. */
export interface RequestRow {
  readonly id: string
  readonly time: string
  readonly duration_ms: number
  readonly database_ms: number
  readonly service: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly error_code: string
  readonly rows: string | null
  readonly role: string
  readonly user_id: string
  readonly auth_session_id: string
  readonly session_id: string
  readonly window_id: string
  readonly distinct_id: string
  readonly channel: string
  readonly exact: boolean
  readonly request_bytes: string
  readonly response_bytes: string
  readonly remote_address: string
  readonly user_agent: string
  readonly statements: number
}

/** A row of `statements` as ClickHouse answers it. */
export interface StatementRow {
  readonly request_id: string
  readonly time: string
  readonly text: string
  readonly parameter_types: readonly string[]
  readonly rows: string | null
  readonly duration_ms: number
  readonly role: string
  readonly error_code: string
}

/** A row of `changes` as ClickHouse answers it. */
export interface ChangeRow {
  readonly commit_time: string
  readonly lsn: string
  readonly seq: number
  readonly request_id: string
  readonly schema_name: string
  readonly table_name: string
  readonly operation: ChangeShape['operation']
  readonly key: string
  readonly previous_key: string
  readonly old: string
  readonly new: string
  readonly columns: readonly string[]
}

const count = (text: string | null): number | null => (text === null ? null : Number(text))
const unlessEmpty = (text: string): string | null => (text === '' ? null : text)

/**
 * What ties the request to its session.
 *
 * @param foreignWhy why it is not of that session, though it carried its id
 */
export const linkOf = ({ channel, exact }: RequestRow, foreignWhy: string | null): RequestMoment['link'] => ({
  channel: channel === 'header' || channel === 'cookie' ? channel : 'learnt',
  exact: exact && foreignWhy === null,
  foreign: foreignWhy !== null,
  why: foreignWhy ?? (exact ? null : why.learnt),
})

/** The part of a request that a session's timeline and the list of requests share. */
export const requestFacts = (row: RequestRow) => ({
  id: row.id,
  at: instantOf(row.time).toISOString(),
  durationMs: row.duration_ms,
  service: row.service,
  method: row.method,
  path: row.path,
  query: row.query,
  status: row.status,
  errorCode: unlessEmpty(row.error_code),
  rows: count(row.rows),
})

/** A request of the list; who made it is joined to it by the caller. */
export const requestSummary = (row: RequestRow, changes: number): Omit<RequestSummary, 'person' | 'personWhy'> => ({
  ...requestFacts(row),
  databaseMs: row.database_ms,
  role: row.role,
  statements: row.statements,
  changes,
  sessionId: unlessEmpty(row.session_id),
})

/** A statement as the console shows it. */
export const statementShape = (row: StatementRow): StatementShape => ({
  text: row.text,
  parameterTypes: [...row.parameter_types],
  rows: count(row.rows),
  durationMs: row.duration_ms,
  startedAt: instantOf(row.time).toISOString(),
  role: row.role,
  errorCode: unlessEmpty(row.error_code),
})

/** A row's change as the console shows it. */
export const changeShape = (row: ChangeRow): ChangeShape => ({
  id: `${lsnText(BigInt(row.lsn))}:${row.seq}`,
  at: instantOf(row.commit_time).toISOString(),
  schema: row.schema_name,
  table: row.table_name,
  operation: row.operation,
  key: values(row.key) ?? {},
  old: values(row.old),
  new: values(row.new),
  columns: [...row.columns],
})

// We wrote these texts ourselves, from column values.
const values = (json: string): Record<string, string | null> | null => (json === '' ? null : JSON.parse(json))
