import type { RequestRecord } from '../../ground/model/request.ts'
import { redactQuery } from './redact.ts'

/** A ClickHouse time, `2026-01-02 03:04:05.678`, in UTC. */
export function clickhouseTime(at: Date): string {
  const iso = at.toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`
}

/** A ClickHouse time as an instant. */
export const instantOf = (text: string): Date => new Date(`${text.replace(' ', 'T')}Z`)

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])
const longestPath = 2048
const longestQuery = 8192

/**
 * What is kept of a finished request: rows ready to be stored, as bytes. Nothing of the request itself is held on to,
 * and what is held is not the garbage collector's to carry about.
 */
export interface RequestLines {
  /** The row of `requests`. */
  readonly request: Buffer
  /** The rows of `statements`. */
  readonly statements: readonly Buffer[]
}

/** Renders what is kept of a finished request. */
export const renderLines = (record: RequestRecord): RequestLines => ({
  request: Buffer.from(JSON.stringify(renderRequest(record))),
  statements: renderStatements(record).map((row) => Buffer.from(JSON.stringify(row))),
})

/**
 * Renders a finished request as a row of `requests`: credentials in the query string replaced, no header but the
 * user agent kept, no body ever seen.
 */
function renderRequest({ work, service, durationMs, status, requestBytes, responseBytes }: RequestRecord): object {
  const caller = work.identity.kind === 'caller' ? work.identity.caller : null
  const userAgent = work.headers['user-agent']
  return {
    id: work.id,
    time: clickhouseTime(work.startedAt),
    duration_ms: durationMs,
    database_ms: work.statements.reduce((sum, statement) => sum + statement.durationMs, 0),
    service,
    method: work.method,
    path: work.path.slice(0, longestPath),
    query: redactQuery(work.query, service).slice(0, longestQuery),
    status,
    error_code: work.errorCode ?? '',
    rows: work.rows,
    role: caller?.role ?? '',
    user_id: caller?.userId ?? '',
    auth_session_id: caller?.authSessionId ?? '',
    session_id: work.tag?.sessionId ?? '',
    window_id: work.tag?.windowId ?? '',
    distinct_id: work.tag?.distinctId ?? '',
    channel: work.tag?.channel ?? '',
    exact: work.tag?.exact ?? false,
    request_bytes: requestBytes,
    response_bytes: responseBytes,
    remote_address: work.remoteAddress,
    user_agent: typeof userAgent === 'string' ? userAgent.slice(0, 512) : '',
    statements: work.statements.length,
    writes: isWriting(work.method),
  }
}

/** Renders the statements of a finished request as rows of `statements`, in the order in which they ran. */
function renderStatements({ work }: RequestRecord): readonly object[] {
  return work.statements.map((statement, ordinal) => ({
    request_id: work.id,
    ordinal,
    time: clickhouseTime(statement.startedAt),
    text: statement.text,
    parameter_types: statement.parameterTypes,
    rows: statement.rows,
    duration_ms: statement.durationMs,
    role: statement.role,
    error_code: statement.errorCode ?? '',
    writes: isWriting(work.method),
  }))
}

// What may have written a row is kept as long as the row's history, which leads back to it.
const isWriting = (method: string): boolean => !reading.has(method)
