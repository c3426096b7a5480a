import { restError } from '../errors.ts'
import type { StatementRow } from './statement.ts'

/** A header of an answer; the name in lower case. */
export type Header = readonly [name: string, value: string]

/** Whether a header can be sent: its name is a token and its value has no control character (RFC 9110 §5). */
export const isHeader = (name: string, value: string): boolean =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && [...value].every((character) => character >= ' ' || character === '\t')

const isOneTextMember = (value: unknown): value is Record<string, string> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const values = Object.values(value)
  return values.length === 1 && typeof values[0] === 'string' && isHeader(Object.keys(value)[0] ?? '', values[0])
}

function parseHeaders(text: string | null): readonly Header[] {
  if (text === null) return []
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (cause) {
    throw restError('PGRST111', { cause })
  }
  if (!Array.isArray(list) || !list.every(isOneTextMember)) throw restError('PGRST111')
  return list.flatMap((member) => Object.entries(member).map(([name, value]): Header => [name.toLowerCase(), value]))
}

function parseStatus(text: string | null): number | null {
  if (text === null) return null
  const status = /^\d+/.exec(text)?.[0]
  if (status === undefined || Number(status) < 200 || Number(status) > 599) throw restError('PGRST112')
  return Number(status)
}

/**
 * The status and headers with those that the application set in `response.status` and `response.headers`
 * (rest §13): its own replace ours of the same name, and may repeat.
 *
 * @throws PGRST111, PGRST112
 */
export function withGucs(
  status: number,
  headers: readonly Header[],
  row: StatementRow,
): { readonly status: number; readonly headers: readonly Header[] } {
  if (row.response_status === null && row.response_headers === null) return { status, headers }
  const chosen = parseStatus(row.response_status)
  const own = parseHeaders(row.response_headers)
  const names = new Set(own.map(([name]) => name))
  return { status: chosen ?? status, headers: [...headers.filter(([name]) => !names.has(name)), ...own] }
}
