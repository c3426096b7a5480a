import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** The characters that part words: those of the column `persons.words`. */
const partings = /[\s@.\-_+/:;,'"&()\\]+/u
/** Further words of a search are left out. */
const mostWords = 8

/** What a column of words matches where a word begins with each word of a text; null where the text has no word. */
export function wordsQuery(text: string): SqlFragment | null {
  const words = text
    .toLowerCase()
    .split(partings)
    .filter((word) => word !== '')
    .slice(0, mostWords)
  if (words.length === 0) return null
  const query = words.map((word) => `'${word}':*`).join(' & ')
  return sql`to_tsquery('simple', ${typed(query, 'text')})`
}

/**
 * Persons `p` in whose e-mail or name a word begins with each word of a text; null where the text has no word.
 *
 * @see migrations/postgres/0004_people.sql
 */
export function wordsMatch(text: string): SqlFragment | null {
  const query = wordsQuery(text)
  return query === null ? null : sql`p.words @@ ${query}`
}
