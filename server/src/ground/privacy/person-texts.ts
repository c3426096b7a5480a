import { type SqlFragment, sql, typed } from '../sql/sql.ts'
import { addressForms, escaped } from './addresses.ts'
import type { Subject } from './person.ts'

/** What stands where a person was named. */
const erasedText = '[erased]'

/** A shorter text would be found in words that mean no person. */
export const shortestText = 4

/** What is looked for in the texts of a store: who the person is, their addresses, numbers and names, as addresses have them too. */
export const soughtTexts = ({ personId, userId, texts }: Subject): readonly string[] =>
  addressForms([personId ?? '', userId ?? '', ...texts].filter((text) => text.length >= shortestText))

/** What may stand before a name: no letter or digit, but for those of an escape in an address or in JSON. */
const before = '(^|[^0-9A-Za-z]|%[0-9A-Fa-f]{2}|\\\\[nrtbf]|\\\\u[0-9a-fA-F]{4})'

/** @param wordEnd as the engine writes the end of a word */
function expressionOf(texts: readonly string[], wordEnd: string): string {
  const ended = (text: string): string => (/[0-9A-Za-z]$/.test(text) ? `${escaped(text)}${wordEnd}` : escaped(text))
  // The longest first: of two that begin alike the whole of the longer one goes.
  const longestFirst = texts.toSorted((a, b) => b.length - a.length)
  return `${before}(?:${longestFirst.map(ended).join('|')})`
}

/** A column of PostgreSQL as a text in which a person is named, in any case of letters; false for no texts. */
export function namedInPostgres(column: SqlFragment, texts: readonly string[]): SqlFragment {
  if (texts.length === 0) return sql`false`
  return sql`(${column})::text ~* ${typed(expressionOf(texts, '\\y'), 'text')}`
}

/** The text of a column of PostgreSQL without the person's names. @param texts not empty */
export const erasedInPostgres = (column: SqlFragment, texts: readonly string[]): SqlFragment =>
  sql`regexp_replace((${column})::text, ${typed(expressionOf(texts, '\\y'), 'text')}, ${typed(`\\1${erasedText}`, 'text')}, 'gi')`

/** A column of ClickHouse in which a person is named, in any case of letters. */
export function namedInClickHouse(column: SqlFragment, texts: readonly string[]): SqlFragment {
  if (texts.length === 0) return sql`false`
  // A plain search rules out nearly all rows before the expression reads them.
  return sql`(
    multiSearchAnyCaseInsensitiveUTF8(${column}, ${typed([...texts], 'Array(String)')})
    and match(${column}, ${`(?i)${expressionOf(texts, '\\b')}`})
  )`
}

/** The text of a column of ClickHouse without the person's names. @param texts not empty */
export const erasedInClickHouse = (column: SqlFragment, texts: readonly string[]): SqlFragment =>
  sql`replaceRegexpAll(${column}, ${`(?i)${expressionOf(texts, '\\b')}`}, ${`\\1${erasedText}`})`

/** Whether a text names a person, in any case of letters. */
export function namedInText(texts: readonly string[]): (text: string) => boolean {
  if (texts.length === 0) return () => false
  const expression = new RegExp(expressionOf(texts, '\\b'), 'i')
  return (text) => expression.test(text)
}
