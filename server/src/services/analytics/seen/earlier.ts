import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import { groupsOf } from '../groups/change.ts'
import { groupName, readGroupName, type SeenInEvents } from './lines.ts'
import { type Span, widen } from './notes.ts'
import {
  endFillStatement,
  keepFillStatement,
  type SeenGroupRow,
  type SeenKind,
  type SeenRow,
  selectGroupsSeenAfterStatement,
  selectSeenAfterStatement,
  takeFillStatement,
} from './store.ts'

export interface EarlierDeps {
  readonly sql: Pick<Sql, 'transaction'>
  readonly clickhouse: Pick<ClickHouse, 'query'>
  readonly write: (tx: Pick<Sql, 'query'>, seen: SeenInEvents) => Promise<void>
}

/** Ids or groups of one step. */
const atOnce = 2_000
const none: ReadonlyMap<string, Span> = new Map()

/** What was found of ids or groups behind one; the last of them, null where there are no more. */
interface Found {
  readonly seen: SeenInEvents
  readonly last: string | null
}

/**
 * Looks through what was stored before there was an order, some ids and groups at a time, and goes on where another process
 * ended; nothing where it is done, or another does it.
 */
export async function readEarlier(
  { sql: database, clickhouse, write }: EarlierDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const kind of ['persons', 'groups'] as const) while (!signal.aborted && (await readSome(kind))) await nextTurn()

  /** @returns whether there may be more */
  function readSome(kind: SeenKind): Promise<boolean> {
    return database.transaction(async (tx) => {
      const [turn] = (await tx.query<{ afterId: string }>(takeFillStatement(kind))).rows
      if (turn === undefined) return false
      const { seen, last } = await (kind === 'persons' ? findPersons : findGroups)(clickhouse, turn.afterId)
      if (last === null) {
        await tx.query(endFillStatement(kind))
        return false
      }
      await write(tx, seen)
      await tx.query(keepFillStatement(kind, last))
      return true
    })
  }
}

async function findPersons({ query }: EarlierDeps['clickhouse'], after: string): Promise<Found> {
  const rows = await query<SeenRow>(selectSeenAfterStatement(after, atOnce))
  const ids = new Map(rows.map(({ id, last_ms }) => [id, { firstMs: Number(last_ms), lastMs: Number(last_ms) }]))
  return { seen: { ids, groups: none }, last: rows.at(-1)?.id ?? null }
}

async function findGroups({ query }: EarlierDeps['clickhouse'], after: string): Promise<Found> {
  const rows = await query<SeenGroupRow>(
    selectGroupsSeenAfterStatement(after === '' ? ['', ''] : readGroupName(after), atOnce),
  )
  const groups = new Map<string, Span>()
  for (const { type, key, first_ms, last_ms } of rows)
    for (const [cleanType, cleanKey] of groupsOf('', { $groups: { [type]: key } }))
      widen(groups, groupName(cleanType, cleanKey), { firstMs: Number(first_ms), lastMs: Number(last_ms) })
  const last = rows.at(-1)
  return { seen: { ids: none, groups }, last: last === undefined ? null : groupName(last.type, last.key) }
}
