import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { JsonStep } from '../parse/query/types.ts'
import type { PlannedField, PlannedOrder, PlannedSelect } from '../plan/types.ts'
import { columnOf, named, qualified, quoted, type Scope, typeName } from './names.ts'

const step = ({ arrow, kind, value }: JsonStep): SqlFragment =>
  kind === 'index' ? sql`${constant(arrow)}${typed(value, 'int')}` : sql`${constant(arrow)}${value}`

/** A field as an expression; keys of a JSON path are parameters, too. */
export function renderField(scope: Scope, field: PlannedField): SqlFragment {
  const column = columnOf(scope, field.column)
  if (field.path.length === 0) return column
  const path = join(field.path.map(step), '')
  return field.toJson ? sql`to_jsonb(${column})${path}` : sql`${column}${path}`
}

const withCast = (expression: SqlFragment, cast: string | null): SqlFragment =>
  cast === null ? expression : sql`cast(${expression} as ${typeName(cast)})`

export const withAlias = (expression: SqlFragment, alias: string | null): SqlFragment =>
  alias === null ? expression : sql`${expression} as ${quoted(alias)}`

/** An aggregate over an expression, and a cast of what it gives. */
export const withAggregate = (
  expression: SqlFragment,
  aggregate: PlannedSelect['aggregate'],
  cast: string | null,
): SqlFragment => (aggregate === null ? expression : withCast(sql`${constant(aggregate)}(${expression})`, cast))

/** What a select item shows before any aggregate. */
export function renderValue(scope: Scope, { field, cast, aggregate }: PlannedSelect): SqlFragment {
  if (field.wholeRow) return sql`true`
  // `count()` counts rows, which PostgreSQL spells `count(*)`.
  if (field.column === '*' && aggregate !== null) return sql`*`
  const value = renderField(scope, field)
  return withCast(field.transform === null ? value : sql`${qualified(field.transform)}(${value})`, cast)
}

const directions = { asc: ' asc', desc: ' desc' } as const
const nullOrders = { first: ' nulls first', last: ' nulls last' } as const

const orderTerm = (scope: Scope, { field, embed, direction, nulls }: PlannedOrder): SqlFragment => {
  const expression = renderField(embed === null ? scope : named(embed), field)
  const way = direction === null ? '' : directions[direction]
  const where = nulls === null ? '' : nullOrders[nulls]
  return sql`${expression}${constant(way + where)}`
}

/** `order by …`, or nothing. */
export const renderOrder = (scope: Scope, order: readonly PlannedOrder[]): SqlFragment =>
  order.length === 0 ? sql`` : sql` order by ${join(order.map((term) => orderTerm(scope, term)))}`
