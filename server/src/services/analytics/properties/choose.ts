import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { AnalyticsSettings } from '../settings.ts'
import { addColumn, dropColumn, fillColumn, findColumns } from './events-table.ts'
import { type ColumnPlan, planColumns } from './plan.ts'
import {
  type ColumnRow,
  deleteColumnStatement,
  forgetUsesStatement,
  keepTurnStatement,
  putColumnsStatement,
  selectColumnsStatement,
  selectUsesStatement,
  setFilledStatement,
  setLeavingStatement,
  takeTurnStatement,
  type UsesRow,
} from './store.ts'

export interface ColumnChoiceDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command'>
  readonly settings: Pick<AnalyticsSettings, 'propertyColumns' | 'propertyColumnUses' | 'propertyColumnDays'>
  readonly now: () => Date
  readonly log: Log
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** So long after a column is to be read no more, no statement that reads it runs: those that know of it end within two minutes. */
const leavingMs = 10 * minuteMs
/** Somewhat less than an hour, so that each hour has a turn. */
const turnMs = 55 * minuteMs
/** Names beyond these are asked for too rarely to be kept. */
const mostNames = 1000

/**
 * Chooses the columns anew by the uses that are stored, makes them, and writes those of earlier events; nothing where another
 * process does so, or has done so in the hour. Bears an end at any place: the next turn goes on.
 */
export async function chooseColumns(deps: ColumnChoiceDeps, signal: AbortSignal): Promise<void> {
  const { sql, clickhouse, settings } = deps
  if ((await sql.query(takeTurnStatement(turnMs))).rows.length === 0) return
  const at = deps.now()
  await sql.query(forgetUsesStatement(new Date(at.getTime() - settings.propertyColumnDays * dayMs), mostNames))
  const found = await findColumns(clickhouse)
  // Of another state of PostgreSQL, as a backup may bring it: nothing reads them, unless they are wanted.
  await sql.query(putColumnsStatement([...found], at, at))
  const { rows } = await sql.query<UsesRow>(selectUsesStatement())
  const plan = planColumns({
    uses: new Map(rows.map(({ property, uses }) => [property, uses])),
    columns: await storedColumns(sql),
    most: settings.propertyColumns,
    fewest: settings.propertyColumnUses,
    leftBefore: new Date(at.getTime() - leavingMs),
  })
  await apply(deps, plan, at)
  await fill(deps, found, signal)
}

const storedColumns = async (sql: Pick<Sql, 'query'>): Promise<readonly ColumnRow[]> =>
  (await sql.query<ColumnRow>(selectColumnsStatement())).rows

async function apply(
  { sql, clickhouse, log }: ColumnChoiceDeps,
  { add, keep, leave, drop }: ColumnPlan,
  at: Date,
): Promise<void> {
  await sql.query(setLeavingStatement(leave, at))
  await sql.query(setLeavingStatement(keep, null))
  await sql.query(putColumnsStatement(add, at, null))
  for (const property of drop) {
    await dropColumn(clickhouse, property)
    await sql.query(deleteColumnStatement(property))
    log.info({ property }, 'A property of events that is not asked for any more has no column now')
  }
}

/** Adds the columns that are not there, and writes those that were not written. */
async function fill(
  { sql, clickhouse, now, log }: ColumnChoiceDeps,
  found: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  let keptAtMs = performance.now()
  const progress = async (): Promise<void> => {
    if (performance.now() - keptAtMs < minuteMs) return
    keptAtMs = performance.now()
    await sql.query(keepTurnStatement(turnMs))
  }
  for (const { property, filledAt, leavingAt } of await storedColumns(sql)) {
    const isThere = found.has(property)
    if (leavingAt !== null || (isThere && filledAt !== null)) continue
    if (!isThere) {
      await sql.query(setFilledStatement(property, null))
      await addColumn(clickhouse, property)
      log.info({ property }, 'A property of events that is asked for often has a column now')
    }
    await fillColumn(clickhouse, property, { signal, progress })
    await sql.query(setFilledStatement(property, now()))
  }
}
