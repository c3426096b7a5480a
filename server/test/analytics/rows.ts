import type { AnalyticsProduct } from './product.ts'
import type { Scope } from './scope.ts'

interface EventRow {
  readonly distinct_id: string
  readonly session_id: string
  readonly properties: string
}

interface MessageRow {
  readonly data: string
}

/** What of a case is in the tables, its ids as marks. */
interface Rows {
  readonly events: readonly { readonly properties: object }[]
  readonly messages: readonly object[]
  readonly persons: readonly object[]
  readonly groups: readonly object[]
}

const eventsText = `
  select uuid, event, distinct_id, session_id, window_id, toString(e.timestamp) as timestamp,
    toString(e.client_time) as client_time, toString(e.sent_at) as sent_at, current_url, pathname, host, referring_domain,
    browser, os, device_type, lib, elements_chain, person_profile, groups, properties,
    toInt64(toUnixTimestamp64Milli(e.received_at) - toUnixTimestamp64Milli(e.timestamp)) as before_arrival
  from events as e final
  where position(distinct_id, {tag:String}) > 0 or position(properties, {tag:String}) > 0 or has(splitByChar(',', {uuids:String}), toString(uuid))
  order by toString(uuid)
  settings output_format_json_quote_64bit_integers = 0`

const messagesText = `
  select uuid, distinct_id, session_id, window_id, first_ts, last_ts, sent_at, events, clicks, keypresses, console_errors, urls,
    has_full_snapshot, active_ms, browser, os, device, data
  from snapshots final
  where position(session_id, {tag:String}) > 0
  order by toString(uuid)
  settings output_format_json_quote_64bit_integers = 0`

const personsText = `
  select array_agg(d.distinct_id order by d.distinct_id) as ids, p.properties, p.is_identified as "isIdentified",
    to_char(p.created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as began
  from clew_analytics.persons p
  join clew_analytics.distinct_ids d on d.person_id = p.id
  where p.id in (select person_id from clew_analytics.distinct_ids where strpos(distinct_id, $1) > 0)
  group by p.id
  order by ids`

const groupsText = `
  select type, key, properties from clew_analytics.groups where strpos(key, $1) > 0 order by type, key`

/** Reads what of a case is stored, in both engines. */
export async function rowsOf({ clickhouse, postgres }: AnalyticsProduct, scope: Scope): Promise<Rows> {
  const parameters = { tag: scope.tag, uuids: scope.uuids().join() }
  const events = await clickhouse.query<EventRow>({ text: eventsText, parameters })
  const messages = await clickhouse.query<MessageRow>({ text: messagesText, parameters: { tag: scope.tag } })
  const persons = await postgres.query(personsText, [scope.tag])
  const groups = await postgres.query(groupsText, [scope.tag])
  return scope.mark({
    events: events.map((row) => ({
      ...row,
      properties: JSON.parse(row.properties),
      sent: row.properties,
      isSentinel: row.distinct_id === '$posthog_cookieless',
      // Which of the case's ids and sessions it has: what the server gives is not known before.
      visitor: placeOf(row, events, 'distinct_id'),
      visit: placeOf(row, events, 'session_id'),
    })),
    messages: messages.map((row) => ({ ...row, data: JSON.parse(row.data) })),
    persons: persons.rows,
    groups: groups.rows,
  })
}

const placeOf = (row: EventRow, rows: readonly EventRow[], name: 'distinct_id' | 'session_id'): number =>
  [...new Set(rows.map((one) => one[name]))].indexOf(row[name]) + 1
