import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { constant, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { dataError } from '../errors.ts'
import { filterExpression } from '../parse/query/filter.ts'
import { readWhole } from '../parse/query/read-text.ts'
import type { Filter } from '../parse/query/types.ts'
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

function parseFilter(text: string, table: DataTable): Filter {
  const { column, rest } = splitAtColumn(text, table)
  try {
    return { kind: 'filter', field: { name: column, path: [] }, ...readWhole(filterExpression, rest, 'filter') }
  } catch (cause) {
    throw dataError('CLEW_DATA_FILTER_INVALID', { details: text, cause })
  }
}

function renderSort({ sort, fromEnd }: RowsQuestion, scope: Scope, table: DataTable): SqlFragment {
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

function renderConditions(scope: Scope, table: DataTable, { filters, search }: RowsQuestion): SqlFragment {
  const conditions = filters
    .map((text) => parseFilter(text, table))
    .map(({ field, negated, operation }) =>
      renderCondition(
        scope,
        {
          kind: 'filter',
          negated,
          operation,
          field: { column: field.name, path: [], toJson: false, transform: null, wholeRow: false },
          toTextSearch: table.columns.get(field.name)?.baseType !== 'tsvector' && operation.kind === 'search',
        },
        () => sql`true`,
      ),
    )
  return renderWhere([...conditions, ...renderSearch(scope, table, search)])
}

/**
 * A page of a table's rows as the operator sees them: all of them, whatever the policies say.
 *
 * @throws CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_FILTER_INVALID, CLEW_DATA_SORT_INVALID, CLEW_DATA_QUERY_REFUSED
 */
export async function readRows(
  reader: Pick<Sql, 'query'>,
  table: DataTable,
  question: RowsQuestion,
): Promise<RowsPage> {
  const scope: Scope = { alias: 'shown', relation: table }
  const where = renderConditions(scope, table, question)
  const from = sql`${qualified(table)} as ${quoted('shown')}`
  const statement = compile(sql`
    select
      (select count(*) from (select from ${from}${where} limit ${countedAtMost + 1}) counted)::int as counted,
      coalesce((
        select json_agg(json_build_object('key', page.key, 'values', page.values))
        from (
          select ${textsOf(scope, table.rowId)} as key, ${textsOf(scope, shownColumns(table))} as values
          from ${from}${where}
          ${renderSort(question, scope, table)}
          limit ${question.limit} offset ${question.offset}
        ) page
      ), '[]') as rows`)
  const result = await reader.query<{ counted: number; rows: RowsPage['rows'] }>(statement).catch((cause: unknown) => {
    if (!isDatabaseError(cause)) throw cause
    throw dataError('CLEW_DATA_QUERY_REFUSED', { message: cause.message, details: cause.detail ?? null, cause })
  })
  const counted = result.rows[0]?.counted ?? 0
  const exact = counted <= countedAtMost
  const isNarrowed = question.filters.length > 0 || question.search !== ''
  const rows = result.rows[0]?.rows ?? []
  return {
    rows: question.fromEnd ? rows.toReversed() : rows,
    total: exact ? counted : Math.max(counted, isNarrowed ? 0 : Math.round(table.estimatedRows)),
    totalIsEstimate: !exact,
  }
}
