import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { identifier, sql } from '../../../ground/sql/sql.ts'
import type { ClickHouse } from '../clickhouse.ts'

/** A table that a materialized view fills as rows of another one are stored. */
export interface Fill {
  readonly table: string
  readonly view: string
  /** A number of each row of the other table, from 0: rows of one number are read together. */
  readonly by: string
}

/** So many rows of the table that is read are told off for a statement: each stays within the limit of time. */
const rowsPerStep = 500_000
/** What a view's definition reads, as ClickHouse writes it. */
const source = /\bfrom (?:\S+\.)?`?(\w+)`?/i

/**
 * Stores what a view makes of rows that were there before it. What is stored meanwhile, or was before an interruption, is made once
 * more: the table must take two equal rows for one.
 */
export async function fillTable(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  { table, view, by }: Fill,
  progress: (part: number) => void,
): Promise<void> {
  const [found] = await query<{ definition: string }>(definitionStatement(view))
  const definition = found?.definition ?? ''
  const read = source.exec(definition)?.[1]
  if (read === undefined) throw new Error(`There is no view ${view} that reads a table.`)
  const steps = await countSteps(query, read)
  for (let step = 0; step < steps; step += 1) {
    // A filter beside the statement, which is the view's own, and is written in one place.
    const filter = `additional_table_filters = {'${read}': '(${by}) % ${steps} = ${step}'}`
    await command({ text: `insert into ${table} ${definition} settings ${filter}, ${bounded}`, parameters: {} })
    progress((step + 1) / steps)
  }
}

/** Blocks that are stored as they are made: ClickHouse would gather 256 MiB of them. */
const bounded = 'max_block_size = 8192, min_insert_block_size_bytes = 33554432, max_threads = 1'

/** How many statements the rows of a table are worked off in. */
export async function countSteps(query: ClickHouse['query'], table: string): Promise<number> {
  const [row] = await query<{ rows: string }>(compileClickHouse(sql`select count() as rows from ${identifier(table)}`))
  return Math.max(1, Math.ceil(Number(row?.rows ?? 0) / rowsPerStep))
}

const definitionStatement = (view: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select as_select as definition from system.tables where database = currentDatabase() and name = ${view}`)
