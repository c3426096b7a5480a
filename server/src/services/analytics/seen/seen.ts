import { LRUCache } from 'lru-cache'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import { findDistinctIds, lockAgainstIdentities } from '../identity/store.ts'
import type { AnalyticsSettings } from '../settings.ts'
import { readEarlier } from './earlier.ts'
import { readGroupName, type SeenInEvents, seenInLines } from './lines.ts'
import { createNotes, type Span, type Spans } from './notes.ts'
import {
  raiseGroupsSeenStatement,
  raiseSeenStatement,
  type SeenGroup,
  type SeenId,
  type SeenRow,
  selectSeenOfStatement,
  setSeenStatement,
} from './store.ts'

export interface SeenDeps {
  readonly sql: Pick<Sql, 'query' | 'transaction'>
  readonly clickhouse: Pick<ClickHouse, 'query'>
  readonly settings: Pick<AnalyticsSettings, 'rememberedDistinctIds' | 'lastSeenSeconds'>
  readonly now: () => Date
  readonly log: Log
}

/** When persons and groups were last seen, in PostgreSQL: the order of their lists. */
export interface Seen {
  /** Hears of lines of `events` that were stored. What cannot be noted now is noted with the next ones. */
  stored(blocks: readonly Buffer[]): Promise<void>
  /** Hears of ids and groups of events that were stored. */
  note(seen: SeenInEvents): Promise<void>
  /** Reads anew when a person was last seen, as after ids were taken away from them. */
  recount(personId: string): Promise<void>
  /** Looks through what was stored before there was an order, where that is not done. */
  start(): void
  close(): Promise<void>
}

/** Bound values of ClickHouse travel in the address, which a server reads to some 16 KiB. */
const idsPerQuestion = 50
const mostIds = 10_000
/** Groups, and texts that name them, that are remembered. */
const mostGroups = 10_000

export function createSeen({ sql: database, clickhouse, settings, now, log }: SeenDeps): Seen {
  const stepMs = settings.lastSeenSeconds * 1000
  const closing = new AbortController()
  let filling: Promise<void> = Promise.resolve()
  const persons = createNotes({
    ...{ keepsFirst: false, stepMs, most: settings.rememberedDistinctIds, log },
    write: (spans) => database.transaction((tx) => raisePersons(tx, spans)),
  })
  const groups = createNotes({
    ...{ keepsFirst: true, stepMs, most: mostGroups, log },
    write: (spans) => raiseGroups(database, spans),
  })
  /** How groups stand in lines, with when that was last read. */
  const texts = new LRUCache<string, Span>({ max: mostGroups })
  const isNews = (text: string, { firstMs, lastMs }: Span): boolean => {
    const before = texts.get(text)
    if (before !== undefined && firstMs >= before.firstMs && lastMs < before.lastMs + stepMs) return false
    texts.set(text, {
      firstMs: Math.min(firstMs, before?.firstMs ?? firstMs),
      lastMs: Math.max(lastMs, before?.lastMs ?? lastMs),
    })
    return true
  }

  async function note(seen: SeenInEvents): Promise<void> {
    await persons.note(seen.ids)
    if (seen.groups.size > 0) await groups.note(seen.groups)
  }

  /** Changes of identities lock the same rows, in an order of their own. */
  async function raisePersons(tx: Pick<Sql, 'query'>, spans: Spans): Promise<void> {
    const nowMs = now().getTime()
    // A client's clock may be ahead.
    const seen: readonly SeenId[] = spans.map(([id, { lastMs }]) => ({ id, at: new Date(Math.min(lastMs, nowMs)) }))
    await lockAgainstIdentities(tx)
    await tx.query(raiseSeenStatement(seen))
  }

  async function raiseGroups(tx: Pick<Sql, 'query'>, spans: Spans): Promise<void> {
    await tx.query(raiseGroupsSeenStatement(spans.map(([name, span]) => renderGroup(name, span, now()))))
  }

  async function fill(): Promise<void> {
    const write = async (tx: Pick<Sql, 'query'>, seen: SeenInEvents): Promise<void> => {
      if (seen.ids.size > 0) await raisePersons(tx, [...seen.ids])
      if (seen.groups.size > 0) await raiseGroups(tx, [...seen.groups])
    }
    try {
      await readEarlier({ sql: database, clickhouse, write }, closing.signal)
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error }, 'events: the next start reads on who was last seen when')
    }
  }

  return {
    stored: (blocks) => note(seenInLines(blocks, isNews)),
    note,
    async recount(personId) {
      const ids = (await findDistinctIds(database, personId, mostIds)) ?? []
      let latestMs: number | null = null
      for (let from = 0; from < ids.length; from += idsPerQuestion) {
        const some = ids.slice(from, from + idsPerQuestion)
        const [row] = await clickhouse.query<Pick<SeenRow, 'last_ms'>>(selectSeenOfStatement(some))
        if (row !== undefined) latestMs = Math.max(Number(row.last_ms), latestMs ?? Number.NEGATIVE_INFINITY)
      }
      const at = latestMs === null ? null : new Date(Math.min(latestMs, now().getTime()))
      await database.query(setSeenStatement(personId, at))
    },
    start() {
      filling = fill()
    },
    async close() {
      closing.abort()
      await filling
    },
  }
}

/** A client's clock may be ahead, or name a year that PostgreSQL has not. */
function renderGroup(name: string, { firstMs, lastMs }: Span, now: Date): SeenGroup {
  const [type, key] = readGroupName(name)
  const instant = (ms: number): Date => new Date(Math.max(Math.min(ms, now.getTime()), 0))
  return { type, key, firstAt: instant(firstMs), lastAt: instant(lastMs) }
}
