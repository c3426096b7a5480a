import { setTimeout as delay } from 'node:timers/promises'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { ClickHouse } from '../clickhouse.ts'

/** A table that a materialized view fills as rows of another one are stored. */
export interface Fill {
  readonly table: string
  readonly view: string
  /** A number of each row of the other table, from 0: rows of one number are read together. */
  readonly by: string
  /** Only of rows that were stored in this time, by their `stored_at`. */
  readonly during?: Stretch
}

/** A time, in milliseconds of Unix; `untilMs` is null where it has not ended. */
export interface Stretch {
  readonly fromMs: number
  readonly untilMs: number | null
}

/** So many rows of the table that is read are told off for a statement: each stays within the limit of time. */
const rowsPerStep = 500_000
/** What a view's definition reads, as ClickHouse writes it. */
const source = /\bfrom (?:\S+\.)?`?(\w+)`?/i

/**
 * Stores what a view makes of rows that were there before it. What is stored meanwhile, or was before an interruption, is made once
 * more: the table must take two equal rows for one. Inserts that began earlier are waited for: they know nothing of the view, and
 * their rows are not there to be read until they end.
 */
export async function fillTable(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  { table, view, by, during }: Fill,
  progress: (part: number) => void,
): Promise<void> {
  await earlierInsertsEnded(query)
  const [found] = await query<{ definition: string }>(definitionStatement(view))
  const definition = found?.definition ?? ''
  const read = source.exec(definition)?.[1]
  if (read === undefined) throw new Error(`There is no view ${view} that reads a table.`)
  const time = during === undefined ? sql`true` : storedIn(during)
  const steps = await countSteps(query, read, time)
  for (let step = 0; step < steps; step += 1) {
    // A filter beside the statement, which is the view's own, and is written in one place.
    const filter = `additional_table_filters = {'${read}': '(${by}) % ${steps} = ${step} and ${compileClickHouse(time).text}'}`
    await command({ text: `insert into ${table} ${definition} settings ${filter}, ${bounded}`, parameters: {} })
    progress((step + 1) / steps)
  }
}

/** Blocks that are stored as they are made: ClickHouse would gather 256 MiB of them. */
const bounded = 'max_block_size = 8192, min_insert_block_size_bytes = 33554432, max_threads = 1'

/** As constants: a filter beside a statement has no parameters. */
const storedIn = ({ fromMs, untilMs }: Stretch): SqlFragment => {
  const from = sql`stored_at >= fromUnixTimestamp64Milli(${constant(String(fromMs))})`
  return untilMs === null ? from : sql`${from} and stored_at <= fromUnixTimestamp64Milli(${constant(String(untilMs))})`
}

/** How many statements the rows of a table are worked off in. */
export async function countSteps(
  query: ClickHouse['query'],
  table: string,
  where: SqlFragment = sql`true`,
): Promise<number> {
  const [row] = await query<{ rows: string }>(
    compileClickHouse(sql`select count() as rows from ${identifier(table)} where ${where}`),
  )
  return Math.max(1, Math.ceil(Number(row?.rows ?? 0) / rowsPerStep))
}

const lookEveryMs = 100

/** Resolves once no insert runs in the database that began before. */
async function earlierInsertsEnded(query: ClickHouse['query']): Promise<void> {
  const [clock] = await query<{ ms: string }>({ text: 'select toUnixTimestamp64Milli(now64(3)) as ms', parameters: {} })
  const running = compileClickHouse(sql`
    select count() as inserts
    from system.processes
    where query_kind = 'Insert' and current_database = currentDatabase()
      and now64(3) - toIntervalMillisecond(toUInt64(elapsed * 1000)) < fromUnixTimestamp64Milli(${typed(clock?.ms, 'Int64')})`)
  for (;;) {
    const [row] = await query<{ inserts: string }>(running)
    if (Number(row?.inserts ?? 0) === 0) return
    await delay(lookEveryMs)
  }
}

const definitionStatement = (view: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select as_select as definition from system.tables where database = currentDatabase() and name = ${view}`)
