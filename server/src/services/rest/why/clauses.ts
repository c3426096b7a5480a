/** A part of a policy's expression, as PostgreSQL writes it back. */
export interface Clause {
  readonly text: string
  /** How its parts are joined; null for a clause without parts. */
  readonly joined: 'and' | 'or' | 'not' | null
  readonly parts: readonly Clause[]
  /** What it compares, where these are expressions that can be asked for by themselves. */
  readonly left: string | null
  readonly right: string | null
}

interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'operator' | 'open' | 'close' | 'other'
  readonly text: string
  readonly at: number
  /** How many brackets it stands in. */
  readonly depth: number
}

const pattern =
  /(?<text>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*")|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<cast>::)|(?<operator>[-+*/<>=~!@#%^&|`?]+)|(?<open>[([])|(?<close>[)\]])|(?<other>\d[\d.]*|[^\s])/gsu

/** `case` and `end` are brackets of their own. */
function tokensOf(expression: string): readonly Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (const found of expression.matchAll(pattern)) {
    const { text, name, word, operator, open, close } = found.groups ?? {}
    const raw = found[0]
    const opens = open !== undefined || (word !== undefined && /^case$/i.test(word))
    const closes = close !== undefined || (word !== undefined && depth > 0 && /^end$/i.test(word))
    if (closes) depth -= 1
    const kind =
      (text !== undefined && 'text') ||
      (name !== undefined && 'name') ||
      (open !== undefined && 'open') ||
      (close !== undefined && 'close') ||
      (word !== undefined && 'word') ||
      (operator !== undefined && 'operator') ||
      'other'
    tokens.push({ kind, text: raw, at: found.index, depth })
    if (opens) depth += 1
  }
  return tokens
}

/** Without brackets around the whole of it. */
function unwrapped(expression: string): string {
  const text = expression.trim()
  const tokens = tokensOf(text)
  const closing = tokens.findIndex(
    ({ kind, depth, text: bracket }) => kind === 'close' && depth === 0 && bracket === ')',
  )
  return tokens[0]?.text === '(' && closing === tokens.length - 1 ? unwrapped(text.slice(1, -1)) : text
}

const isWord = (token: Token, ...words: readonly string[]): boolean =>
  token.kind === 'word' && token.depth === 0 && words.includes(token.text.toLowerCase())

/**
 * Takes a condition apart where `and`, `or` and `not` join its clauses. It expects the text of `pg_get_expr`, which puts
 * each operation into brackets of its own and writes `between` and `in` as comparisons.
 */
export function parseClause(expression: string): Clause {
  const text = unwrapped(expression)
  const tokens = tokensOf(text)
  for (const joined of ['or', 'and'] as const) {
    const cuts = tokens.filter((token) => isWord(token, joined))
    if (cuts.length === 0) continue
    const starts = [0, ...cuts.map(({ at }) => at + joined.length)]
    const parts = starts.map((start, index) => parseClause(text.slice(start, cuts[index]?.at)))
    return { text, joined, parts, left: null, right: null }
  }
  const [first] = tokens
  if (first !== undefined && isWord(first, 'not'))
    return { text, joined: 'not', parts: [parseClause(text.slice(first.text.length))], left: null, right: null }
  return { text, joined: null, parts: [], ...sidesOf(text, tokens) }
}

/** The operands of a comparison. A list or a subquery on its right is no expression. */
function sidesOf(text: string, tokens: readonly Token[]): Pick<Clause, 'left' | 'right'> {
  const at = tokens.findIndex((token) => (token.kind === 'operator' && token.depth === 0) || isWord(token, 'is', 'in'))
  const operator = tokens[at]
  if (operator === undefined || at === 0) return { left: null, right: null }
  const left = unwrapped(text.slice(0, operator.at))
  const next = tokens[at + 1]
  const isPlain = operator.kind === 'operator' && next !== undefined && !isWord(next, 'any', 'all')
  return { left, right: isPlain ? unwrapped(text.slice(operator.at + operator.text.length)) : null }
}

/** A clause with those in it, each before its parts. */
export const flatten = (clause: Clause): readonly Clause[] => [clause, ...clause.parts.flatMap(flatten)]

/** Whether an expression names one of the columns, or a whole row. */
export const readsColumn = (expression: string, columns: ReadonlySet<string>): boolean =>
  tokensOf(expression).some(({ kind, text }) =>
    kind === 'name' ? columns.has(text.slice(1, -1).replaceAll('""', '"')) : kind === 'word' && columns.has(text),
  ) || expression.includes('.*')

/** Whether an expression asks another table: `(select auth.uid())` only keeps a value for all rows. */
export const hasSubquery = (expression: string): boolean => {
  const words = tokensOf(expression).flatMap(({ kind, text }) => (kind === 'word' ? [text.toLowerCase()] : []))
  return words.includes('select') && words.includes('from')
}

/** An expression without the wraps that only keep a value for all rows: `( SELECT auth.uid() AS uid)` is `auth.uid()`. */
export const readable = (expression: string): string =>
  expression
    .replace(/^SELECT ([\w.]+\([^()]*\)) AS \w+$/, '$1')
    .replace(/\( ?SELECT ([\w.]+\([^()]*\)) AS \w+\)/g, '$1')

/** The tables that an expression's subqueries read, as they are written there. */
export function tablesIn(expression: string): readonly string[] {
  const tokens = tokensOf(expression)
  const tables = tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || !/^(from|join)$/i.test(token.text)) return []
    const path: string[] = []
    for (let next = index + 1; next < tokens.length; next += 1) {
      const { kind, text } = tokens[next] ?? token
      if (kind === 'open') continue
      if (kind !== 'word' && kind !== 'name') break
      path.push(text)
      if (tokens[next + 1]?.text !== '.') break
      next += 1
    }
    return path.length === 0 ? [] : [path.join('.')]
  })
  return [...new Set(tables)]
}

/**
 * The clauses without parts that keep a condition from being true.
 *
 * @param values what each clause was, by its place in `flatten`: `true`, `false`, or null for unknown
 */
export function decidingClauses(clause: Clause, values: readonly (boolean | null)[]): ReadonlySet<number> {
  const deciding = new Set<number>()
  const visit = (at: Clause, index: number, wanted: boolean): number => {
    let next = index + 1
    const isReason = values[index] !== wanted
    if (at.parts.length === 0) {
      if (isReason) deciding.add(index)
      return next
    }
    for (const part of at.parts) {
      const end = next + flatten(part).length
      if (isReason) visit(part, next, at.joined === 'not' ? !wanted : wanted)
      next = end
    }
    return next
  }
  visit(clause, 0, true)
  return deciding
}
