import type { Column, Table } from '../../../lib/api/schemas.ts'
import { problemOf } from '../editors/value-check.ts'
import type { CsvFile, CsvRow } from './read-csv.ts'

/** How a file is read. */
export interface ImportOptions {
  readonly hasNames: boolean
  /** Whether an empty field is null, and not an empty text. */
  readonly emptyIsNull: boolean
  /** The table's column of each of the file's; null for one that is left out. */
  readonly targets: readonly (string | null)[]
}

/** The columns that can be written. */
export const writableColumns = ({ columns }: Pick<Table, 'columns'>): readonly Column[] =>
  columns.filter(({ generated, secret, masked }) => !generated && (!secret || masked))

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '')

/** What a file is taken for at first: its names are in the first line where one of them is a column's. */
export function guessOptions(file: CsvFile, table: Pick<Table, 'columns'>): ImportOptions {
  const columns = writableColumns(table)
  const first = file.rows[0]?.values ?? []
  const found = Array.from({ length: file.width }, (_, index) => {
    const name = plain(first[index] ?? '')
    return columns.find((column) => plain(column.name) === name)?.name ?? null
  })
  const hasNames = found.some((name) => name !== null)
  const inOrder = Array.from({ length: file.width }, (_, index) => columns[index]?.name ?? null)
  const once = found.map((name, index) => (found.indexOf(name) === index ? name : null))
  return { hasNames, emptyIsNull: true, targets: hasNames ? once : inOrder }
}

/** The lines that are rows. */
export const rowsOf = (file: CsvFile, { hasNames }: Pick<ImportOptions, 'hasNames'>): readonly CsvRow[] =>
  hasNames ? file.rows.slice(1) : file.rows

/** What stands against an import before it is tried. */
export function problemsOf(file: CsvFile, table: Pick<Table, 'columns'>, options: ImportOptions): readonly string[] {
  const columns = writableColumns(table)
  const chosen = options.targets.filter((name) => name !== null)
  const missing = columns.filter(
    ({ name, nullable, default: expression, identity }) =>
      !nullable && expression === null && identity === null && !chosen.includes(name),
  )
  const twice = chosen.filter((name, index) => chosen.indexOf(name) !== index)
  return [
    ...(chosen.length === 0 ? ['No column is chosen.'] : []),
    ...new Set(twice.map((name) => `${name} is chosen twice.`)),
    ...missing.map(({ name }) => `${name} must be set, and no column of the file is for it.`),
    ...valueProblems(rowsOf(file, options).slice(0, rowsChecked), columns, options),
  ]
}

/** Rows whose values are looked at beforehand; PostgreSQL looks at all of them. */
const rowsChecked = 1000
const mostProblems = 10

function valueProblems(
  rows: readonly CsvRow[],
  columns: readonly Column[],
  { targets, emptyIsNull }: ImportOptions,
): readonly string[] {
  const known = targets.map((name) => columns.find((column) => column.name === name))
  const problems: string[] = []
  for (const { line, values } of rows)
    for (const [index, column] of known.entries()) {
      const text = values[index] ?? ''
      if (column === undefined || (text === '' && emptyIsNull)) continue
      const problem = problemOf(column, text)
      if (problem !== null) problems.push(`Line ${line}, ${column.name}: ${problem}`)
      if (problems.length === mostProblems) return problems
    }
  return problems
}

/** The rows as the server takes them, a line of JSON each; and the columns of their values. */
export function renderImport(
  file: CsvFile,
  options: ImportOptions,
): { readonly columns: string[]; readonly body: Blob } {
  const { targets, emptyIsNull } = options
  const places = targets.flatMap((name, index) => (name === null ? [] : [{ name, index }]))
  const lines = rowsOf(file, options).map(({ line, values }) => {
    const chosen = places.map(({ index }) => {
      const text = values[index] ?? ''
      return text === '' && emptyIsNull ? null : text
    })
    return `${JSON.stringify([line, ...chosen])}\n`
  })
  return { columns: places.map(({ name }) => name), body: new Blob(lines, { type: 'application/x-ndjson' }) }
}
