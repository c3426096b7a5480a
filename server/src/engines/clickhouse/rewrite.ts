import { setTimeout as delay } from 'node:timers/promises'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { constant, identifier, join, type SqlFragment, sql } from '../../ground/sql/sql.ts'
import type { ClickHouse } from './clickhouse.ts'

/** What of a table is written anew. */
export interface Rewrite {
  readonly table: string
  /** Columns and their new values; a row whose values are the new ones already is not written. */
  readonly columns: Readonly<Record<string, SqlFragment>>
  /** Rows that may need it, cheap to tell. */
  readonly where: SqlFragment
}

/** How a caller follows it. */
export interface RewriteWork {
  readonly signal: AbortSignal
  /** @param part of the table's parts that are written, from 0 to 1 */
  progress(part: number): Promise<void>
}

interface MutationRow {
  readonly left: string
  readonly failure: string
}

/** What is small is written in some milliseconds; each look at a large one is a query more. */
const firstPauseMs = 10
const longestPauseMs = 300

/**
 * Writes parts of a table anew until none has a row of the old form, and resolves to the number of rows that had it. Called
 * again after a crash it goes on: rows of the new form are left alone.
 *
 * @throws Error with ClickHouse's reason where a part cannot be written
 */
export async function rewriteTable(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  rewrite: Rewrite,
  work: RewriteWork,
): Promise<number> {
  const [found] = await query<{ rows: string }>(countStatement(rewrite))
  const rows = Number(found?.rows ?? 0)
  if (rows === 0) return 0
  await command(updateStatement(rewrite))
  await settled(query, rewrite.table, work)
  return rows
}

/**
 * As `rewriteTable`, of columns in the table's sorting key, which no mutation may write: rows are stored once more with their new
 * values, then those of the old form are deleted: of a row with new values the new ones must be those that it has. Of what was
 * interrupted in between, rows are there twice until it is called again.
 */
export async function moveRows(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  rewrite: Rewrite,
  work: RewriteWork,
): Promise<number> {
  const { table, columns } = rewrite
  const old = differs(rewrite)
  const any = compileClickHouse(sql`select 1 from ${identifier(table)} where ${old} limit 1`)
  if ((await query(any)).length === 0) return 0
  const replaced = Object.entries(columns).map(([name, value]) => sql`${value} as ${identifier(name)}`)
  await command(
    compileClickHouse(sql`
      insert into ${identifier(table)}
      select * replace (${join(replaced)})
      -- Beside their new values, the condition would be read of those.
      from (select * from ${identifier(table)} where ${old})`),
  )
  return deleteRows({ query, command }, { table, where: old }, work)
}

/** Rows that go. */
export type Deletion = Pick<Rewrite, 'table' | 'where'>

/** Deletes rows from the parts of a table, and resolves to how many there were; called again after a crash it goes on. */
export async function deleteRows(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  { table, where }: Deletion,
  work: RewriteWork,
): Promise<number> {
  const [found] = await query<{ rows: string }>(
    compileClickHouse(sql`select count() as rows from ${identifier(table)} where ${where}`),
  )
  const rows = Number(found?.rows ?? 0)
  if (rows === 0) return 0
  await command(
    compileClickHouse(sql`
      alter table ${identifier(table)} delete where ${where}
      ${constant('settings mutations_sync = 0')}`),
  )
  await settled(query, table, work)
  return rows
}

/** ClickHouse tries a part again for which there was no memory: merges and other mutations give theirs back. */
const isPassing = (failure: string): boolean => failure.includes('MEMORY_LIMIT_EXCEEDED')
/** So long such a failure may stand without a part that is written. */
const passingMs = 10 * 60_000

/**
 * Waits until a table has no mutation that is not finished.
 *
 * @throws Error with ClickHouse's reason where a part cannot be written
 */
export async function settled(
  query: ClickHouse['query'],
  table: string,
  { signal, progress }: RewriteWork,
): Promise<void> {
  let most = 0
  let least = Number.POSITIVE_INFINITY
  let movedAt = performance.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted()
    const running = await query<MutationRow>(unfinishedStatement(table))
    if (running.length === 0) return
    const left = running.reduce((sum, each) => sum + Number(each.left), 0)
    if (left < least) movedAt = performance.now()
    least = Math.min(least, left)
    const isStuck = performance.now() - movedAt > passingMs
    const failure = running.find((each) => each.failure !== '' && (isStuck || !isPassing(each.failure)))?.failure
    if (failure !== undefined) throw new Error(`ClickHouse could not write a part of ${table} anew: ${failure}`)
    most = Math.max(most, left)
    await progress(most === 0 ? 0 : 1 - left / most)
    await delay(pauseMs, undefined, { signal, ref: false })
  }
}

const unfinishedStatement = (table: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select parts_to_do as left, latest_fail_reason as failure
    from system.mutations
    where database = currentDatabase() and table = ${table} and not is_done`)

const differs = ({ columns, where }: Rewrite): SqlFragment =>
  sql`${where} and (${join(
    Object.entries(columns).map(([name, value]) => sql`${identifier(name)} != ${value}`),
    ' or ',
  )})`

const countStatement = (rewrite: Rewrite): ClickHouseStatement =>
  compileClickHouse(sql`select count() as rows from ${identifier(rewrite.table)} where ${differs(rewrite)}`)

const updateStatement = (rewrite: Rewrite): ClickHouseStatement =>
  compileClickHouse(sql`
    alter table ${identifier(rewrite.table)}
    update ${join(Object.entries(rewrite.columns).map(([name, value]) => sql`${identifier(name)} = ${value}`))}
    where ${differs(rewrite)}
    ${constant('settings mutations_sync = 0')}`)
