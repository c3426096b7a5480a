import { textOf } from '../../../ground/json/object.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import type { Enriched } from './enrich.ts'
import type { CapturedEvent } from './event.ts'
import { ticksOf } from './time.ts'

/**
 * The values of a line, in their order. Lines wait on the disk while versions change: names are only ever added, at
 * the end.
 */
export const eventColumns = [
  'uuid',
  'event',
  'distinct_id',
  'session_id',
  'window_id',
  'timestamp',
  'client_time',
  'sent_at',
  'received_at',
  'current_url',
  'pathname',
  'host',
  'referring_domain',
  'browser',
  'os',
  'device_type',
  'lib',
  'elements_chain',
  'person_profile',
  'properties',
] as const

/** A JSON text three times, which name, id and distinct id are, and the session behind them. */
const lineHead = /^\[(?:"(?:[^"\\]|\\.)*",){3}"([^"\\]*)"/
/** Names and ids may be long, and are not that long. */
const longestHead = 8192

/** The session of a line, without reading its properties; null where it is not found. */
export const sessionIdOfEventLine = (line: Buffer): string | null =>
  lineHead.exec(line.toString('utf8', 0, longestHead))?.[1] ?? null

/**
 * One event as a JSONCompactEachRow line of the table `events`. The properties stand in it as an object: ClickHouse
 * keeps its text as it is (`input_format_json_read_objects_as_strings`, on by default), so they are rendered once.
 */
export function renderEventLine(event: CapturedEvent, { properties, added, rawJson }: Enriched): string {
  const hot = (name: string): string => textOf(properties[name] ?? added?.[name]) ?? ''
  const head = stringifyWellFormed([
    event.uuid,
    event.event,
    event.distinctId,
    event.sessionId,
    event.windowId,
    ticksOf(event.timestampMs),
    ticksOf(event.clientTimeMs),
    event.sentAtMs === null ? null : ticksOf(event.sentAtMs),
    ticksOf(event.receivedAtMs),
    hot('$current_url'),
    hot('$pathname'),
    hot('$host'),
    hot('$referring_domain'),
    hot('$browser'),
    hot('$os'),
    hot('$device_type'),
    hot('$lib'),
    hot('$elements_chain'),
    event.personProfile,
  ])
  return `${head.slice(0, -1)},${rawJson ?? stringifyWellFormed({ ...properties, ...added })}]`
}
