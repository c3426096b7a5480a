import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { elementLabel, parseElementsChain } from '../../../ground/events/elements.ts'
import { isObject } from '../../../ground/json/object.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import type { SqlFragment } from '../../../ground/sql/sql.ts'
import { analyticsError } from '../errors.ts'
import type { PropertyColumn, PropertyColumns } from '../properties/columns.ts'
import { type PropertyFilter, passesFilter } from '../properties/filter.ts'
import type { EventDetail, EventProperties, EventRange, EventSummary } from './schemas.ts'
import {
  type EventFilter,
  type EventKeyRow,
  type EventNameRow,
  type EventPlace,
  type EventRow,
  type EventSpan,
  type FullEventRow,
  type PropertyNameRow,
  selectEventKeysStatement,
  selectEventNamesStatement,
  selectEventStatement,
  selectEventsStatement,
  selectPropertiesStatement,
} from './store.ts'

export interface EventPagesDeps {
  readonly clickhouse: Pick<ClickHouse, 'query'>
  readonly facts: (distinctIds: readonly string[]) => Promise<ReadonlyMap<string, PersonFacts>>
  readonly properties: Pick<PropertyColumns, 'read' | 'list'>
  readonly now: () => Date
}

export interface EventsQuery extends Omit<EventFilter, 'properties'> {
  readonly filters: readonly PropertyFilter[]
  /** How far back; null: as far as there are events. */
  readonly range: EventRange | null
  /** As a page before gave it. */
  readonly before: string | null
  readonly limit: number
}

