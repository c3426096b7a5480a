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
const longestRemembered = 8192
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

/**
 * Renders what is kept of a finished request.
 *
 * @param quote JSON of a statement's text: few texts run over and over, and quoting one costs as much as all the rest
 */
export const renderLines = (record: RequestRecord, quote: (text: string) => string): RequestLines => ({
  request: Buffer.from(JSON.stringify(renderRequest(record))),
  statements: renderStatements(record, quote),
})

/** Remembers the JSON of at most `capacity` texts of usual length; when there are more, it begins anew. */
export function createQuote(capacity: number): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const quoted = JSON.stringify(text)
    if (text.length > longestRemembered) return quoted
    if (known.size >= capacity) known.clear()
    known.set(text, quoted)
    return quoted
  }
}

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
function renderStatements({ work }: RequestRecord, quote: (text: string) => string): readonly Buffer[] {
  const writes = isWriting(work.method)
  return work.statements.map(({ startedAt, text, parameterTypes, rows, durationMs, role, errorCode }, ordinal) => {
    const facts = JSON.stringify({
      request_id: work.id,
      ordinal,
      time: clickhouseTime(startedAt),
      parameter_types: parameterTypes,
      rows,
      duration_ms: durationMs,
      role,
      error_code: errorCode ?? '',
      writes,
    })
    return Buffer.from(`${facts.slice(0, -1)},"text":${quote(text)}}`)
  })
}

// What may have written a row is kept as long as the row's history, which leads back to it.
const isWriting = (method: string): boolean => !reading.has(method)
