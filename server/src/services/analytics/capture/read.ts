import { isObject, textOf } from '../../../ground/json/object.ts'
import { analyticsError } from '../errors.ts'
import type { RecordingsPort } from '../replay-port.ts'
import { type EncodedBody, parseJson } from './decode.ts'
import { type Envelope, type EnvelopeQuery, parseEnvelope } from './envelope.ts'
import type { RawJson } from './plan.ts'
import { findProperties } from './raw-properties.ts'
import { scanRecordings } from './recording-body.ts'
import { parseV1, type V1Headers } from './v1.ts'

/** Where a capture request came from. */
export interface Sender {
  readonly arrivedAt: Date
  readonly remoteAddress: string
  readonly userAgent: string | null
}

export interface CaptureRequest {
  /**
   * Recordings have a limit of their own; Capture V1 says in its headers what other forms say in the body; an event of `/engage`
   * may have no name.
   */
  readonly kind: 'events' | 'engage' | 'recordings' | 'v1'
  readonly encoded: EncodedBody
  readonly query: EnvelopeQuery
  readonly v1: V1Headers | null
  readonly sender: Sender
}

/** What a body may hold. */
export interface ReadLimits {
  readonly jsonDepth: number
  readonly maxBatchEvents: number
}

/** A body that was understood. */
export interface ReadBody {
  readonly envelope: Envelope
  /** What of each event may be kept as it was sent; found when it is asked for. */
  readonly rawJson: () => readonly RawJson[]
}

/**
 * Reads an unpacked body.
 *
 * @throws CLEW_INGEST_JSON, CLEW_INGEST_NO_EVENTS, CLEW_INGEST_TOKEN, CLEW_INGEST_TOO_DEEP, CLEW_INGEST_TOO_LARGE
 */
export function readBody(
  plain: Buffer,
  request: Pick<CaptureRequest, 'kind' | 'query' | 'v1'>,
  { jsonDepth, maxBatchEvents }: ReadLimits,
  scan: RecordingsPort['scan'],
): ReadBody {
  const read = scanned(plain, request, jsonDepth, scan) ?? parsed(plain, request, jsonDepth)
  const count = read.envelope.events.length
  if (count === 0) throw analyticsError('CLEW_INGEST_NO_EVENTS')
  if (count > maxBatchEvents)
    throw analyticsError('CLEW_INGEST_TOO_LARGE', { details: `more than ${maxBatchEvents} events` })
  return read
}

type Form = Pick<CaptureRequest, 'kind' | 'query' | 'v1'>

function scanned(plain: Buffer, { kind, query }: Form, depth: number, scan: RecordingsPort['scan']): ReadBody | null {
  const body = kind === 'recordings' ? scanRecordings(plain, depth, scan) : null
  if (body === null) return null
  const envelope = parseEnvelope(body.value, query)
  // One message is its own envelope; what holds others besides is none.
  const isWhole = envelope.events === body.value || envelope.events[0] === body.value
  return isWhole ? { envelope, rawJson: () => body.events } : null
}

function parsed(plain: Buffer, { kind, query, v1 }: Form, jsonDepth: number): ReadBody {
  const { value, text } = parseJson(plain, jsonDepth)
  if (v1 !== null) return { envelope: parseV1(value, v1), rawJson: () => [] }
  const envelope = parseEnvelope(value, query)
  if (kind === 'engage')
    return { envelope: { ...envelope, events: envelope.events.map(identifying) }, rawJson: () => [] }
  return { envelope, rawJson: () => (kind === 'events' ? findProperties(text, envelope.events.length) : []) }
}

/** What is sent to `/engage` says something of a person: it identifies where it has no other name (analytics §1). */
const identifying = (event: unknown): unknown =>
  isObject(event) && textOf(event.event) === null ? { ...event, event: '$identify' } : event
