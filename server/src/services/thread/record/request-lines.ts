import { parseTraceParent } from '../../../ground/http/traceparent.ts'
import type { RequestRecord, StatementRecord } from '../../../ground/model/request.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { Lines } from './lines.ts'
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
const longestUserAgent = 512

/** The columns of `requests`, in the order of a line's values. */
export const requestColumns = (
  'id time duration_ms database_ms service method path query status error_code rows role user_id auth_session_id ' +
  'session_id window_id distinct_id channel exact request_bytes response_bytes remote_address user_agent statements writes cause_id ' +
  'trace_id parent_span_id'
).split(' ')

/** The columns of `statements`, in the order of a line's values. */
export const statementColumns =
  'request_id ordinal time parameter_types rows duration_ms role error_code writes text'.split(' ')

/** A statement's place in its request has two bytes in the table. */
const mostStatements = 65_536

/** What is kept of finished requests, rendered as they end: nothing of a request itself is held on to. */
export class RequestPage {
  readonly requests = new Lines()
  readonly statements = new Lines()
  /** Requests on it. */
  count = 0
  private readonly quote: (text: string) => string

  /** @param quote JSON of a text that comes again and again; `createQuote` */
  constructor(quote: (text: string) => string) {
    this.quote = quote
  }

  append(record: RequestRecord): void {
    const { context } = record
    this.requests.append(requestLine(record, this.quote))
    const statements = Math.min(context.statements.length, mostStatements)
    for (let ordinal = 0; ordinal < statements; ordinal += 1) {
      const statement = context.statements[ordinal]
      if (statement !== undefined)
        this.statements.append(statementLine(context.id, ordinal, statement, isWriting(context.method), this.quote))
    }
    this.count += 1
  }

  /** Begins anew, in the memory that it has. */
  clear(): void {
    this.requests.clear()
    this.statements.clear()
    this.count = 0
  }
}

/** Remembers the JSON of at most `capacity` texts of usual length; when there are more, it begins anew. */
export function createQuote(capacity: number): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const quoted = stringifyWellFormed(text)
    if (text.length > longestRemembered) return quoted
    if (known.size >= capacity) known.clear()
    known.set(text, quoted)
    return quoted
  }
}

/**
 * A finished request as a row of `requests`: credentials in the query string replaced, no header but the user agent
 * kept, no body ever seen. Written by hand: made from a list of values it would cost three times as much.
 */
function requestLine(
  { context, service, durationMs, status, requestBytes, responseBytes }: RequestRecord,
  quote: (text: string) => string,
): string {
  const caller = context.identity.kind === 'caller' ? context.identity.caller : null
  const { tag } = context
  const userAgent = context.headers['user-agent']
  const parent = parseTraceParent(context.headers.traceparent)
  let databaseMs = 0
  for (const statement of context.statements) databaseMs += statement.durationMs
  return (
    `["${context.id}",${context.startedAt.getTime()},${microseconds(durationMs)},${microseconds(databaseMs)},` +
    `"${service}",${json(context.method)},${json(context.path.slice(0, longestPath))},` +
    `${json(redactQuery(context.query, service).slice(0, longestQuery))},${status},${json(context.errorCode ?? '')},` +
    `${context.rows},${json(caller?.role ?? '')},${json(caller?.userId ?? '')},${json(caller?.authSessionId ?? '')},` +
    `${json(tag?.sessionId ?? '')},${json(tag?.windowId ?? '')},${json(tag?.distinctId ?? '')},` +
    `"${tag?.channel ?? ''}",${tag?.exact ?? false},${requestBytes},${responseBytes},${json(context.remoteAddress)},` +
    `${typeof userAgent === 'string' ? quote(userAgent.slice(0, longestUserAgent)) : '""'},` +
    `${Math.min(context.statements.length, mostStatements - 1)},${isWriting(context.method)},"${context.causeId ?? ''}",` +
    `"${parent?.traceId ?? ''}","${parent?.spanId ?? ''}"]`
  )
}

/** A statement of a finished request as a row of `statements`. */
function statementLine(
  requestId: string,
  ordinal: number,
  { startedAt, text, parameterTypes, rows, durationMs, role, errorCode }: StatementRecord,
  writes: boolean,
  quote: (text: string) => string,
): string {
  return (
    `["${requestId}",${ordinal},${startedAt.getTime()},${json(parameterTypes)},${rows},${microseconds(durationMs)},` +
    `${json(role)},${json(errorCode ?? '')},${writes},${quote(text)}]`
  )
}

/** Most texts need no escape, and to see that costs a fraction of writing them as if they might. */
const plain = /^[ !#-[\]-~]*$/

const json = (value: string | readonly string[]): string =>
  typeof value === 'string' && plain.test(value) ? `"${value}"` : stringifyWellFormed(value)

/** Milliseconds to the microsecond: what is beyond is noise, and bytes. */
const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000

// What may have written a row is kept as long as the row's history, which leads back to it.
const isWriting = (method: string): boolean => !reading.has(method)
