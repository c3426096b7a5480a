import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { QualifiedName, Relation } from '../cache/schema-cache.ts'
import { renderWhere } from '../render/filter.ts'
import { columnOf, qualified, quoted, type Scope } from '../render/names.ts'
import { type Clause, flatten } from './clauses.ts'

/** The name of a relation's rows in these statements: no column of the application is likely to have it. */
export const rowAlias = 'clew_row'

/** Counting more takes longer than its answer is worth. */
const countedAtMost = 10_000

const countOf = (rows: SqlFragment): SqlFragment =>
  sql`(select count(*) from (select from ${rows} limit ${typed(countedAtMost + 1, 'int')}) counted)`

const fromRelation = (relation: QualifiedName): SqlFragment => sql`${qualified(relation)} as ${quoted(rowAlias)}`

const keyOf = (relation: Relation | undefined, scope: Scope): SqlFragment =>
  relation === undefined || relation.key.length === 0
    ? sql`'{}'::json`
    : sql`json_build_object(${join(
        relation.key.map((name) => sql`${typed(name, 'text')}, ${columnOf(scope, name)}::text`),
      )})`

/** How many rows there are, how many of them the filters leave, and the first of these, whole and as PostgreSQL's text. */
export function sampleStatement(
  name: QualifiedName,
  relation: Relation | undefined,
  conditions: readonly SqlFragment[],
  limit: number,
): Statement {
  const scope: Scope = { alias: rowAlias, relation: name }
  const from = fromRelation(name)
  const matching = sql`${from}${renderWhere(conditions)}`
  const order = relation === undefined ? [] : relation.key.map((column) => columnOf(scope, column))
  const ordered = order.length === 0 ? sql`` : sql` order by ${join(order)}`
  return compile(sql`
    select
      ${countOf(from)}::int as existing,
      ${countOf(matching)}::int as matching,
      coalesce((
        select json_agg(json_build_object('text', sample.text, 'key', sample.key))
        from (
          select ${quoted(rowAlias)}::text as text, ${keyOf(relation, scope)} as key
          from ${matching}${ordered} limit ${typed(limit, 'int')}
        ) sample
      ), '[]') as rows`)
}

/** How many of the rows that the filters leave are there for the role that asks. */
export const visibleStatement = (name: QualifiedName, conditions: readonly SqlFragment[]): Statement =>
  compile(sql`select ${countOf(sql`${fromRelation(name)}${renderWhere(conditions)}`)}::text as visible`)

/** Whether any row is left by each of the filters alone. */
export const aloneStatement = (name: QualifiedName, conditions: readonly SqlFragment[]): Statement =>
  compile(sql`
    select json_build_array(${join(
      conditions.map((condition) => sql`exists (select from ${fromRelation(name)} where ${condition})`),
    )}) as found`)

/** A value of a column that differs from another in capitals and blanks at most. */
export const likeStatement = (name: QualifiedName, column: string, value: string): Statement => {
  const text = sql`${columnOf({ alias: rowAlias, relation: name }, column)}::text`
  return compile(sql`
    select ${text} as value from ${fromRelation(name)}
    where lower(btrim(${text})) = lower(btrim(${typed(value, 'text')})) limit 1`)
}

/** Rows to evaluate a policy for. */
export type Rows =
  | { readonly kind: 'stored'; readonly texts: readonly string[] }
  /** New rows, by the JSON objects that were sent. */
  | { readonly kind: 'inserted'; readonly sent: readonly Readonly<Record<string, unknown>>[] }
  /** Stored rows with what was sent in place of their values. */
  | {
      readonly kind: 'updated'
      readonly texts: readonly string[]
      readonly sent: Readonly<Record<string, unknown>>
    }

const storedRows = (name: QualifiedName, texts: readonly string[]): SqlFragment =>
  sql`unnest(${typed(texts, 'text[]')}::${qualified(name)}[])`

/** Advancing a sequence cannot be taken back. */
const isEvaluated = (expression: string | null): expression is string =>
  expression !== null && !/\bnextval\b/i.test(expression)

function rowsOf(name: QualifiedName, relation: Relation | undefined, rows: Rows): SqlFragment {
  if (rows.kind === 'stored') return storedRows(name, rows.texts)
  const columns = [...(relation?.columns.values() ?? [])]
  const sent = rows.kind === 'inserted' ? rows.sent : [rows.sent]
  const keys = new Set(sent.flatMap(Object.keys))
  const given = sql`json_populate_recordset(null::${qualified(name)}, ${typed(JSON.stringify(sent), 'json')}) as "given"`
  const value = (column: (typeof columns)[number]): SqlFragment => {
    if (keys.has(column.name)) return quoted('given', column.name)
    if (rows.kind === 'updated') return quoted('kept', column.name)
    return isEvaluated(column.default) ? constant(`(${column.default})`) : quoted('given', column.name)
  }
  const list = join(columns.map((column) => sql`${value(column)} as ${quoted(column.name)}`))
  const from = rows.kind === 'inserted' ? given : sql`${storedRows(name, rows.texts)} as "kept" cross join ${given}`
  return sql`(select ${list} from ${from})`
}

/**
 * What a policy's expression and each of its clauses are for some rows: a row each, in their order. The expressions are the
 * application's own and run as its callers run them; so this is said by the caller, never by an administrator.
 *
 * @param clauses in the order of `flatten`
 */
export function evaluateStatement(
  name: QualifiedName,
  relation: Relation | undefined,
  clauses: readonly Clause[],
  rows: Rows,
): Statement {
  const text = (expression: string | null): SqlFragment =>
    expression === null ? sql`null::text` : constant(`(${expression})::text`)
  return compile(sql`
    select
      json_build_array(${join(clauses.map((clause) => constant(`(${clause.text})::boolean`)))})::text as values,
      json_build_array(${join(clauses.map(({ left }) => text(left)))})::text as lefts,
      json_build_array(${join(clauses.map(({ right }) => text(right)))})::text as rights
    from ${rowsOf(name, relation, rows)} as ${quoted(name.name)}`)
}

/** Whether an expression is true of some row for a role above row security that has another’s claims. */
export const askAboveStatement = (name: QualifiedName, expression: Clause, texts: readonly string[], claims: string) =>
  compile(sql`
    with claimed as materialized (select set_config('request.jwt.claims', ${typed(claims, 'text')}, true) as claims)
    select coalesce(bool_or(asked.value), false) as found
    from claimed
    cross join lateral (
      select (claimed.claims is not null and (${constant(flatten(expression)[0]?.text ?? 'false')})::boolean) as value
      from ${storedRows(name, texts)} as ${quoted(name.name)}
    ) asked`)
