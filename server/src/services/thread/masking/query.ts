import { escaped } from '../../../ground/privacy/addresses.ts'
import { type MaskList, maskedText } from '../../../ground/privacy/masks.ts'
import { type SqlFragment, sql } from '../../../ground/sql/sql.ts'

/**
 * How parameters of a query string are masked. A filter names its column alone, behind the path of an embedded table
 * (`orders.email`), or before a member of it (`home->>street`); logical filters name it in their value.
 *
 * @see https://docs.postgrest.org/en/v14/references/api/tables_views.html#logical-operators
 */
export interface MaskQuery {
  /** Of JavaScript and RE2 alike; parameter names and values are decoded before. */
  readonly name: string
  readonly value: string
}

const logical = '^(?:.*[.])?(?:not[.])?(?:and|or)$'

/** Names of everything that is masked: whose column or property a parameter is, no address tells. */
export const namesOf = ({ columns, properties }: MaskList): readonly string[] => [
  ...new Set([...columns.map(({ column }) => column), ...properties]),
]

/** What masks the query strings of requests; null where nothing of them is. */
export function planMaskQuery(list: MaskList): MaskQuery | null {
  const names = namesOf(list)
  if (names.length === 0) return null
  const any = `(?:${names.map(escaped).join('|')})`
  return { name: `(?:^|[.>"])${any}(?:$|[."-])`, value: `(?:^|[^0-9A-Za-z_])${any}(?:$|[^0-9A-Za-z_])` }
}

/** Masks a query string without `?`; all else stays byte for byte as it came. */
export function createMaskQuery(plan: MaskQuery): (query: string) => string {
  const isMasked = new RegExp(plan.name, 'i')
  const isLogical = new RegExp(logical, 'i')
  const mentions = new RegExp(plan.value, 'i')
  return (query) =>
    query
      .split('&')
      .map((pair) => {
        const equals = pair.indexOf('=')
        if (equals === -1) return pair
        const name = decoded(pair.slice(0, equals))
        const masked = isMasked.test(name) || (isLogical.test(name) && mentions.test(decoded(pair.slice(equals + 1))))
        return masked ? `${pair.slice(0, equals)}=${maskedText}` : pair
      })
      .join('&')
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** The query string as `createMaskQuery` masks it. */
export const maskedQuery = (query: SqlFragment, plan: MaskQuery): SqlFragment =>
  sql`arrayStringConcat(arrayMap(
    pair -> if(
      position(pair, '=') > 0 and (
        match(decodeURLFormComponent(substringIndex(pair, '=', 1)), ${`(?i)${plan.name}`})
        or (
          match(decodeURLFormComponent(substringIndex(pair, '=', 1)), ${`(?i)${logical}`})
          and match(decodeURLFormComponent(substring(pair, position(pair, '=') + 1)), ${`(?i)${plan.value}`})
        )
      ),
      concat(substringIndex(pair, '=', 1), '=', ${maskedText}),
      pair),
    splitByChar('&', ${query})), '&')`
