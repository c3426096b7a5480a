import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import { analyticsError } from '../errors.ts'
import type { EventPages } from '../events/events.ts'
import type { EventSummary } from '../events/schemas.ts'
import {
  type GroupPlace,
  type GroupsQuery,
  type ListedGroup,
  type StoredGroupRow,
  selectGroupListStatement,
  selectGroupStatement,
} from './list-store.ts'
import type { GroupDetail, GroupPerson, GroupSession, GroupSummary } from './schemas.ts'
import {
  type GroupCountsRow,
  type GroupSessionRow,
  type GroupSpanRow,
  type GroupVisitorRow,
  type SessionPlace,
  selectGroupCountsStatement,
  selectGroupSessionsStatement,
  selectGroupSpanStatement,
  selectGroupVisitorsStatement,
} from './visits.ts'

export interface GroupPagesDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query'>
  readonly facts: (distinctIds: readonly string[]) => Promise<ReadonlyMap<string, PersonFacts>>
  readonly events: Pick<EventPages, 'list'>
  readonly now: () => Date
}

/** A group by its type and key. */
export interface GroupName {
  readonly type: string
  readonly key: string
}

/** Which events of a group are asked for. */
export interface GroupEventsQuery extends GroupName {
  readonly event: string | null
  readonly before: string | null
  readonly limit: number
}

/** What the console asks of groups. Those that take a key throw CLEW_GROUPS_NOT_FOUND. */
export interface GroupPages {
  /** Those seen latest first. @throws CLEW_GROUPS_PLACE */
  list(
    query: Omit<GroupsQuery, 'after'> & { readonly before: string | null },
  ): Promise<{ groups: GroupSummary[]; next: string | null }>
  one(group: GroupName): Promise<GroupDetail>
  /** Who was seen in it lately, the latest first; a person once. */
  people(group: GroupName): Promise<GroupPerson[]>
  /** Those seen latest first. @throws CLEW_GROUPS_PLACE */
  sessions(
    group: GroupName,
    before: string | null,
    limit: number,
  ): Promise<{ sessions: GroupSession[]; next: string | null }>
  /** The newest first. @throws CLEW_EVENTS_PLACE */
  events(query: GroupEventsQuery): Promise<{ events: EventSummary[]; next: string | null }>
}

const dayMs = 24 * 3_600_000
/** The days whose events, sessions and ids are counted. */
const countedMs = 30 * dayMs
/** Further back no person or session is listed. */
const listedMs = 90 * dayMs
const mostVisitors = 500
/** Bound values travel in the address, which a server reads to some 16 KiB; a character may take twelve bytes there. */
const charactersPerQuestion = 1_000

