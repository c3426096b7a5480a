import type { Send as SendFacts } from '../../../ground/model/send.ts'
import { lsnText } from '../record/change-lines.ts'
import { instantOf } from '../record/request-lines.ts'
import type { Change } from '../schemas/change.ts'
import type { FunctionLogLine, RequestMoment, RequestSummary, Statement } from '../schemas/request.ts'
import type { Send } from '../schemas/send.ts'
import { why } from '../why.ts'
import type { ChangeRow } from './queries/changes.ts'
import type { LogRow, RequestRow, StatementRow } from './queries/requests.ts'

const count = (text: string | null): number | null => (text === null ? null : Number(text))
export const unlessEmpty = (text: string): string | null => (text === '' ? null : text)

/**
 * What ties the request to its session.
 *
 * @param foreignWhy why it is not of that session, though it carried its id
 */
export const linkOf = (
  { channel, exact }: Pick<RequestRow, 'channel' | 'exact'>,
  foreignWhy: string | null,
): RequestMoment['link'] => ({
  channel: channel === 'header' || channel === 'cookie' || channel === 'function' ? channel : 'learnt',
  exact: exact && foreignWhy === null,
  foreign: foreignWhy !== null,
  why: foreignWhy ?? (exact ? null : why.inferred),
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
export const renderStatement = (row: StatementRow): Statement => ({
  text: row.text,
  parameterTypes: [...row.parameter_types],
  rows: count(row.rows),
  durationMs: row.duration_ms,
  startedAt: instantOf(row.time).toISOString(),
  role: row.role,
  errorCode: unlessEmpty(row.error_code),
})

/** A line of a function's log as the console shows it. */
export const renderLog = ({ id, time, kind, level, text }: LogRow): FunctionLogLine => ({
  id,
  at: instantOf(time).toISOString(),
  // We wrote both ourselves.
  kind: kind as FunctionLogLine['kind'],
  level: level as FunctionLogLine['level'],
  text,
})

/** A webhook or a request from SQL as the console shows it. */
export const renderSend = ({ causeId: _cause, endedAt: _end, at, ...send }: SendFacts): Send => ({
  ...send,
  at: at.toISOString(),
})

/** The place of a change in the log, of the id that the console knows it by. */
export function parseChangeId(id: string): Pick<ChangeRow, 'lsn' | 'seq'> {
  const [high = '', low = '', seq = ''] = id.split(/[/:]/)
  return { lsn: String((BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)), seq: Number(seq) }
}

/** A row's change as the console shows it. */
export const renderChange = (row: ChangeRow): Change => ({
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
