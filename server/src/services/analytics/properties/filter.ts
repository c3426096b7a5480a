import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { analyticsError } from '../errors.ts'
import { hasProperty, isProperty, textOfProperty } from './render.ts'

/** What is asked of one property of events. */
export interface PropertyFilter {
  readonly property: string
  readonly operator: PropertyOperator
  /** Empty where the operator takes none. */
  readonly value: string
}

type Render = (raw: SqlFragment, value: string) => SqlFragment

const not =
  (render: Render): Render =>
  (raw, value) =>
    sql`not (${render(raw, value)})`

const contains: Render = (raw, value) =>
  sql`${hasProperty(raw)} and positionCaseInsensitive(${textOfProperty(raw)}, ${value}) > 0`

/** As `parseFloat` reads a number at the beginning of a text. */
const leadingNumber = String.raw`^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`

/** As numbers where both begin with one, else as texts. */
const ordered =
  (compare: (left: SqlFragment, right: SqlFragment) => SqlFragment): Render =>
  (raw, value) => {
    const text = textOfProperty(raw)
    const isValue = sql`${raw} not in ('', 'null')`
    const wanted = Number.parseFloat(value)
    if (!Number.isFinite(wanted)) return sql`${isValue} and ${compare(text, sql`${value}`)}`
    const number = sql`ifNull(toFloat64OrNull(extract(${text}, ${leadingNumber})), nan)`
    return sql`${isValue} and if(isFinite(${number}),
      ${compare(number, sql`${typed(wanted, 'Float64')}`)}, ${compare(text, sql`${value}`)})`
  }

/**
 * Operators on properties of events, which have the meaning that they have in flags (analytics §5.2), but for two things: `exact`
 * compares texts, so that `false` is not all that is not true; and a list or an object is its JSON.
 */
const operators = {
  exact: isProperty,
  is_not: not(isProperty),
  icontains: contains,
  not_icontains: not(contains),
  is_set: hasProperty,
  is_not_set: not(hasProperty),
  gt: ordered((left, right) => sql`${left} > ${right}`),
  gte: ordered((left, right) => sql`${left} >= ${right}`),
  lt: ordered((left, right) => sql`${left} < ${right}`),
  lte: ordered((left, right) => sql`${left} <= ${right}`),
} as const satisfies Readonly<Record<string, Render>>

type PropertyOperator = keyof typeof operators

const isOperator = (name: string): name is PropertyOperator => Object.hasOwn(operators, name)
const takesValue = (operator: PropertyOperator): boolean => operator !== 'is_set' && operator !== 'is_not_set'

const filterText = /^(?<property>[^.]+)\.(?<operator>[a-z_]+)(?:\.(?<value>.*))?$/s

/**
 * Reads a filter as an address has it: `plan.exact.pro`, `coupon.is_set`. Dots in the name of a property are written `%2E`, and percent
 * signs `%25`.
 *
 * @throws CLEW_EVENTS_FILTER
 */
export function parsePropertyFilter(text: string): PropertyFilter {
  const { property, operator, value } = filterText.exec(text)?.groups ?? {}
  if (property === undefined || operator === undefined || !isOperator(operator))
    throw analyticsError('CLEW_EVENTS_FILTER')
  if (takesValue(operator) !== (value !== undefined)) throw analyticsError('CLEW_EVENTS_FILTER')
  return { property: property.replaceAll('%2E', '.').replaceAll('%25', '%'), operator, value: value ?? '' }
}

/** Whether an event's property passes. @param raw its JSON text */
export const passesFilter = (raw: SqlFragment, { operator, value }: PropertyFilter): SqlFragment =>
  sql`(${operators[operator](raw, value)})`
