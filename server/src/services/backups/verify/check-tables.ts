import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { identifier, sql } from '../../../ground/sql/sql.ts'
import type { Manifest } from '../copies/manifest.ts'
import { digestAllTables } from '../sources/table-digests.ts'
import type { CheckResult, OpenedCopy } from './check.ts'

const named = 5

/** Names of tables, the first few. */
const list = (names: readonly string[]): string =>
  names.length <= named ? names.join(', ') : `${names.slice(0, named).join(', ')} and ${names.length - named} more`

/**
 * Reads every row of PostgreSQL, and with it the checksum of every page, and compares the tables with those of the instance
 * as they were.
 */
export async function checkPostgres(
  { tables }: NonNullable<Manifest['postgres']>,
  { postgres }: Pick<OpenedCopy, 'postgres'>,
): Promise<Omit<CheckResult, 'name'>> {
  const found = await digestAllTables(postgres)
  const missing = tables.filter(({ name }) => !found.has(name)).map(({ name }) => name)
  const others = tables.filter(({ name, digest }) => digest !== null && found.get(name) !== digest && found.has(name))
  const compared = tables.filter(({ digest }) => digest !== null).length
  const rows = [...found.values()].reduce((sum, digest) => sum + Number.parseInt(digest ?? '0', 10), 0)
  const problems = [
    ...(missing.length === 0 ? [] : [`Missing: ${list(missing)}.`]),
    ...(others.length === 0 ? [] : [`Other rows than in the instance: ${list(others.map(({ name }) => name))}.`]),
  ]
  return {
    detail: `${rows} rows in ${found.size} tables were read; ${compared} tables are those of the instance, row by row, and ${tables.length - compared} changed meanwhile or are large`,
    problem: problems.length === 0 ? null : problems.join(' '),
  }
}

/** Reads every part of ClickHouse's tables. Parts are merged while the copy runs, and rows that are twice then go. */
export async function checkClickHouse(
  { rows }: NonNullable<Manifest['clickhouse']>,
  { query }: Pick<NonNullable<OpenedCopy['clickhouse']>, 'query'>,
): Promise<Omit<CheckResult, 'name'>> {
  const problems: string[] = []
  let total = 0
  const [broken] = await query<{ parts: string }>(
    compileClickHouse(sql`select count() as parts from system.detached_parts where database = currentDatabase()`),
  )
  if (broken?.parts !== '0') problems.push(`${broken?.parts} parts could not be read.`)
  for (const [table, expected] of Object.entries(rows)) {
    const [found] = await query<{ rows: string }>(
      compileClickHouse(sql`select count() as rows from ${identifier(table)}`),
    )
    const parts = await query<{ is_passed: number; part_path: string }>(
      compileClickHouse(sql`check table ${identifier(table)}`),
    )
    const count = Number(found?.rows ?? 0)
    total += count
    const wrong = parts.filter((part) => part.is_passed !== 1).map((part) => part.part_path)
    if (wrong.length > 0) problems.push(`Checksums of ${table} are wrong: ${list(wrong)}.`)
    if (count > expected || (count === 0 && expected > 0))
      problems.push(`${table} has ${count} rows, and had ${expected}.`)
  }
  return {
    detail: `${total} rows in ${Object.keys(rows).length} tables, all parts whole`,
    problem: problems.length === 0 ? null : problems.join(' '),
  }
}
