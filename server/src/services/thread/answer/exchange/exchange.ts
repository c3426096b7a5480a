import { isObject } from '../../../../ground/json/object.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { sql } from '../../../../ground/sql/sql.ts'
import type { Exchange, Said } from '../../schemas/exchange.ts'
import type { RequestDetail } from '../../schemas/request.ts'

/** A row of `exchanges` as ClickHouse answers it. */
export interface ExchangeRow {
  readonly request_headers: string
  readonly request_body: string
  readonly request_left_out: string
  readonly response_headers: string
  readonly response_body: string
  readonly response_left_out: string
}

/** What a request and its answer said; no row where it is not kept. */
export const selectExchangeStatement = (requestId: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select request_headers, request_body, request_left_out, response_headers, response_body, response_left_out
    from exchanges
    where request_id = ${requestId}
    limit 1`)

/** What a request's detail says of its exchange. */
export function exchangeFacts(
  row: ExchangeRow | undefined,
  errorCode: string | null,
  explain: ExplainError,
): Pick<RequestDetail, 'exchange' | 'error'> {
  const exchange = row === undefined ? null : renderExchange(row)
  return { exchange, error: errorOf(errorCode, exchange?.response, explain) }
}

/** An exchange as the console shows it. */
const renderExchange = (row: ExchangeRow): Exchange => ({
  request: said(row.request_headers, row.request_body, row.request_left_out),
  response: said(row.response_headers, row.response_body, row.response_left_out),
})

const said = (headers: string, body: string, leftOut: string): Said => ({
  // We wrote both ourselves.
  headers: (JSON.parse(headers) as [string, string][]).map(([name, value]) => ({ name, value })),
  leftOut: leftOut === '' ? null : (leftOut as Said['leftOut']),
  body: leftOut === '' ? body : null,
})

/** The meaning of an error's code, where it is one of ours or PostgreSQL's. */
export type ExplainError = (code: string) => { readonly message: string; readonly hint: string } | null

/**
 * What a refusal said: in its own words where the answer is kept, else what its code means.
 *
 * @returns null for a request that was not refused, and for a code of the application's own
 */
function errorOf(code: string | null, response: Said | undefined, explain: ExplainError): RequestDetail['error'] {
  if (code === null) return null
  const said = response?.body ? readError(response.body) : null
  if (said !== null) return said
  const meaning = explain(code)
  return meaning === null ? null : { ...meaning, details: null, isFromAnswer: false }
}

/** The members in which PostgREST, GoTrue, storage and the gateway say what happened. */
function readError(body: string): RequestDetail['error'] {
  try {
    const parsed: unknown = JSON.parse(body)
    if (!isObject(parsed)) return null
    const text = (...names: readonly string[]): string | null => {
      const value = names.map((name) => parsed[name]).find((one) => typeof one === 'string' && one !== '')
      return typeof value === 'string' ? value : null
    }
    const message = text('message', 'msg', 'error_description', 'error')
    return message === null ? null : { message, hint: text('hint'), details: text('details'), isFromAnswer: true }
  } catch {
    return null
  }
}
