import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { dataError } from '../errors.ts'
import { filterExpression, logic } from '../parse/query/filter.ts'
import type { Parser } from '../parse/query/parser.ts'
import { readWhole } from '../parse/query/read-text.ts'
import type { Logic } from '../parse/query/types.ts'
import type { Condition } from '../plan/types.ts'
import { renderCondition, renderWhere } from '../render/filter.ts'
import { columnOf, qualified, quoted, type Scope } from '../render/names.ts'
import type { DataTable } from './table-catalogue.ts'
import { shownColumns, type TextValues, textsOf } from './text-values.ts'

/** Which rows of a table the console shows. */
export interface RowsQuestion {
  readonly limit: number
  readonly offset: number
  /** Whether the page is counted from the last row. */
  readonly fromEnd: boolean
  /** Each `column.asc` or `column.desc`, the first one first. */
  readonly sort: readonly string[]
  /** Each `column.operator.value`. */
  readonly filters: readonly string[]
  /** A text that any column holds; empty for none. */
  readonly search: string
}

export interface RowsPage {
  readonly rows: readonly { readonly key: TextValues; readonly values: TextValues }[]
  readonly total: number
  readonly totalIsEstimate: boolean
}

// Counting more than this would take longer than anyone waits for a number.
const countedAtMost = 10_000

/** @throws CLEW_DATA_COLUMN_UNKNOWN */
function splitAtColumn(text: string, table: DataTable): { readonly column: string; readonly rest: string } {
  // The longest column that fits, since names may hold dots.
  const column = [...new Set([...shownColumns(table), ...table.rowId])]
    .filter((name) => text.startsWith(`${name}.`))
    .sort((left, right) => right.length - left.length)[0]
  if (column === undefined) {
    throw dataError('CLEW_DATA_COLUMN_UNKNOWN', { details: text })
  }
  return { column, rest: text.slice(column.length + 1) }
}

const group = /^((?:not\.)?(?:or|and))\.(\(.*)$/s

/** @throws CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_FILTER_INVALID */
function parseFilter(text: string, table: DataTable): Logic {
  const [, operator, members] = group.exec(text) ?? []
  if (operator !== undefined) return readFilter(logic, `${operator}${members}`, text)
  const { column, rest } = splitAtColumn(text, table)
  return { kind: 'filter', field: { name: column, path: [] }, ...readFilter(filterExpression, rest, text) }
}

function readFilter<Value>(parser: Parser<Value>, input: string, text: string): Value {
  try {
    return readWhole(parser, input, 'filter')
  } catch (cause) {
    throw dataError('CLEW_DATA_FILTER_INVALID', { details: text, cause })
  }
}

/** @throws CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_FILTER_INVALID of what reads a value by a path */
function planFilter(parsed: Logic, table: DataTable): Condition {
  if (parsed.kind === 'tree') return { ...parsed, members: parsed.members.map((member) => planFilter(member, table)) }
  const { field, negated, operation } = parsed
  if (field.path.length > 0) throw dataError('CLEW_DATA_FILTER_INVALID', { details: field.name })
  if (!shownColumns(table).includes(field.name) && !table.rowId.includes(field.name))
    throw dataError('CLEW_DATA_COLUMN_UNKNOWN', { details: field.name })
  return {
    ...{ kind: 'filter', negated, operation },
    field: { column: field.name, path: [], toJson: false, transform: null, wholeRow: false },
    toTextSearch: table.columns.get(field.name)?.baseType !== 'tsvector' && operation.kind === 'search',
  }
}

/** @throws CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_SORT_INVALID */
export function renderSort(
  { sort, fromEnd }: Pick<RowsQuestion, 'sort' | 'fromEnd'>,
  scope: Scope,
  table: DataTable,
): SqlFragment {
  // Without an order two pages may show one row.
  const chosen = sort.map((text) => {
    const { column, rest } = splitAtColumn(text, table)
    if (rest !== 'asc' && rest !== 'desc') throw dataError('CLEW_DATA_SORT_INVALID', { details: text })
    return { column, isDown: (rest === 'desc') !== fromEnd }
  })
  const byKey = table.key.map((column) => ({ column, isDown: fromEnd }))
  const terms = [...chosen, ...byKey]
  if (terms.length === 0) return sql``
  return sql`order by ${join(
    terms.map(({ column, isDown }) => sql`${columnOf(scope, column)}${constant(isDown ? ' desc' : ' asc')}`),
  )}`
}

/** Whether any of the columns holds the text, in capitals or not. */
function renderSearch(scope: Scope, table: DataTable, search: string): readonly SqlFragment[] {
  if (search === '') return []
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  const columns = shownColumns(table).filter((name) => table.columns.get(name)?.baseType !== 'bytea')
  if (columns.length === 0) return []
  return [
    sql`(${join(
      columns.map((name) => sql`${columnOf(scope, name)}::text ilike ${pattern}`),
      ' or ',
    )})`,
  ]
}

/** @throws CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_FILTER_INVALID */
export function renderConditions(
  scope: Scope,
  table: DataTable,
  { filters, search }: Pick<RowsQuestion, 'filters' | 'search'>,
): readonly SqlFragment[] {
  const conditions = filters.map((text) =>
    renderCondition(scope, planFilter(parseFilter(text, table), table), () => sql`true`),
  )
  return [...conditions, ...renderSearch(scope, table, search)]
}

/** Runs a statement in some role's place; values are texts. */
export type ReadTexts = (statement: Statement) => Promise<readonly Readonly<Record<string, string | null>>[]>

/** Reads as the application's owner. @throws CLEW_DATA_QUERY_REFUSED with the server's words */
export const readAsOwner =
  (reader: Pick<Sql, 'query'>): ReadTexts =>
  async (statement) => {
    try {
      return (await reader.query<Readonly<Record<string, string | null>>>(statement)).rows
    } catch (cause) {
      if (!isDatabaseError(cause)) throw cause
      throw dataError('CLEW_DATA_QUERY_REFUSED', { message: cause.message, details: cause.detail ?? null, cause })
    }
  }

/**
 * A page of a table's rows, as those see them in whose place they are read.
 *
 * @throws CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_FILTER_INVALID, CLEW_DATA_SORT_INVALID, CLEW_DATA_QUERY_REFUSED
 */
export async function readRows(read: ReadTexts, table: DataTable, question: RowsQuestion): Promise<RowsPage> {
  const scope: Scope = { alias: 'shown', relation: table }
  const where = renderWhere(renderConditions(scope, table, question))
  const from = sql`${qualified(table)} as ${quoted('shown')}`
  const statement = compile(sql`
    select json_build_object(
      'counted', (select count(*) from (select from ${from}${where} limit ${countedAtMost + 1}) counted),
      'rows', coalesce((
        select json_agg(json_build_object('key', page.key, 'values', page.values))
        from (
          select ${textsOf(scope, table.rowId)} as key, ${textsOf(scope, shownColumns(table))} as values
          from ${from}${where}
          ${renderSort(question, scope, table)}
          limit ${question.limit} offset ${question.offset}
        ) page
      ), '[]')
    )::text as page`)
  const [found] = await read(statement)
  // We wrote the document ourselves.
  const { counted, rows }: { readonly counted: number; readonly rows: RowsPage['rows'] } = JSON.parse(found?.page ?? '')
  const exact = counted <= countedAtMost
  const isNarrowed = question.filters.length > 0 || question.search !== ''
  return {
    rows: question.fromEnd ? rows.toReversed() : rows,
    total: exact ? counted : Math.max(counted, isNarrowed ? 0 : Math.round(table.estimatedRows)),
    totalIsEstimate: !exact,
  }
}
