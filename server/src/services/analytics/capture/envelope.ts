import { isObject, type JsonObject, textOf } from '../../../ground/json/object.ts'
import { analyticsError } from '../errors.ts'
import { parseInstant } from '../event/time.ts'

/** What a request says about all its events. */
export interface Envelope {
  /** The project token; null when none is named. */
  readonly token: string | null
  readonly sentAtMs: number | null
  /** The events as sent; what is not an object is left for the event's own check. */
  readonly events: readonly unknown[]
}

/** What stands beside the body. */
export interface EnvelopeQuery {
  readonly token: string | null
  /** `sent_at` or `_` of the query string. */
  readonly sentAt: string | null
}

const batchOf = (body: JsonObject): readonly unknown[] | null => {
  if (Array.isArray(body.batch)) return body.batch
  if (isObject(body.batch)) return [body.batch]
  if (Array.isArray(body.data)) return body.data
  return null
}

const tokenOf = (holder: JsonObject): string | null =>
  textOf(holder.api_key) ?? textOf(holder.token) ?? textOf(holder.$token)

const eventToken = (event: unknown): string | null => {
  if (!isObject(event)) return null
  return tokenOf(event) ?? (isObject(event.properties) ? textOf(event.properties.token) : null)
}

/**
 * Finds events, token and sending time in a decoded body: `{api_key, batch, sent_at}`, an array of events, or one
 * event. The token is looked for in the envelope, then in the events, then in the query string.
 *
 * @throws CLEW_INGEST_NO_EVENTS when there are none, CLEW_INGEST_TOKEN when events name different tokens
 */
export function parseEnvelope(body: unknown, query: EnvelopeQuery): Envelope {
  const envelope = isObject(body) ? body : {}
  const events = Array.isArray(body) ? body : (batchOf(envelope) ?? (isObject(body) ? [body] : []))
  if (events.length === 0) throw analyticsError('CLEW_INGEST_NO_EVENTS')
  const isEnvelope = events[0] !== body
  return {
    token: (isEnvelope ? tokenOf(envelope) : null) ?? commonToken(events) ?? textOf(query.token),
    sentAtMs: parseInstant(envelope.sent_at) ?? firstSentAt(events) ?? parseInstant(query.sentAt),
    events,
  }
}

function commonToken(events: readonly unknown[]): string | null {
  let common: string | null = null
  for (const event of events) {
    const token = eventToken(event)
    if (token === null) continue
    if (common !== null && common !== token) throw analyticsError('CLEW_INGEST_TOKEN', { details: 'mixed tokens' })
    common = token
  }
  return common
}

/** Recordings carry no envelope; each message says when it was sent. */
function firstSentAt(events: readonly unknown[]): number | null {
  const [first] = events
  return isObject(first) ? parseInstant(first.sent_at) : null
}
