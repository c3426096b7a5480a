/** What a template may hold: a value (becomes a parameter) or another fragment (composes). */
export type SqlPart = SqlFragment | SqlParameter

export interface SqlParameter {
  readonly kind: 'parameter'
  readonly value: unknown
  /** The engine's type name: a cast in PostgreSQL (`$1::type`), demanded in ClickHouse (`{p0:type}`). */
  readonly type: string | null
}

/** A piece of SQL: texts with parameters, names and other pieces between them. Made only by `sql`, `identifier`, `join`, `constant`. */
export interface SqlFragment {
  readonly kind: 'fragment'
  /** One more text than parts. */
  readonly texts: readonly string[]
  readonly parts: readonly (SqlParameter | SqlName | SqlFragment)[]
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
  const parts = values.map((value) =>
    isFragment(value) || isParameter(value) ? value : ({ kind: 'parameter', value, type: null } as const),
  )
  return { kind: 'fragment', texts, parts }
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

/**
 * SQL that an operator wrote, as it stands: a type, an expression, the body of a function. Only for statements that run with
 * no more rights than the operator's own, each checked to be one statement.
 */
export const written = (text: string): SqlFragment => constant(text)

/** The fragments one after another with `separator`, a constant of our own, between them. */
export function join(fragments: readonly SqlFragment[], separator = ', '): SqlFragment {
  if (fragments.length === 0) return empty
  const texts = fragments.map((_, index) => (index === 0 ? '' : separator))
  return { kind: 'fragment', texts: [...texts, ''], parts: fragments }
}

/** Nothing, for the branch that adds nothing. */
export const empty: SqlFragment = { kind: 'fragment', texts: [''], parts: [] }

/**
 * The text of a fragment with everything that stands in it. Fragments are written out only here: to copy each into the
 * one around it would cost its length once more a level.
 *
 * @param write the text of a parameter or name
 */
export function textOf(fragment: SqlFragment, write: (part: SqlParameter | SqlName) => string): string {
  let text = fragment.texts[0] ?? ''
  for (let index = 0; index < fragment.parts.length; index += 1) {
    const part = fragment.parts[index]
    if (part !== undefined) text += part.kind === 'fragment' ? textOf(part, write) : write(part)
    text += fragment.texts[index + 1] ?? ''
  }
  return text
}
