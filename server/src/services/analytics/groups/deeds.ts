import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import type { EventPages } from '../events/events.ts'
import type { EventSummary } from '../events/schemas.ts'
import { readPlace } from './place.ts'
import type { GroupPerson, GroupSession } from './schemas.ts'
import {
  type GroupSessionRow,
  type GroupSpanRow,
  type GroupVisitorRow,
  type SessionPlace,
  selectGroupSessionsStatement,
  selectGroupSpanStatement,
  selectGroupVisitorsStatement,
} from './visits.ts'

export interface GroupDeedsDeps {
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

/** What people did for a group. */
export interface GroupDeeds {
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

/** Further back no person or session is listed. */
const listedMs = 90 * 24 * 3_600_000
const mostVisitors = 500

export function createGroupDeeds({ clickhouse: { query }, facts, events, now }: GroupDeedsDeps): GroupDeeds {
  const since = (): Date => new Date(now().getTime() - listedMs)
  return {
    async people({ type, key }) {
      const of = { type, keys: [key], since: since() }
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

    async sessions({ type, key }, before, limit) {
      const of = { type, keys: [key], since: since() }
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

function readSessionPlace(text: string): SessionPlace {
  const { atMs, rest } = readPlace(text)
  return { atMs, id: rest }
}
