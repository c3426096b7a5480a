import type { FlagCall } from '../../../ground/flags/flags.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../../../ground/json/object.ts'
import { analyticsError } from '../errors.ts'
import { cleanText, findDistinctId, longestDistinctId } from '../event/event.ts'
import type { Place } from '../geo/place.ts'

const longestList = 1_000

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, longestList) : []

const idOf = (value: unknown): string | null => {
  const text = textOf(value)
  return text === null ? null : cleanText(text, longestDistinctId)
}

/** Group keys may be numbers; whatever else is no key. */
const keysOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(objectOf(value) ?? {})
      .filter(([, key]) => typeof key === 'string' || typeof key === 'number')
      .slice(0, longestList)
      .map(([type, key]) => [type, cleanText(String(key), longestDistinctId)]),
  )

const propertiesByType = (value: unknown): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(
    Object.entries(objectOf(value) ?? {}).filter((entry): entry is [string, JsonObject] => isObject(entry[1])),
  )

/**
 * Reads the body of a request for flags (analytics §5.1).
 *
 * @param place where the request comes from; what the body says of the person stands above it
 * @throws CLEW_INGEST_NO_DISTINCT_ID
 */
export function parseFlagCall(body: JsonObject, place: Place | null): FlagCall {
  const distinctId = findDistinctId(body, {})
  if (distinctId === null) throw analyticsError('CLEW_INGEST_NO_DISTINCT_ID')
  const personProperties = objectOf(body.person_properties) ?? {}
  const runtime = body.evaluation_runtime
  return {
    distinctId,
    anonymousId: idOf(body.$anon_distinct_id),
    deviceId: idOf(body.$device_id) ?? idOf(personProperties.$device_id),
    groups: keysOf(body.groups),
    personProperties: body.geoip_disable === true ? personProperties : { ...place, ...personProperties },
    groupProperties: propertiesByType(body.group_properties),
    keys: Array.isArray(body.flag_keys) ? textsOf(body.flag_keys) : null,
    runtime: runtime === 'server' || runtime === 'client' ? runtime : null,
    contexts: textsOf(body.evaluation_contexts ?? body.evaluation_environments),
  }
}
