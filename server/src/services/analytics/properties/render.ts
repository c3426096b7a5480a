import { type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { isWellFormed, stringifyWellFormed } from '../../../ground/text/well-formed.ts'

/** Columns of `events` with a property begin so; none of ours does otherwise. */
export const columnPrefix = 'property_'

/** The name of the column with a property: another one for each. */
export const columnOf = (property: string): string =>
  // A dot would make it a member of a nested column.
  `${columnPrefix}${encodeURIComponent(property).replaceAll('.', '%2E')}`

/** The property of a column. */
export const propertyOf = (column: string): string => decodeURIComponent(column.slice(columnPrefix.length))

/** No event has a longer one often; names are kept with their uses. */
const longestName = 200

/** Whether a property can have a column. */
export const canHaveColumn = (property: string): boolean =>
  property.length <= longestName && isWellFormed(property) && !property.includes('\0')

/** The JSON text of a property's value, as ClickHouse writes it; empty where an event has none. */
export const rawProperty = (property: string): SqlFragment => sql`JSONExtractRaw(properties, ${property})`

/** Whether an event has the property. @param raw its JSON text */
export const hasProperty = (raw: SqlFragment): SqlFragment => sql`${raw} != ''`

/**
 * Whether the property is this text in any case; a number, truth value or object, as JSON writes it.
 *
 * @param raw its JSON text
 */
export function isProperty(raw: SqlFragment, value: string): SqlFragment {
  // As ClickHouse writes a text of JSON, which escapes otherwise than JavaScript. JSON texts are compared: nothing is read of them.
  const text = sql`lowerUTF8(JSONExtractRaw(${stringifyWellFormed({ value })}, 'value'))`
  return value === '' ? sql`${raw} = ${text}` : sql`lowerUTF8(${raw}) in (lowerUTF8(${value}), ${text})`
}

/** The property as a text: all but a text as JSON writes it. @param raw its JSON text */
export const textOfProperty = (raw: SqlFragment): SqlFragment =>
  sql`if(startsWith(${raw}, '"'), JSONExtractString(${raw}), ${raw})`

/** The property as a number; 0 where it is none. @param raw its JSON text */
export const numberOfProperty = (raw: SqlFragment): SqlFragment => sql`JSONExtractFloat(${raw})`
