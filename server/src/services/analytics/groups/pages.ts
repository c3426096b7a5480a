import type { Sql } from '../../../engines/postgres/index.ts'
import { analyticsError } from '../errors.ts'
import { createGroupDeeds, type GroupDeeds, type GroupDeedsDeps, type GroupName } from './deeds.ts'
import {
  type GroupPlace,
  type GroupsQuery,
  type ListedGroup,
  type StoredGroupRow,
  selectGroupListStatement,
  selectGroupStatement,
} from './list-store.ts'
import { readPlace } from './place.ts'
import type { GroupDetail, GroupSummary } from './schemas.ts'
import { type GroupCountsRow, selectGroupCountsStatement } from './visits.ts'

export interface GroupPagesDeps extends GroupDeedsDeps {
  readonly sql: Pick<Sql, 'query'>
}

/** What the console asks of groups. Those that take a group throw CLEW_GROUPS_NOT_FOUND. */
export interface GroupPages extends GroupDeeds {
  /** Those seen latest first. @throws CLEW_GROUPS_PLACE */
  list(
    query: Omit<GroupsQuery, 'after'> & { readonly before: string | null },
  ): Promise<{ groups: GroupSummary[]; next: string | null }>
  one(group: GroupName): Promise<GroupDetail>
}

/** The days whose events, sessions and ids are counted. */
const countedMs = 30 * 24 * 3_600_000
/** Bound values travel in the address, which a server reads to some 16 KiB; a character may take twelve bytes there. */
const charactersPerQuestion = 1_000

export function createGroupPages({ sql: database, ...others }: GroupPagesDeps): GroupPages {
  const { clickhouse, now } = others
  const deeds = createGroupDeeds(others)

  async function countsOf(type: string, keys: readonly string[]): Promise<ReadonlyMap<string, GroupCountsRow>> {
    const since = new Date(now().getTime() - countedMs)
    const counts = new Map<string, GroupCountsRow>()
    for (const some of pieces(keys))
      for (const row of await clickhouse.query<GroupCountsRow>(selectGroupCountsStatement({ type, keys: some, since })))
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

    async people(group) {
      await found(group)
      return deeds.people(group)
    },

    async sessions(group, before, limit) {
      await found(group)
      return deeds.sessions(group, before, limit)
    },

    async events(query) {
      await found(query)
      return deeds.events(query)
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

/** A client's clock may say what no date can. */
const instantOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined || Math.abs(milliseconds) > 8.64e15 ? null : new Date(milliseconds).toISOString()

function readGroupPlace(text: string): GroupPlace {
  const { atMs, rest } = readPlace(text)
  return { at: new Date(atMs), key: rest }
}