export function createGroupPages({
  sql: database,
  clickhouse: { query },
  facts,
  events,
  now,
}: GroupPagesDeps): GroupPages {
  const since = (ms: number): Date => new Date(now().getTime() - ms)

  async function countsOf(type: string, keys: readonly string[]): Promise<ReadonlyMap<string, GroupCountsRow>> {
    const counts = new Map<string, GroupCountsRow>()
    for (const some of pieces(keys))
      for (const row of await query<GroupCountsRow>(
        selectGroupCountsStatement({ type, keys: some, since: since(countedMs) }),
      ))
        counts.set(row.key, row)
    return counts
  }

  async function found({ type, key }: GroupName): Promise<StoredGroupRow> {
    const [row] = (await database.query<StoredGroupRow>(selectGroupStatement(type, key))).rows
    if (row === undefined) throw analyticsError('CLEW_GROUPS_NOT_FOUND')
    return row
  }

  return {
    async list({ before, limit, ...wanted }) {
      const after = before === null ? null : readGroupPlace(before)
      const { rows } = await database.query<ListedGroup>(
        selectGroupListStatement({ ...wanted, after, limit: limit + 1 }),
      )
      const shown = rows.slice(0, limit)
      const counts = await countsOf(
        wanted.type,
        shown.map(({ key }) => key),
      )
      const last = shown.at(-1)
      return {
        groups: shown.map((group) => renderGroup(group, counts.get(group.key))),
        next: rows.length > limit && last !== undefined ? `${last.lastSeenAt.getTime()}.${last.key}` : null,
      }
    },

    async one(name) {
      const row = await found(name)
      const counts = (await countsOf(name.type, [name.key])).get(name.key)
      return {
        type: name.type,
        group: renderGroup(row, counts),
        exceptions: Number(counts?.exception_count ?? 0),
        properties: Object.entries(row.properties ?? {})
          .toSorted(([left], [right]) => left.localeCompare(right))
          .map(([property, value]) => ({ name: property, value, setAt: instantOrNull(row.propertyTimes?.[property]) })),
      }
    },

    async people(name) {
      const { type, key } = name
      await found(name)
      const of = { type, keys: [key], since: since(listedMs) }
      const rows = await query<GroupVisitorRow>(selectGroupVisitorsStatement(of, mostVisitors))
      const persons = await facts(rows.map(({ distinct_id }) => distinct_id))
      const people = new Map<string, GroupPerson>()
      for (const row of rows) {
        const person = persons.get(row.distinct_id)
        const known = people.get(person?.personId ?? row.distinct_id)
        // The first of a person's ids is the one seen last.
        if (known !== undefined) known.events += Number(row.event_count)
        else
          people.set(person?.personId ?? row.distinct_id, {
            ...whose(row, persons),
            ...{ lastSeenAt: instantOf(row.last_ms), events: Number(row.event_count) },
          })
      }
      return [...people.values()]
    },

    async sessions(name, before, limit) {
      const { type, key } = name
      await found(name)
      const of = { type, keys: [key], since: since(listedMs) }
      const place = before === null ? null : readSessionPlace(before)
      const rows = await query<GroupSessionRow>(selectGroupSessionsStatement(of, place, limit + 1))
      const shown = rows.slice(0, limit)
      const persons = await facts(shown.map(({ distinct_id }) => distinct_id))
      const last = shown.at(-1)
      return {
        sessions: shown.map((row) => ({
          ...{ id: row.session_id, ...whose(row, persons), startedAt: instantOf(row.first_ms) },
          ...{ lastSeenAt: instantOf(row.last_ms), events: Number(row.event_count) },
        })),
        next: rows.length > limit && last !== undefined ? `${last.last_ms}.${last.session_id}` : null,
      }
    },

    async events({ type, key, event, before, limit }) {
      await found({ type, key })
      const [span] = await query<GroupSpanRow>(selectGroupSpanStatement(type, key))
      if (span === undefined) return { events: [], next: null }
      const group = { type, key, fromMs: Number(span.first_ms), toMs: Number(span.last_ms) + 1 }
      return events.list({
        event,
        distinctIds: null,
        session: null,
        group,
        filters: [],
        without: [],
        range: null,
        before,
        limit,
      })
    },
  }
}

function* pieces(keys: readonly string[]): Generator<readonly string[]> {
  let piece: string[] = []
  let characters = 0
  for (const key of keys) {
    if (piece.length > 0 && characters + key.length > charactersPerQuestion) {
      yield piece
      piece = []
      characters = 0
    }
    piece.push(key)
    characters += key.length
  }
  if (piece.length > 0) yield piece
}

const renderGroup = (group: ListedGroup, counts: GroupCountsRow | undefined): GroupSummary => ({
  ...{ key: group.key, name: group.name },
  ...{ firstSeenAt: group.firstSeenAt.toISOString(), lastSeenAt: group.lastSeenAt.toISOString() },
  visitors: Number(counts?.visitors ?? 0),
  sessions: Number(counts?.session_count ?? 0),
  events: Number(counts?.event_count ?? 0),
})

function whose({ distinct_id: distinctId }: GroupVisitorRow, persons: ReadonlyMap<string, PersonFacts>) {
  const person = persons.get(distinctId)
  return {
    distinctId,
    person:
      person === undefined
        ? null
        : { ...{ id: person.personId, userId: person.userId }, email: person.email, name: person.name },
  }
}

const instantOf = (milliseconds: string): string => new Date(Number(milliseconds)).toISOString()
/** A client's clock may say what no date can. */
const instantOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined || Math.abs(milliseconds) > 8.64e15 ? null : new Date(milliseconds).toISOString()

const place = /^(?<ms>\d{1,15})\.(?<rest>.+)$/s

function readPlace(text: string): { readonly atMs: number; readonly rest: string } {
  const found = place.exec(text)?.groups
  if (found?.ms === undefined || found.rest === undefined) throw analyticsError('CLEW_GROUPS_PLACE')
  return { atMs: Number(found.ms), rest: found.rest }
}

function readGroupPlace(text: string): GroupPlace {
  const { atMs, rest } = readPlace(text)
  return { at: new Date(atMs), key: rest }
}

function readSessionPlace(text: string): SessionPlace {
  const { atMs, rest } = readPlace(text)
  return { atMs, id: rest }
}
