import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { Relation } from '../cache/schema-cache.ts'
import { dataError } from '../errors.ts'
import { filterExpression } from '../parse/query/filter.ts'
import { readWhole } from '../parse/query/read-text.ts'
import type { Filter } from '../parse/query/types.ts'
import { renderCondition, renderWhere } from '../render/filter.ts'
import { columnOf, qualified, quoted, type Scope } from '../render/names.ts'

/** Which rows of a table the console shows. */
export interface RowsQuestion {
  readonly limit: number
  readonly offset: number
  /** `column.asc` or `column.desc`. */
  readonly sort: string | undefined
  /** Each `column.operator.value`. */
  readonly filters: readonly string[]
}

/** Values in PostgreSQL's text form, by column. */
export type TextValues = Readonly<Record<string, string | null>>

export interface RowsPage {
  readonly rows: readonly { readonly key: TextValues; readonly values: TextValues }[]
  readonly total: number
  readonly totalIsEstimate: boolean
}

// Counting more than this would take longer than anyone waits for a number.
const countedAtMost = 10_000

function splitAtColumn(text: string, relation: Relation): { readonly column: string; readonly rest: string } {
  // The longest column that fits, since names may hold dots.
  const column = [...relation.columns.keys()]
    .filter((name) => text.startsWith(`${name}.`))
    .sort((left, right) => right.length - left.length)[0]
  if (column === undefined) {
    throw dataError('CLEW_DATA_COLUMN_UNKNOWN', { details: text })
  }
  return { column, rest: text.slice(column.length + 1) }
}

function parseFilter(text: string, relation: Relation): Filter {
  const { column, rest } = splitAtColumn(text, relation)
  try {
    return { kind: 'filter', field: { name: column, path: [] }, ...readWhole(filterExpression, rest, 'filter') }
  } catch (cause) {
    throw dataError('CLEW_DATA_FILTER_INVALID', { details: text, cause })
  }
}

function renderSort(sort: string | undefined, scope: Scope, relation: Relation): SqlFragment {
  // Without an order two pages may show the same row.
  const byKey = relation.key.map((name) => columnOf(scope, name))
  if (sort === undefined) return byKey.length === 0 ? sql`` : sql`order by ${join(byKey)}`
  const { column, rest } = splitAtColumn(sort, relation)
  if (rest !== 'asc' && rest !== 'desc') throw dataError('CLEW_DATA_SORT_INVALID', { details: sort })
  const chosen = sql`${columnOf(scope, column)}${constant(rest === 'asc' ? ' asc' : ' desc')}`
  return sql`order by ${join([chosen, ...byKey])}`
}

const asText = (scope: Scope, names: readonly string[]): SqlFragment =>
  names.length === 0
    ? sql`'{}'::json`
    : sql`(select json_object_agg(pair.name, pair.value)
        from (values ${join(names.map((name) => sql`(${typed(name, 'text')}, ${columnOf(scope, name)}::text)`))}) pair (name, value))`

/**
 * A page of a relation's rows as the operator sees them: all of them, whatever the policies say.
 *
 * @throws CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_FILTER_INVALID, CLEW_DATA_SORT_INVALID, CLEW_DATA_QUERY_REFUSED
 */
export async function readRows(
  database: Pick<Sql, 'query'>,
  relation: Relation,
  question: RowsQuestion,
): Promise<RowsPage> {
  const scope: Scope = { alias: 'shown', relation }
  const filters = question.filters.map((text) => parseFilter(text, relation))
  const where = renderWhere(
    filters.map(({ field, negated, operation }) =>
      renderCondition(
        scope,
        {
          kind: 'filter',
          negated,
          operation,
          field: { column: field.name, path: [], toJson: false, transform: null, wholeRow: false },
          toTextSearch: relation.columns.get(field.name)?.baseType !== 'tsvector' && operation.kind === 'search',
        },
        () => sql`true`,
      ),
    ),
  )
  const from = sql`${qualified(relation)} as ${quoted('shown')}`
  const statement = compile(sql`
    select
      (select count(*) from (select from ${from}${where} limit ${countedAtMost + 1}) counted)::int as counted,
      coalesce((
        select json_agg(json_build_object('key', page.key, 'values', page.values))
        from (
          select ${asText(scope, relation.key)} as key, ${asText(scope, [...relation.columns.keys()])} as values
          from ${from}${where}
          ${renderSort(question.sort, scope, relation)}
          limit ${question.limit} offset ${question.offset}
        ) page
      ), '[]') as rows`)
  const result = await database
    .query<{ counted: number; rows: RowsPage['rows'] }>(statement)
    .catch((cause: unknown) => {
      if (!isDatabaseError(cause)) throw cause
      throw dataError('CLEW_DATA_QUERY_REFUSED', { message: cause.message, details: cause.detail ?? null, cause })
    })
  const counted = result.rows[0]?.counted ?? 0
  const exact = counted <= countedAtMost
  return {
    rows: result.rows[0]?.rows ?? [],
    total: exact ? counted : Math.max(counted, filters.length === 0 ? Math.round(relation.estimatedRows) : 0),
    totalIsEstimate: !exact,
  }
}
