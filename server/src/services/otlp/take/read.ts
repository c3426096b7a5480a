import { createHash } from 'node:crypto'
import { decompress } from '../../../ground/http/decompress.ts'
import { otlpError } from '../errors.ts'
import type { Encoding } from '../wire/answers.ts'
import { readJsonLogs, readJsonSpans } from '../wire/json.ts'
import type { Signal } from '../wire/model.ts'
import { readProtobufLogs, readProtobufSpans } from '../wire/protobuf.ts'
import type { TakeLimits } from './limits.ts'
import { type PlannedBatch, planLogs, planSpans } from './lines.ts'

/** A request's body, and what says how it is to be read. */
export interface SentBody {
  readonly signal: Signal
  readonly encoding: Encoding
  readonly contentEncoding: string
}

/**
 * Undoes the content encoding.
 *
 * @throws CLEW_OTLP_TYPE, CLEW_OTLP_ENCODING, CLEW_OTLP_TOO_LARGE
 */
export async function unpackBody(contentEncoding: string, body: Buffer, limitBytes: number): Promise<Buffer> {
  const coding = contentEncoding.trim().toLowerCase()
  if (coding === '' || coding === 'identity') {
    if (body.length > limitBytes) throw otlpError('CLEW_OTLP_TOO_LARGE')
    return body
  }
  if (coding !== 'gzip' && coding !== 'deflate')
    throw otlpError('CLEW_OTLP_TYPE', { details: `content-encoding ${coding}` })
  const outcome = await decompress(coding, body, limitBytes)
  switch (outcome.kind) {
    case 'bytes':
      return outcome.bytes
    case 'too_large':
      throw otlpError('CLEW_OTLP_TOO_LARGE')
    case 'damaged':
      throw otlpError('CLEW_OTLP_ENCODING')
    default:
      return outcome satisfies never
  }
}

/** Reads an unpacked body and plans its rows. @throws CLEW_OTLP_DATA, CLEW_OTLP_TOO_DEEP, CLEW_OTLP_TOO_LARGE */
export function planBody(
  plain: Buffer,
  { signal, encoding }: SentBody,
  limits: TakeLimits,
  nowMs: number,
): PlannedBatch {
  const most = { records: limits.maxBatchRecords, depth: limits.jsonDepth }
  if (signal === 'traces') {
    const batch = encoding === 'json' ? readJsonSpans(plain, most) : readProtobufSpans(plain, most)
    return planSpans(batch, limits, nowMs)
  }
  const batch = encoding === 'json' ? readJsonLogs(plain, most) : readProtobufLogs(plain, most)
  const digest = createHash('sha256').update(plain).digest('hex').slice(0, 32)
  return planLogs(batch, limits, { nowMs, digest })
}
