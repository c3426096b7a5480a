import { messageOf } from '../../../ground/errors/message.ts'
/** What an engine's exception looks like on the wire. */
export interface ErrorResponse {
  readonly status: number
  readonly code: number
  /** `Code: N. DB::Exception: … (TYPE)`, as official clients parse it. */
  readonly body: string
}

// ClickHouse answers what was asked wrongly with 400, what is not there with 404, the rest with 500.
const statusByCode: Readonly<Record<number, number>> = {
  6: 400,
  27: 400,
  36: 400,
  38: 400,
  41: 400,
  43: 400,
  46: 404,
  47: 404,
  53: 400,
  60: 404,
  62: 400,
  72: 400,
  81: 404,
  115: 404,
  117: 400,
  159: 408,
  456: 400,
}

/**
 * Words an exception of the engine as ClickHouse's HTTP interface does.
 *
 * @see https://github.com/ClickHouse/ClickHouse/blob/master/src/Server/HTTP/exceptionCodeToHTTPStatus.cpp
 */
export function renderErrorResponse(error: unknown): ErrorResponse {
  const message = messageOf(error)
  const code = Number(/Code: (\d+)\./.exec(message)?.[1] ?? 0)
  if (code === 0)
    return { status: 500, code: 1002, body: `Code: 1002. DB::Exception: ${message} (UNKNOWN_EXCEPTION)\n` }
  return { status: statusByCode[code] ?? 500, code, body: `${message.trimEnd()}\n` }
}

/**
 * An exception after the answer has begun, in the frame by which clients know it from rows.
 *
 * @param tag the value of the `X-ClickHouse-Exception-Tag` header
 */
export function renderLateError(response: ErrorResponse, tag: string): string {
  const message = response.body
  return `\r\n__exception__\r\n${tag}\r\n${message}${Buffer.byteLength(message)} ${tag}\r\n__exception__\r\n`
}

/** The `X-ClickHouse-Summary` header: counts as texts. */
export function renderSummary(counts: {
  readonly readRows?: number
  readonly readBytes?: number
  readonly writtenRows?: number
  readonly writtenBytes?: number
  readonly elapsedSeconds?: number
}): string {
  return JSON.stringify({
    read_rows: String(counts.readRows ?? 0),
    read_bytes: String(counts.readBytes ?? 0),
    written_rows: String(counts.writtenRows ?? 0),
    written_bytes: String(counts.writtenBytes ?? 0),
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: '0',
    elapsed_ns: String(Math.round((counts.elapsedSeconds ?? 0) * 1e9)),
  })
}
