/** What a template may hold: a value (becomes a parameter) or another fragment (composes). */
export type SqlPart = SqlFragment | SqlParameter

export interface SqlParameter {
  readonly kind: 'parameter'
  readonly value: unknown
  /** The engine's type name: a cast in PostgreSQL (`$1::type`), demanded in ClickHouse (`{p0:type}`). */
  readonly type: string | null
}

/** A piece of SQL: texts with parameters and names between them. Made only by `sql`, `identifier`, `join`, `constant`. */
export interface SqlFragment {
  readonly kind: 'fragment'
  /** One more text than parts. */
  readonly texts: readonly string[]
  readonly parts: readonly (SqlParameter | SqlName)[]
}

export interface SqlName {
  readonly kind: 'name'
  readonly path: readonly string[]
}

const isFragment = (value: unknown): value is SqlFragment =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'fragment'

const isParameter = (value: unknown): value is SqlParameter =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'parameter'

/**
 * The SQL template tag. Interpolated values become parameters, fragments compose; text is never glued.
 *
 * @example sql`select id from ${identifier('public', 'notes')} where owner = ${userId}`
 */
export function sql(texts: TemplateStringsArray, ...values: readonly unknown[]): SqlFragment {
  const outTexts: string[] = [texts[0] ?? '']
  const parts: (SqlParameter | SqlName)[] = []
  values.forEach((value, index) => {
    const after = texts[index + 1] ?? ''
    if (isFragment(value)) {
      append(outTexts, parts, value)
      outTexts[outTexts.length - 1] += after
    } else {
      parts.push(isParameter(value) ? value : { kind: 'parameter', value, type: null })
      outTexts.push(after)
    }
  })
  return { kind: 'fragment', texts: outTexts, parts }
}

/** A value with its engine type, for where the type cannot be inferred. */
export function typed(value: unknown, type: string): SqlParameter {
  return { kind: 'parameter', value, type }
}

/** A quoted, possibly qualified name: `identifier('auth', 'users')` is `"auth"."users"`. */
export function identifier(...path: readonly string[]): SqlFragment {
  return { kind: 'fragment', texts: ['', ''], parts: [{ kind: 'name', path }] }
}

/** SQL text that stands in our own source. Never call it with anything that came from outside. */
export function constant(text: string): SqlFragment {
  return { kind: 'fragment', texts: [text], parts: [] }
}

/** The fragments one after another with `separator`, a constant of our own, between them. */
export function join(fragments: readonly SqlFragment[], separator = ', '): SqlFragment {
  const texts: string[] = ['']
  const parts: (SqlParameter | SqlName)[] = []
  fragments.forEach((fragment, index) => {
    if (index > 0) texts[texts.length - 1] += separator
    append(texts, parts, fragment)
  })
  return { kind: 'fragment', texts, parts }
}

/** Nothing, for the branch that adds nothing. */
export const empty: SqlFragment = { kind: 'fragment', texts: [''], parts: [] }

function append(texts: string[], parts: (SqlParameter | SqlName)[], fragment: SqlFragment): void {
  texts[texts.length - 1] += fragment.texts[0] ?? ''
  fragment.parts.forEach((part, index) => {
    parts.push(part)
    texts.push(fragment.texts[index + 1] ?? '')
  })
}
