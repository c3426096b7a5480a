import type { Column, Row, Table } from '../../../lib/api/schemas.ts'
import { renderCsv } from '../../../lib/export.ts'
import { isNumeric } from '../column-types.ts'

/** How rows can be put on the clipboard. */
export type CopyFormat = 'json' | 'csv' | 'sql'

type CopiedTable = Pick<Table, 'schema' | 'name'>

/** Rows as a text, their columns in the order in which they are shown. Secret and masked ones are left out. */
export function rowsText(
  format: CopyFormat,
  table: CopiedTable,
  columns: readonly Column[],
  rows: readonly Row[],
): string {
  const shown = columns.filter(({ secret, masked }) => !secret && !masked)
  switch (format) {
    case 'json':
      return jsonText(shown, rows)
    case 'csv':
      return csvText(shown, rows)
    case 'sql':
      return sqlText(table, shown, rows)
    default:
      return format satisfies never
  }
}

/** JSON with the types of the columns. Numbers are written as PostgreSQL has them, with all of their digits. */
function jsonText(columns: readonly Column[], rows: readonly Row[]): string {
  const objects = rows.map(({ values }) => {
    const members = columns.map(
      (column) => `${JSON.stringify(column.name)}: ${jsonValue(column, values[column.name] ?? null)}`,
    )
    return `  { ${members.join(', ')} }`
  })
  return `[\n${objects.join(',\n')}\n]`
}

function jsonValue({ baseType }: Column, text: string | null): string {
  if (text === null) return 'null'
  if (baseType === 'boolean') return text === 't' ? 'true' : 'false'
  if (baseType === 'json' || baseType === 'jsonb') return text
  return isNumeric(baseType) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? text : JSON.stringify(text)
}

const csvText = (columns: readonly Column[], rows: readonly Row[]): string =>
  renderCsv({ columns, rows: rows.map(({ values }) => columns.map(({ name }) => values[name] ?? null)) })

/** One statement that inserts the rows as they are, their numbers included. */
function sqlText({ schema, name }: CopiedTable, columns: readonly Column[], rows: readonly Row[]): string {
  const written = columns.filter(({ generated }) => !generated)
  const overriding = written.some(({ identity }) => identity === 'always') ? ' overriding system value' : ''
  const lines = rows.map(
    ({ values }) => `  (${written.map((column) => sqlValue(values[column.name] ?? null)).join(', ')})`,
  )
  const names = written.map((column) => sqlName(column.name)).join(', ')
  return `insert into ${sqlName(schema)}.${sqlName(name)} (${names})${overriding} values\n${lines.join(',\n')};`
}

const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`
const sqlValue = (text: string | null): string => (text === null ? 'null' : `'${text.replaceAll("'", "''")}'`)
