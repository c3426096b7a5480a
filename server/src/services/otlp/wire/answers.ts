/** How a body is encoded, and so its answer. */
export type Encoding = 'protobuf' | 'json'

/** The media types of OTLP over HTTP (otlp §1). */
export const mediaTypes: Readonly<Record<Encoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
}

/** What of a request was not taken, though the request was. */
export interface Rejected {
  readonly count: number
  /** Why, in a sentence. */
  readonly message: string
}

/**
 * The answer to a request that was taken: empty, or with what of it was not (`partial_success`).
 *
 * @param signal names the member of the count in JSON
 */
export function renderTaken(encoding: Encoding, signal: 'traces' | 'logs', rejected: Rejected | null): Buffer {
  if (encoding === 'json') {
    const name = signal === 'traces' ? 'rejectedSpans' : 'rejectedLogRecords'
    const partial = rejected && { [name]: String(rejected.count), errorMessage: rejected.message }
    return Buffer.from(JSON.stringify(partial === null ? {} : { partialSuccess: partial }))
  }
  if (rejected === null) return Buffer.alloc(0)
  return bytesField(1, Buffer.concat([varintField(1, rejected.count), bytesField(2, Buffer.from(rejected.message))]))
}

/** Codes of gRPC that a refusal may have, by its status of HTTP. */
const codes = new Map([
  [401, 16],
  [403, 7],
  [404, 5],
  [413, 8],
  [429, 8],
  [503, 14],
])
const invalidArgument = 3
const internal = 13

/**
 * The answer to a request that was refused, a `google.rpc.Status`.
 *
 * @see https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto
 */
export function renderStatus(encoding: Encoding, httpStatus: number, message: string): Buffer {
  const code = codes.get(httpStatus) ?? (httpStatus < 500 ? invalidArgument : internal)
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }))
  return Buffer.concat([varintField(1, code), bytesField(2, Buffer.from(message))])
}

const varintField = (field: number, value: number): Buffer => Buffer.from([field << 3, ...varint(value)])

const bytesField = (field: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes])

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}
