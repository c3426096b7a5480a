/**
 * Splits a script into its statements at the semicolons that end one: not those in strings, quoted names, dollar
 * quotes, comments, parentheses or a `begin atomic … end` body. Comments stay with the statement that follows them;
 * pieces that hold nothing but comments and space are left out.
 *
 * @see https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 */
export const splitStatements = (script: string): readonly string[] => locateStatements(script).map(({ text }) => text)

/** A statement of a script. */
export interface LocatedStatement {
  readonly text: string
  /** Where it begins in the script, in UTF-16 units. */
  readonly at: number
}

/** The statements of a script as `splitStatements` finds them, each with its place. */
export function locateStatements(script: string): readonly LocatedStatement[] {
  const statements: LocatedStatement[] = []
  let start = 0
  let at = 0
  let depth = 0
  let hasCode = false
  const atomic: string[] = []
  const end = (to: number): void => {
    if (hasCode) {
      const text = script.slice(start, to)
      statements.push({ text: text.trim(), at: start + text.length - text.trimStart().length })
    }
    start = to + 1
    hasCode = false
  }
  while (at < script.length) {
    const skipped = skipQuoted(script, at)
    if (skipped !== null) {
      hasCode ||= !skipped.comment
      at = skipped.end
      continue
    }
    const char = script[at] ?? ''
    const word = /^[A-Za-z_][A-Za-z0-9_$]*/.exec(script.slice(at, at + 64))?.[0].toLowerCase()
    if (word !== undefined) {
      hasCode = true
      if (word === 'atomic' && /\bbegin\s+$/i.test(script.slice(Math.max(start, at - 40), at))) atomic.push('atomic')
      else if (atomic.length > 0 && word === 'case') atomic.push('case')
      else if (atomic.length > 0 && word === 'end') atomic.pop()
      at += wordLength(script, at)
      continue
    }
    if (char === '(' || char === '[') depth += 1
    if (char === ')' || char === ']') depth = Math.max(0, depth - 1)
    if (char === ';' && depth === 0 && atomic.length === 0) end(at)
    else if (!/\s/.test(char)) hasCode = true
    at += 1
  }
  end(script.length)
  return statements
}

/** A statement from its first word on, without the space, comments and parentheses before it. */
export function withoutLeading(statement: string): string {
  let at = 0
  while (at < statement.length) {
    const skipped = skipQuoted(statement, at)
    if (skipped?.comment === true) at = skipped.end
    else if (/[\s(;]/.test(statement[at] ?? '')) at += 1
    else break
  }
  return statement.slice(at)
}

/**
 * A script without what changes nothing in it: comments, space and the semicolons between statements. Two scripts that
 * differ in these alone have one text.
 */
export function significantText(script: string): string {
  let text = ''
  let at = 0
  while (at < script.length) {
    const skipped = skipQuoted(script, at)
    if (skipped !== null) {
      if (!skipped.comment) text += script.slice(at, skipped.end)
      at = skipped.end
      continue
    }
    // Plain text up to the next quote, comment or dollar, which may only look like one.
    const plain = /[^"'$/-]+|["'$/-]/y
    plain.lastIndex = at
    const piece = plain.exec(script)?.[0] ?? ''
    text += piece.replaceAll(/[\s;]+/g, '')
    at += piece.length
  }
  return text
}

function wordLength(script: string, from: number): number {
  let at = from
  while (at < script.length && /[A-Za-z0-9_$]/.test(script[at] ?? '')) at += 1
  return at - from
}

function skipQuoted(script: string, at: number): { readonly end: number; readonly comment: boolean } | null {
  const rest = (open: string, close: string, comment: boolean) => {
    const found = script.indexOf(close, at + open.length)
    return { end: found === -1 ? script.length : found + close.length, comment }
  }
  const two = script.slice(at, at + 2)
  if (two === '--') return rest('--', '\n', true)
  if (two === '/*') return { end: blockCommentEnd(script, at), comment: true }
  const char = script[at]
  if (char === '"') return { end: stringEnd(script, at, '"', false), comment: false }
  if (char === "'") {
    const escapes = /(^|[^A-Za-z0-9_$])[eE]$/.test(script.slice(Math.max(0, at - 2), at))
    return { end: stringEnd(script, at, "'", escapes), comment: false }
  }
  if (char === '$' && !/[A-Za-z0-9_$]/.test(script[at - 1] ?? '')) {
    const tag = /^\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/.exec(script.slice(at, at + 130))?.[0]
    if (tag !== undefined) return rest(tag, tag, false)
  }
  return null
}

function blockCommentEnd(script: string, from: number): number {
  let depth = 0
  let at = from
  while (at < script.length) {
    const two = script.slice(at, at + 2)
    if (two === '/*') depth += 1
    if (two === '*/') depth -= 1
    at += two === '/*' || two === '*/' ? 2 : 1
    if (depth === 0) return at
  }
  return script.length
}

function stringEnd(script: string, from: number, quote: string, escapes: boolean): number {
  let at = from + 1
  while (at < script.length) {
    if (escapes && script[at] === '\\') at += 2
    else if (script[at] !== quote) at += 1
    else if (script[at + 1] === quote) at += 2
    else return at + 1
  }
  return script.length
}
