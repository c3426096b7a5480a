import { readdir, readFile } from 'node:fs/promises'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { sql } from '../../ground/sql/sql.ts'
import type { ClickHouse } from './clickhouse.ts'

/** What applying migrations needs of the engine. */
export type MigrationTarget = Pick<ClickHouse, 'query' | 'insert' | 'command'>

const table = sql`
  create table if not exists migrations (
    room String,
    name String,
    applied_at DateTime64(3, 'UTC') default now64(3)
  )
  engine = MergeTree
  order by (room, name)`

/**
 * Statements of one file: separated by `;` at a line's end. Comments may stand between them.
 *
 * @see ClickHouse.migrate
 */
export function splitStatements(text: string): readonly string[] {
  return text
    .split(/;[ \t]*\r?$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/--[^\n]*/g, '').trim() !== '')
}

/**
 * Applies a room's numbered files that were not applied yet, in the order of their names. ClickHouse has no
 * transactions for this: a file that was interrupted is run again from its start, so each statement must be safe to
 * run twice.
 */
export async function migrate(target: MigrationTarget, room: string, folder: URL): Promise<void> {
  await target.command(compileClickHouse(table))
  const rows = await target.query<{ name: string }>(
    compileClickHouse(sql`select distinct name from migrations where room = ${room}`),
  )
  const applied = new Set(rows.map((row) => row.name))
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  for (const name of names.filter((candidate) => !applied.has(candidate))) {
    const text = await readFile(new URL(name, folder), 'utf8')
    for (const statement of splitStatements(text)) await target.command({ text: statement, parameters: {} })
    await target.insert('migrations', [{ room, name }])
  }
}
