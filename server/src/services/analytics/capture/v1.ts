import { isObject, type JsonObject, objectOf, textOf } from '../../../ground/json/object.ts'
import { parseInstant } from '../event/time.ts'
import type { Envelope } from './envelope.ts'
import type { CaptureOutcome } from './plan.ts'

/** What the headers of a Capture V1 request say. */
export interface V1Headers {
  readonly authorization: string | null
  /** `<lib>/<version>` */
  readonly sdkInfo: string | null
  readonly requestTimestamp: string | null
}

/** Fields of V1's `options` and the properties that they stand for. */
const optionProperties: Readonly<Record<string, string>> = {
  cookieless_mode: '$cookieless_mode',
  disable_skew_correction: '$ignore_sent_at',
  process_person_profile: '$process_person_profile',
  product_tour_id: '$product_tour_id',
}

/** The token of an `Authorization` header; null where it is no bearer’s. */
export const bearerOf = (authorization: string | null): string | null =>
  /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? null

/** Reads a Capture V1 body (`POST /i/v1/analytics/events`) as the envelope that all other forms have. */
export function parseV1(body: unknown, headers: V1Headers): Envelope {
  const batch = isObject(body) && Array.isArray(body.batch) ? body.batch : []
  const [, library, version] = /^([^/\s]+)\/(\S+)/.exec(headers.sdkInfo ?? '') ?? []
  const sdk = library === undefined ? {} : { $lib: library, $lib_version: version }
  return {
    token: bearerOf(headers.authorization),
    sentAtMs: parseInstant(headers.requestTimestamp),
    events: batch.map((event) => (isObject(event) ? { ...event, properties: propertiesOf(event, sdk) } : event)),
  }
}

function propertiesOf(event: JsonObject, sdk: JsonObject): JsonObject {
  const options = objectOf(event.options) ?? {}
  const mapped = Object.entries(optionProperties).flatMap(([option, property]) =>
    options[option] === undefined ? [] : [[property, options[option]] as const],
  )
  return {
    ...objectOf(event.properties),
    ...sdk,
    ...Object.fromEntries(mapped),
    ...(event.session_id === undefined ? {} : { $session_id: event.session_id }),
    ...(event.window_id === undefined ? {} : { $window_id: event.window_id }),
  }
}

/** V1's answer: what became of each event, by its uuid. */
export function renderV1Results(envelope: Envelope, outcome: CaptureOutcome): Record<string, object> {
  const reasons = new Map(outcome.refused.map(({ index, reason }) => [index, reason]))
  return Object.fromEntries(
    envelope.events.flatMap((event, index) => {
      const uuid = isObject(event) ? textOf(event.uuid) : null
      if (uuid === null) return []
      const reason = reasons.get(index)
      return [[uuid, reason === undefined ? { result: 'ok' } : { result: 'drop', details: reason }]]
    }),
  )
}
