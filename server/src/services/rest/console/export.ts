import { compile } from '../../../ground/sql/postgres.ts'
import { join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { dataError } from '../errors.ts'
import { renderWhere } from '../render/filter.ts'
import { columnOf, qualified, quoted, type Scope } from '../render/names.ts'
import { type ReadTexts, type RowsQuestion, renderConditions, renderSort } from './rows.ts'
import type { DataTable } from './table-catalogue.ts'
import { shownColumns, type TextValues, textsOf } from './text-values.ts'

/** What is written of a table's rows. */
export interface ExportQuestion extends Pick<RowsQuestion, 'sort' | 'filters' | 'search'> {
  readonly format: 'csv' | 'json'
  /** In this order; all that are shown where none is named. */
  readonly columns: readonly string[]
}

/** Rows that are read at once. */
const rowsOfPart = 2000

/** A row of a part. */
interface PartRow {
  readonly key: TextValues
  /** For CSV. */
  readonly values: TextValues | null
  /** For JSON: an object with its own types. */
  readonly object: string | null
}

/**
 * The rows of a table as a file, part by part. In the order of their key each part goes on behind the last one; in
 * another order the rows before it are counted off. Rows that change meanwhile are as they were or as they are.
 *
 * @throws as `readRows`
 */
export async function* exportRows(
  read: ReadTexts,
  table: DataTable,
  question: ExportQuestion,
): AsyncGenerator<string, void> {
  const { format } = question
  const columns = chosenColumns(table, question.columns)
  let written = 0
  let last: TextValues | null = null
  for (;;) {
    const rows: readonly PartRow[] = await readPart(read, table, { ...question, columns }, written, last)
    const lines = rows.map(({ values, object }, index) =>
      format === 'csv'
        ? `${columns.map((name) => csvField(values?.[name] ?? null)).join(',')}\r\n`
        : `${written + index === 0 ? '[\n' : ',\n'}${object}`,
    )
    const head = format === 'csv' && written === 0 ? `${columns.map(csvField).join(',')}\r\n` : ''
    if (head !== '' || lines.length > 0) yield head + lines.join('')
    written += rows.length
    last = rows.at(-1)?.key ?? null
    if (rows.length < rowsOfPart) break
  }
  if (format === 'json') yield written === 0 ? '[]\n' : '\n]\n'
}

/** @throws CLEW_DATA_COLUMN_UNKNOWN */
function chosenColumns(table: DataTable, names: readonly string[]): readonly string[] {
  const shown = shownColumns(table)
  const unknown = names.find((name) => !shown.includes(name))
  if (unknown !== undefined) throw dataError('CLEW_DATA_COLUMN_UNKNOWN', { details: unknown })
  return names.length === 0 ? shown : names
}

async function readPart(
  read: ReadTexts,
  table: DataTable,
  question: ExportQuestion,
  written: number,
  last: TextValues | null,
): Promise<readonly PartRow[]> {
  const scope: Scope = { alias: 'shown', relation: table }
  const { format, columns, sort } = question
  const isByKey = sort.length === 0 && table.rowId.length > 0
  const conditions = [
    ...renderConditions(scope, table, question),
    ...(isByKey && last !== null ? [isBehind(scope, table.rowId, last)] : []),
  ]
  const order = isByKey
    ? sql`order by ${join(table.rowId.map((name) => columnOf(scope, name)))}`
    : renderSort({ sort, fromEnd: false }, scope, table)
  const statement = compile(sql`
    select json_build_object(
      'key', ${textsOf(scope, table.rowId)},
      'values', ${format === 'csv' ? textsOf(scope, columns) : sql`null`},
      'object', ${format === 'json' ? objectOf(scope, columns) : sql`null`}
    )::text as row
    from ${qualified(table)} as ${quoted('shown')}${renderWhere(conditions)}
    ${order}
    limit ${rowsOfPart} offset ${isByKey ? 0 : written}`)
  // We wrote the documents ourselves.
  return (await read(statement)).map(({ row }): PartRow => JSON.parse(row ?? ''))
}

const isBehind = (scope: Scope, names: readonly string[], last: TextValues): SqlFragment =>
  sql`(${join(names.map((name) => columnOf(scope, name)))}) > (${join(names.map((name) => sql`${last[name] ?? null}`))})`

/** A row as JSON of its own types, in a text: numbers keep all of their digits. */
const objectOf = (scope: Scope, names: readonly string[]): SqlFragment =>
  sql`(select row_to_json(one)::text from (select ${join(
    names.map((name) => sql`${columnOf(scope, name)} as ${quoted(name)}`),
  )}) one)`

/** RFC 4180: a null is nothing, an empty text is `""`. */
function csvField(value: string | null): string {
  if (value === null) return ''
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
