/** Texts in the order they are listed, joined only when a message is written. */
export type Texts = string | { readonly left: Texts; readonly right: Texts }

/** Why parsing stopped: the furthest place, and what stood or was wanted there. */
export interface ParseProblem {
  readonly at: number
  /** The place of the character that was met, to be named when nothing else was unexpected; -1 for none. */
  readonly metAt: number
  readonly unexpected: Texts | null
  readonly expected: Texts | null
}

/** Both, in their order; null where there is none. */
export const joined = (left: Texts | null, right: Texts | null): Texts | null =>
  left === null ? right : right === null ? left : { left, right }

/** A text as Haskell's `show` writes it, which the messages quote. */
export function shown(text: string, quote: '"' | "'" = '"'): string {
  let out = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (character === quote || character === '\\') out += `\\${character}`
    else if (character === '\n') out += '\\n'
    else if (character === '\t') out += '\\t'
    else if (character === '\r') out += '\\r'
    else out += code < 32 || code > 126 ? `\\${code}` : character
  }
  return `${quote}${out}${quote}`
}

/** The character at a place, of one or two units; empty at the end. */
export const characterAt = (input: string, at: number): string => {
  const unit = input.charCodeAt(at)
  // Most are one unit long; only a surrogate begins a longer one.
  if (unit < 0xd800 || unit > 0xdfff) return input.charAt(at)
  return Number.isNaN(unit) ? '' : String.fromCodePoint(input.codePointAt(at) ?? 0)
}

/** `(line 1, column N)` of a place, counted in characters; a tab moves to the next eighth column. */
export function placeOf(input: string, at: number): string {
  let line = 1
  let column = 1
  for (const character of input.slice(0, at)) {
    if (character === '\n') {
      line += 1
      column = 1
    } else column += character === '\t' ? 8 - ((column - 1) % 8) : 1
  }
  return `(line ${line}, column ${column})`
}

/** The texts in their order, each once. */
function unique(texts: Texts | null): string[] {
  const found = new Set<string>()
  const waiting = texts === null ? [] : [texts]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') found.add(next)
    else waiting.push(next.right, next.left)
  }
  return [...found].filter((text) => text !== '')
}

const listed = (texts: Texts | null): string => {
  const all = unique(texts)
  const last = all.pop()
  if (last === undefined) return ''
  return all.length === 0 ? last : `${all.join(', ')} or ${last}`
}

/** The problem in one line: what was unexpected, then what was expected. */
export function describe(problem: ParseProblem, input: string): string {
  const expected = listed(problem.expected)
  const parts: string[] = []
  if (problem.unexpected !== null) parts.push(`unexpected ${listed(problem.unexpected)}`)
  else if (problem.metAt >= 0) {
    const character = characterAt(input, problem.metAt)
    parts.push(`unexpected ${character === '' ? 'end of input' : shown(character)}`)
  }
  if (expected !== '') parts.push(`expecting ${expected}`)
  return parts.length === 0 ? 'unknown parse error' : parts.join(' ')
}
