import { restError } from '../errors.ts'
import type { ErrorFields } from '../render/error-body.ts'
import { type Header, isHeader } from '../render/guc.ts'

export interface RaisedError extends ErrorFields {
  readonly status: number
  readonly statusText: string | null
  readonly headers: readonly Header[]
}

const parseObject = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const messageHint =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
const detailHint =
  "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."

function unreadable(details: string, hint: string): RaisedError {
  const { code, status, message } = restError('PGRST121')
  return { code, status, message, details, hint, statusText: null, headers: [] }
}

const noMessage = (message: string): RaisedError =>
  unreadable(`Invalid JSON value for MESSAGE: '${message}'`, messageHint)

const noDetail = (detail: string): RaisedError => unreadable(`Invalid JSON value for DETAIL: '${detail}'`, detailHint)

const isOptionalText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string'

const readHeaders = (value: unknown): readonly Header[] | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const entries = Object.entries(value)
  return entries.every(([name, header]) => typeof header === 'string' && isHeader(name, header))
    ? entries.map(([name, header]): Header => [name.toLowerCase(), String(header)])
    : null
}

/**
 * The answer that `RAISE SQLSTATE 'PGRST'` asks for, in its MESSAGE and DETAIL (rest §14). What cannot be read
 * answers PGRST121.
 */
export function parseRaisedError(message: string, detail: string | null): RaisedError {
  const fields = parseObject(message)
  if (fields === null || typeof fields.code !== 'string' || typeof fields.message !== 'string')
    return noMessage(message)
  if (!isOptionalText(fields.details) || !isOptionalText(fields.hint)) return noMessage(message)
  if (detail === null) return unreadable('DETAIL is missing in the RAISE statement', detailHint)
  const response = parseObject(detail)
  const headers = readHeaders(response?.headers)
  const status = response?.status
  const statusText = response?.status_text
  if (headers === null || typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return noDetail(detail)
  if (!isOptionalText(statusText)) return noDetail(detail)
  return {
    code: fields.code,
    message: fields.message,
    details: fields.details ?? null,
    hint: fields.hint ?? null,
    status,
    statusText: statusText ?? null,
    headers,
  }
}