/** What the console asks of events. */
export interface EventPages {
  /** The newest first. @throws CLEW_EVENTS_PLACE */
  list(query: EventsQuery): Promise<{ events: EventSummary[]; next: string | null }>
  /** What ids did up to an instant, newest first; exceptions are left out, which errors have. */
  ofIds(distinctIds: readonly string[], until: Date, limit: number): Promise<readonly EventSummary[]>
  /** The most frequent first. */
  names(range: EventRange): Promise<{ name: string; count: number }[]>
  /** What the newest events say, of a name or of all; the most frequent first. */
  properties(event: string | null, range: EventRange): Promise<EventProperties>
  /** @throws CLEW_EVENTS_NOT_FOUND, CLEW_EVENTS_PLACE */
  one(id: string): Promise<EventDetail>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const rangeMs: Readonly<Record<EventRange, number>> = {
  '1h': hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
}
/** A page is looked for in the latest day first, as most pages are found there, and then further back. */
const spansMs = [dayMs, 7 * dayMs, 60 * dayMs]
/** Clocks of clients that are ahead. */
const aheadMs = dayMs
const mostNames = 300
/** So many of the newest events are looked at for their properties, and so many names are shown. */
const mostProperties = { events: 20_000, names: 500 }
/** What a person's line has in another form, or would drown in. */
const notOnLines = ['$exception', '$$heatmap', '$web_vitals', '$feature_flag_called']

export function createEventPages({ clickhouse: { query }, facts, properties, now }: EventPagesDeps): EventPages {
  async function newestKeys(
    filter: EventFilter,
    { fromMs, toMs: endMs, before }: EventSpan,
    limit: number,
  ): Promise<readonly EventKeyRow[]> {
    const found: EventKeyRow[] = []
    let toMs = endMs
    for (const span of [...spansMs, Number.POSITIVE_INFINITY]) {
      const begin = Math.max(fromMs, toMs - span)
      const statement = selectEventKeysStatement(filter, { fromMs: begin, toMs, before }, limit - found.length)
      found.push(...(await query<EventKeyRow>(statement)))
      if (found.length >= limit || begin <= fromMs) break
      toMs = begin
    }
    return found
  }

  const conditionsOf = (filters: readonly PropertyFilter[]): Promise<SqlFragment[]> =>
    Promise.all(filters.map(async (filter) => passesFilter(await properties.read(filter.property), filter)))

  async function rowsOf(keys: readonly EventKeyRow[]): Promise<readonly EventRow[]> {
    const rows = keys.length === 0 ? [] : await query<EventRow>(selectEventsStatement(keys))
    const byUuid = new Map(rows.map((row) => [row.uuid, row]))
    return keys.flatMap(({ uuid }) => byUuid.get(uuid) ?? [])
  }

  async function summariesOf(rows: readonly EventRow[]): Promise<EventSummary[]> {
    const people = await facts([...new Set(rows.map((row) => row.distinct_id))])
    return rows.map((row) => renderEvent(row, people.get(row.distinct_id)))
  }

  return {
    async list({ range, before, limit, filters, ...others }) {
      if (others.distinctIds?.length === 0) return { events: [], next: null }
      const place = before === null ? null : readPlace(before)
      const { group } = others
      const fromMs = Math.max(range === null ? 0 : now().getTime() - rangeMs[range], group?.fromMs ?? 0)
      const latestMs = Math.min(now().getTime() + aheadMs, group?.toMs ?? Number.POSITIVE_INFINITY)
      const toMs = place === null ? latestMs : place.atMs + 1
      const filter = { ...others, properties: await conditionsOf(filters) }
      const keys = await newestKeys(filter, { fromMs, toMs, before: place }, limit + 1)
      const shown = keys.slice(0, limit)
      const last = shown.at(-1)
      return {
        events: await summariesOf(await rowsOf(shown)),
        next: keys.length > limit && last !== undefined ? writePlace(last) : null,
      }
    },

    async ofIds(distinctIds, until, limit) {
      if (distinctIds.length === 0) return []
      const filter = { event: null, distinctIds, session: null, group: null, properties: [], without: notOnLines }
      const span = { fromMs: 0, toMs: until.getTime() + 1, before: null }
      return (await rowsOf(await newestKeys(filter, span, limit))).map((row) => renderEvent(row, undefined))
    },

    async names(range) {
      const rows = await query<EventNameRow>(selectEventNamesStatement(now().getTime() - rangeMs[range], mostNames))
      return rows.map(({ event, count }) => ({ name: event, count: Number(count) }))
    },

    async properties(event, range) {
      const fromMs = now().getTime() - rangeMs[range]
      const [rows, columns] = await Promise.all([
        query<PropertyNameRow>(selectPropertiesStatement(event, fromMs, mostProperties)),
        properties.list(),
      ])
      return renderProperties(rows, columns)
    },

    async one(id) {
      const [row] = await query<FullEventRow>(selectEventStatement(readPlace(id)))
      const [event] = row === undefined ? [] : await summariesOf([row])
      if (row === undefined || event === undefined) throw analyticsError('CLEW_EVENTS_NOT_FOUND')
      return renderDetail(event, row)
    },
  }
}

const orNull = (text: string): string | null => (text === '' ? null : text)
const instantOf = (milliseconds: string): string => new Date(Number(milliseconds)).toISOString()

function renderProperties(
  rows: readonly PropertyNameRow[],
  columns: Awaited<ReturnType<EventPagesDeps['properties']['list']>>,
) {
  const ofProperty = new Map(columns.map((column) => [column.property, column]))
  return {
    looked: Number(rows[0]?.looked ?? 0),
    properties: rows.map(({ name, events }) => ({
      ...{ name, events: Number(events), column: renderColumn(ofProperty.get(name)) },
    })),
  }
}

function renderEvent(row: EventRow, person: PersonFacts | undefined): EventSummary {
  return {
    id: writePlace(row),
    event: row.event,
    label: labelOf(row),
    at: instantOf(row.at_ms),
    distinctId: row.distinct_id,
    person:
      person === undefined
        ? null
        : { id: person.personId, userId: person.userId, email: person.email, name: person.name },
    sessionId: orNull(row.session_id),
    windowId: orNull(row.window_id),
    url: orNull(row.current_url),
    path: orNull(row.pathname),
    browser: orNull(row.browser),
    os: orNull(row.os),
    device: orNull(row.device_type),
    lib: orNull(row.lib),
  }
}

/** What an event was about: the element of a click, the text of an exception, the flag that was asked for. */
function labelOf({ event, elements_chain, el_text, exception_type, exception_text, flag, flag_value }: EventRow) {
  switch (event) {
    case '$autocapture':
    case '$rageclick':
    case '$dead_click':
      return elementLabel({ $el_text: el_text }, elements_chain)
    case '$exception':
      return orNull([exception_type, exception_text].filter((text) => text !== '').join(': '))
    case '$feature_flag_called':
      return orNull([flag, flag_value].filter((text) => text !== '').join(': '))
    default:
      return null
  }
}

const renderColumn = (column: PropertyColumn | undefined): EventProperties['properties'][number]['column'] =>
  column === undefined ? null : { since: column.since.toISOString(), isFilled: column.isFilled, bytes: column.bytes }

function renderDetail(event: EventSummary, row: FullEventRow): EventDetail {
  const properties: unknown = JSON.parse(row.properties)
  return {
    event,
    receivedAt: instantOf(row.received_ms),
    sentAt: row.sent_ms === null ? null : instantOf(row.sent_ms),
    clientTime: instantOf(row.client_ms),
    properties: isObject(properties) ? properties : {},
    elements: parseElementsChain(row.elements_chain).map(({ tag, attributes: { text, ...attributes } }) => ({
      ...{ tag, attributes },
      text: text ?? null,
    })),
  }
}

const writePlace = ({ at_ms, uuid }: Pick<EventKeyRow, 'at_ms' | 'uuid'>): string => `${at_ms}.${uuid}`

const place = /^(?<ms>\d{1,15})\.(?<uuid>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

function readPlace(text: string): EventPlace {
  const found = place.exec(text)?.groups
  if (found?.ms === undefined || found.uuid === undefined) throw analyticsError('CLEW_EVENTS_PLACE')
  return { atMs: Number(found.ms), uuid: found.uuid }
}
