import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import { findDistinctIds, lockAgainstIdentities } from '../identity/store.ts'
import type { AnalyticsSettings } from '../settings.ts'
import { seenInLines } from './lines.ts'
import {
  endFillStatement,
  keepFillStatement,
  raiseSeenStatement,
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

/** When persons were last seen, in PostgreSQL: the order of the list of people. */
export interface Seen {
  /** Hears of lines of `events` that were stored. What cannot be noted now is noted with the next ones. */
  stored(blocks: readonly Buffer[]): Promise<void>
  /** Hears of ids that events were stored of, each with the latest instant in milliseconds since 1970. */
  note(latest: ReadonlyMap<string, number>): Promise<void>
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

export function createSeen({ sql: database, clickhouse, settings, now, log }: SeenDeps): Seen {
  /** When ids were last noted, by the instants of their events: what follows at once changes no order. */
  const noted = new LRUCache<string, number>({ max: settings.rememberedDistinctIds })
  const stepMs = settings.lastSeenSeconds * 1000
  const closing = new AbortController()
  let filling: Promise<void> = Promise.resolve()
  let waiting = new Map<string, number>()

  async function note(latest: ReadonlyMap<string, number>): Promise<void> {
    for (const [id, atMs] of latest) {
      const before = noted.get(id)
      if (before === undefined || atMs >= before + stepMs) waiting.set(id, Math.max(atMs, waiting.get(id) ?? atMs))
    }
    const batch = [...waiting]
    waiting = new Map()
    try {
      while (batch.length > 0) {
        const some = batch.slice(0, idsAtOnce)
        await database.transaction((tx) => raise(tx, some))
        for (const [id, atMs] of some) noted.set(id, atMs)
        batch.splice(0, some.length)
      }
    } catch (error) {
      for (const [id, atMs] of batch.slice(0, settings.rememberedDistinctIds))
        waiting.set(id, Math.max(atMs, waiting.get(id) ?? atMs))
      log.warn({ err: error }, 'persons: when they were last seen could not be noted yet')
    }
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
    stored: (blocks) => note(seenInLines(blocks)),
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
