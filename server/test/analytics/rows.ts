import type { AnalyticsProduct } from './product.ts'
import type { Scope } from './scope.ts'

interface EventRow {
  readonly uuid: string
  readonly distinct_id: string
  readonly session_id: string
  readonly properties: string
}

interface MessageRow {
  readonly session_id: string
  readonly data: string
}

interface PersonRow {
  readonly ids: readonly string[]
}

interface GroupRow {
  readonly key: string
}

/** Everything that the tables hold. */
export interface Rows {
  readonly events: readonly EventRow[]
  readonly messages: readonly MessageRow[]
  readonly persons: readonly PersonRow[]
  readonly groups: readonly GroupRow[]
}

const eventsText = `
  select uuid, event, distinct_id, session_id, window_id, toString(e.timestamp) as timestamp,
    toString(e.client_time) as client_time, toString(e.sent_at) as sent_at, current_url, pathname, host, referring_domain,
    browser, os, device_type, lib, elements_chain, person_profile, groups, properties,
    toInt64(toUnixTimestamp64Milli(e.received_at) - toUnixTimestamp64Milli(e.timestamp)) as before_arrival
  from events as e final
  order by toString(uuid)
  settings output_format_json_quote_64bit_integers = 0`

const messagesText = `
  select uuid, distinct_id, session_id, window_id, first_ts, last_ts, sent_at, events, clicks, keypresses, console_errors, urls,
    has_full_snapshot, active_ms, browser, os, device, data
  from snapshots final
  order by toString(uuid)
  settings output_format_json_quote_64bit_integers = 0`

const personsText = `
  select array_agg(d.distinct_id order by d.distinct_id) as ids, p.properties, p.is_identified as "isIdentified",
    to_char(p.created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as began
  from clew_analytics.persons p
  join clew_analytics.distinct_ids d on d.person_id = p.id
  group by p.id
  order by ids`

const groupsText = 'select type, key, properties from clew_analytics.groups order by type, key'

/** Reads what is stored, in both engines. */
export async function readRows({ clickhouse, postgres }: AnalyticsProduct): Promise<Rows> {
  return {
    events: await clickhouse.query<EventRow>({ text: eventsText, parameters: {} }),
    messages: await clickhouse.query<MessageRow>({ text: messagesText, parameters: {} }),
    persons: (await postgres.query<PersonRow>(personsText)).rows,
    groups: (await postgres.query<GroupRow>(groupsText)).rows,
  }
}

/** A case's own rows, its ids as marks. */
interface CaseRows {
  readonly events: readonly { readonly properties: object }[]
  readonly messages: readonly object[]
  readonly persons: readonly object[]
  readonly groups: readonly object[]
}

/** The rows that one case left. */
export function rowsOf(rows: Rows, { tag, uuids, mark }: Scope): CaseRows {
  const own = new Set(uuids())
  const events = rows.events.filter(
    ({ uuid, distinct_id, properties }) => own.has(uuid) || distinct_id.includes(tag) || properties.includes(tag),
  )
  return mark({
    events: events.map((row) => ({
      ...row,
      properties: JSON.parse(row.properties),
      sent: row.properties,
      isSentinel: row.distinct_id === '$posthog_cookieless',
      // Which of the case's ids and sessions it has: what the server gives is not known before.
      visitor: placeOf(row, events, 'distinct_id'),
      visit: placeOf(row, events, 'session_id'),
    })),
    messages: rows.messages
      .filter(({ session_id }) => session_id.includes(tag))
      .map((row) => ({ ...row, data: JSON.parse(row.data) })),
    persons: rows.persons.filter(({ ids }) => ids.some((id) => id.includes(tag))),
    groups: rows.groups.filter(({ key }) => key.includes(tag)),
  })
}

const placeOf = (row: EventRow, rows: readonly EventRow[], name: 'distinct_id' | 'session_id'): number =>
  [...new Set(rows.map((one) => one[name]))].indexOf(row[name]) + 1
