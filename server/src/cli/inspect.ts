import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Inspection, inspections } from '../database/index.ts'
import type { Sql } from '../engines/postgres/index.ts'
import { instanceError } from '../errors.ts'
import type { DatabaseOptions } from './options.ts'
import { bold, faint, print, printRows, printTable, warn } from './print.ts'
import { withTarget } from './target.ts'

export interface InspectOptions extends DatabaseOptions {
  readonly json?: boolean
}

export interface ReportOptions extends DatabaseOptions {
  readonly outputDir: string
}

type Row = Readonly<Record<string, string | null>>

/** Prints what one inspection finds, or the names of all. */
export async function inspect(name: string | undefined, options: InspectOptions): Promise<number> {
  const { json = false, ...place } = options
  if (name === undefined) {
    printTable(Object.entries(inspections).map(([each, { description }]) => [each, description] as const))
    return 0
  }
  const inspection = inspections[name]
  if (inspection === undefined) {
    const names = Object.keys(inspections).join(', ')
    throw instanceError('CLEW_START_SETTING', { message: `inspect db ${name}: allowed: one of ${names}` })
  }
  return withTarget(place, async ({ database }) => {
    if (!(await isAvailable(database.sql, inspection))) {
      warn(
        `The database lacks ${inspection.extension}: create extension ${inspection.extension} with schema extensions`,
      )
      return 1
    }
    const { rows } = await database.sql.query<Row>(inspection.statement)
    if (json) print(JSON.stringify(rows, null, 2))
    else if (rows.length === 0) print(faint('  Nothing.'))
    else printRows(inspection.columns, cellsOf(inspection, rows), inspection.right)
    return 0
  })
}

/** Writes what each inspection finds as a CSV file; those whose extension is missing are left out. */
export async function report({ outputDir, ...place }: ReportOptions): Promise<number> {
  return withTarget(place, async ({ database }) => {
    const folder = resolve(outputDir, new Date().toISOString().slice(0, 10))
    await mkdir(folder, { recursive: true })
    for (const [name, inspection] of Object.entries(inspections)) {
      if (!(await isAvailable(database.sql, inspection))) continue
      const { rows } = await database.sql.query<Row>(inspection.statement)
      await writeFile(join(folder, `${name}.csv`), toCsv([inspection.columns, ...cellsOf(inspection, rows)]))
    }
    print(`Reports written to ${bold(folder)}.`)
    return 0
  })
}

async function isAvailable(sql: Sql, { extension }: Inspection): Promise<boolean> {
  if (extension === undefined) return true
  const { rows } = await sql.query({ text: 'select from pg_extension where extname = $1', values: [extension] })
  return rows.length > 0
}

const cellsOf = ({ columns }: Inspection, rows: readonly Row[]): readonly (readonly string[])[] =>
  rows.map((row) => columns.map((column) => row[column] ?? ''))

/** CSV (RFC 4180). */
const toCsv = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => `${cells.map(csvField).join(',')}\r\n`).join('')

const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
