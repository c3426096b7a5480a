import type { CapturedEvent } from './event.ts'
import { type JsonObject, stringifyWellFormed, textOf } from './json.ts'
import { renderInstant } from './time.ts'

const hot = (properties: JsonObject, name: string): string => textOf(properties[name]) ?? ''

/**
 * One event as a JSONEachRow line of the table `events`. The properties stand in it as an object: ClickHouse keeps
 * its text as it is (`input_format_json_read_objects_as_strings`, on by default), so they are rendered once.
 */
export function renderEventLine(event: CapturedEvent): string {
  const { properties } = event
  return stringifyWellFormed({
    uuid: event.uuid,
    event: event.event,
    distinct_id: event.distinctId,
    session_id: event.sessionId,
    window_id: event.windowId,
    timestamp: renderInstant(event.timestampMs),
    client_time: renderInstant(event.clientTimeMs),
    sent_at: event.sentAtMs === null ? null : renderInstant(event.sentAtMs),
    received_at: renderInstant(event.receivedAtMs),
    current_url: hot(properties, '$current_url'),
    pathname: hot(properties, '$pathname'),
    host: hot(properties, '$host'),
    referring_domain: hot(properties, '$referring_domain'),
    browser: hot(properties, '$browser'),
    os: hot(properties, '$os'),
    device_type: hot(properties, '$device_type'),
    lib: hot(properties, '$lib'),
    elements_chain: hot(properties, '$elements_chain'),
    person_profile: event.personProfile,
    properties,
  })
}
