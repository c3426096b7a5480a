import { type SqlFragment, textOf } from './sql.ts'

/** A PostgreSQL statement ready to send: `$1…$n` and their values. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Quotes one identifier by PostgreSQL's rules (`"` doubled). NUL cannot stand in a name.
 *
 * @see https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
 */
export function quoteIdentifier(name: string): string {
  if (name.includes('\0')) throw new TypeError('An identifier cannot contain a NUL character.')
  return `"${name.replaceAll('"', '""')}"`
}

/** Renders a fragment for PostgreSQL: values as `$n` (with a cast where typed), names quoted. */
export function compile(fragment: SqlFragment): Statement {
  const values: unknown[] = []
  const text = textOf(fragment, (part) => {
    if (part.kind === 'name') return part.path.map(quoteIdentifier).join('.')
    values.push(part.value)
    return part.type === null ? `$${values.length}` : `$${values.length}::${part.type}`
  })
  return { text, values }
}

/** Quotes a text as a literal, as PostgreSQL reads it with `standard_conforming_strings`. NUL cannot stand in one. */
function quoteText(text: string): string {
  if (text.includes('\0')) throw new TypeError('A text cannot contain a NUL character.')
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * A fragment for people to read and run by hand: texts stand as literals where `compile` has parameters.
 *
 * @param quote how a name is written
 */
export const renderReadable = (fragment: SqlFragment, quote: (name: string) => string = quoteIdentifier): string =>
  textOf(fragment, (part) => {
    if (part.kind === 'name') return part.path.map(quote).join('.')
    const literal = part.value === null ? 'null' : quoteText(String(part.value))
    return part.type === null ? literal : `${literal}::${part.type}`
  })
