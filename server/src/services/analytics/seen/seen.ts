import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import { findDistinctIds, lockAgainstIdentities } from '../identity/store.ts'
import type { AnalyticsSettings } from '../settings.ts'
import { readGroupName, type SeenInEvents, seenInLines } from './lines.ts'
import { createNotes, type Span } from './notes.ts'
import {
  endFillStatement,
  keepFillStatement,
  raiseGroupsSeenStatement,
  raiseSeenStatement,
  type SeenGroup,
  type SeenId,
  type SeenRow,
  selectSeenAfterStatement,
  selectSeenOfStatement,
  setSeenStatement,
  takeFillStatement,
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

/** Ids of one statement. */
const idsAtOnce = 2_000
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
    write: (spans) =>
      database.transaction((tx) =>
        raise(
          tx,
          spans.map(([id, { lastMs }]) => [id, lastMs]),
        ),
      ),
  })
  const groups = createNotes({
    ...{ keepsFirst: true, stepMs, most: mostGroups, log },
    write: async (spans) => {
      await database.query(raiseGroupsSeenStatement(spans.map(([name, span]) => renderGroup(name, span, now()))))
    },
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
  async function raise(tx: Pick<Sql, 'query'>, latest: readonly (readonly [string, number])[]): Promise<void> {
    // A client's clock may be ahead.
    const nowMs = now().getTime()
    const seen: readonly SeenId[] = latest.map(([id, atMs]) => ({ id, at: new Date(Math.min(atMs, nowMs)) }))
    await lockAgainstIdentities(tx)
    await tx.query(raiseSeenStatement(seen))
  }

  /** Some ids of those stored before. @returns whether there may be more */
  const fillSome = (): Promise<boolean> =>
    database.transaction(async (tx) => {
      const [turn] = (await tx.query<{ afterId: string }>(takeFillStatement())).rows
      if (turn === undefined) return false
      const rows = await clickhouse.query<SeenRow>(selectSeenAfterStatement(turn.afterId, idsAtOnce))
      const last = rows.at(-1)
      if (last === undefined) {
        await tx.query(endFillStatement())
        return false
      }
      await raise(
        tx,
        rows.map(({ id, last_ms }) => [id, Number(last_ms)]),
      )
      await tx.query(keepFillStatement(last.id))
      return true
    })

  async function fill(): Promise<void> {
    try {
      while (!closing.signal.aborted && (await fillSome())) await nextTurn()
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error }, 'persons: the next start reads on when they were last seen')
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
