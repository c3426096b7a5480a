import { constant, join, type SqlFragment, sql, typed } from '../sql/sql.ts'
import { addressExpression } from './addresses.ts'
import { maskedText } from './masks.ts'
import { nestedProperties } from './properties.ts'

const namesOf = (names: readonly string[]): SqlFragment => sql`${typed(names, 'Array(String)')}`
const maskedJson = JSON.stringify(maskedText)

/**
 * The text of a JSON object, its members of these names masked and all others as ClickHouse writes them.
 *
 * @param member what a member is called within
 * @param other  the value of a member that is not masked
 */
const rebuilt = (json: SqlFragment, names: readonly string[], member: SqlFragment, other: SqlFragment): SqlFragment =>
  sql`concat('{', arrayStringConcat(arrayMap(
    ${member} -> concat(
      toJSONString(${member}.1), ':', if(has(${namesOf(names)}, ${member}.1), ${maskedJson}, ${other})),
    JSONExtractKeysAndValuesRaw(${json})), ','), '}')`

const outer = constant('outer')
const inner = constant('inner')

/** A JSON object with its members of these names masked, as `maskProperties` does it, without those of its objects. */
export const maskedMembers = (json: SqlFragment, names: readonly string[]): SqlFragment =>
  sql`if(arrayExists(name -> JSONHas(${json}, name), ${namesOf(names)}), ${rebuilt(json, names, outer, sql`outer.2`)}, ${json})`

/** Properties of an event as `maskProperties` masks them. */
export function maskedProperties(json: SqlFragment, names: readonly string[]): SqlFragment {
  const nested = sql`if(
    has(${namesOf(nestedProperties)}, outer.1) and startsWith(outer.2, '{'),
    ${rebuilt(sql`outer.2`, names, inner, sql`inner.2`)},
    outer.2)`
  const holders = join(
    [sql`JSONHas(${json}, name)`, ...nestedProperties.map((holder) => sql`JSONHas(${json}, ${holder}, name)`)],
    ' or ',
  )
  return sql`if(arrayExists(name -> ${holders}, ${namesOf(names)}), ${rebuilt(json, names, outer, nested)}, ${json})`
}

/** A text as `createMaskAddresses` masks it. */
export const maskedAddresses = (text: SqlFragment, names: readonly string[]): SqlFragment =>
  sql`replaceRegexpAll(${text}, ${`(?i)${addressExpression(names)}`}, ${`\\1${maskedText}`})`

/** Whether a text may hold one of these names, in any case or escaped. */
export const mayName = (text: SqlFragment, names: readonly string[]): SqlFragment =>
  sql`(multiSearchAnyCaseInsensitiveUTF8(${text}, ${namesOf([...names, '\\u'])}) or position(${text}, '\\\\/') > 0)`
