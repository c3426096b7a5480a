/** A value asked for: a path into the data, a variable, a constant, or the result of a function. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'field'; readonly of: Expression | null; readonly path: readonly string[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] }

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: Expression }
  | { readonly kind: 'set'; readonly name: string; readonly value: Expression; readonly isNew: boolean }
  | { readonly kind: 'if'; readonly condition: Expression; readonly then: Template; readonly otherwise: Template }
  | { readonly kind: 'with'; readonly value: Expression; readonly then: Template; readonly otherwise: Template }
  | {
      readonly kind: 'range'
      readonly value: Expression
      /** Names of the variables for key and element. */
      readonly names: readonly string[]
      readonly each: Template
      readonly otherwise: Template
    }

export type Template = readonly Node[]

/** The functions that a template may call. */
const functionNames = [
  'and',
  'or',
  'not',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'len',
  'index',
  'print',
  'printf',
  'html',
  'urlquery',
] as const

export type FunctionName = (typeof functionNames)[number]

/** Why a text is no template. */
export class TemplateError extends Error {}

const maxDepth = 50

/**
 * Reads the part of Go's template language that mails use: values, `if`, `with`, `range`, variables, pipelines, comments
 * and trimming; no named templates.
 *
 * @throws TemplateError
 * @see    https://pkg.go.dev/text/template
 */
export function parseTemplate(source: string): Template {
  const actions = splitActions(source)
  let at = 0

  function parseList(depth: number): { readonly nodes: Template; readonly end: string } {
    if (depth > maxDepth) throw new TemplateError('nested too deeply')
    const nodes: Node[] = []
    for (;;) {
      const next = actions[at]
      at += 1
      if (next === undefined) return { nodes, end: '' }
      if (next.kind === 'text') {
        if (next.text !== '') nodes.push(next)
        continue
      }
      if (/^(end|else)\b/.test(next.code)) return { nodes, end: next.code }
      nodes.push(parseAction(next.code, depth))
    }
  }

  function parseAction(code: string, depth: number): Node {
    const word = /^(if|with|range|define|template|block|break|continue)\b/.exec(code)?.[1]
    const rest = code.slice(word?.length ?? 0).trim()
    if (word === undefined) return parsePlain(code)
    if (word === 'if' || word === 'with' || word === 'range') return parseBranch(word, rest, depth)
    throw new TemplateError(`{{ ${word} }} is not known`)
  }

  function parseBranch(word: 'if' | 'with' | 'range', rest: string, depth: number): Node {
    const { names, value } = parseHead(word, rest)
    const { nodes: then, end } = parseList(depth + 1)
    const otherwise = parseElse(word, end, depth)
    if (word === 'range') return { kind: 'range', value, names, each: then, otherwise }
    return word === 'if' ? { kind: 'if', condition: value, then, otherwise } : { kind: 'with', value, then, otherwise }
  }

  function parseElse(word: 'if' | 'with' | 'range', end: string, depth: number): Template {
    if (end === 'end') return []
    const chained = /^else\s+(if|with)\b(.*)$/s.exec(end)
    // `else if` shares the `end` of its `if`.
    if (chained !== null && chained[1] === word) return [parseBranch(word, (chained[2] ?? '').trim(), depth + 1)]
    if (end !== 'else') throw new TemplateError(end === '' ? `{{ ${word} }} has no {{ end }}` : `{{ ${end} }} is odd`)
    const { nodes, end: last } = parseList(depth + 1)
    if (last !== 'end') throw new TemplateError(`{{ ${word} }} has no {{ end }}`)
    return nodes
  }

  const { nodes, end } = parseList(0)
  if (end !== '') throw new TemplateError(`{{ ${end} }} has no beginning`)
  return nodes
}

/** Whether a text is a template. */
export function isTemplate(source: string): boolean {
  try {
    parseTemplate(source)
    return true
  } catch {
    return false
  }
}

/** An action that prints or sets; `$x := value` prints nothing. */
function parsePlain(code: string): Node {
  const set = /^\$(\w+)\s*(:?=)(.*)$/s.exec(code)
  if (set === null) return { kind: 'value', value: parsePipeline(code) }
  return { kind: 'set', name: set[1] ?? '', isNew: set[2] === ':=', value: parsePipeline(set[3] ?? '') }
}

function parseHead(word: string, text: string): { readonly names: readonly string[]; readonly value: Expression } {
  const set = /^(\$\w+(?:\s*,\s*\$\w+)?)\s*:=(.*)$/s.exec(text)
  const names = set === null ? [] : (set[1] ?? '').split(',').map((name) => name.trim().slice(1))
  if (word !== 'range' && names.length > 0) throw new TemplateError(`{{ ${word} }} names no variable here`)
  return { names, value: parsePipeline(set?.[2] ?? text) }
}

type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'action'; readonly code: string }

/** Cuts a text at `{{ … }}`; `{{-` and `-}}` take the white space beside them away, comments vanish. */
function splitActions(source: string): readonly Piece[] {
  const pieces: Piece[] = []
  const action =
    /\{\{(-\s)?(\s*\/\*[\s\S]*?\*\/\s*?|(?:"(?:\\.|[^"\\\n])*"|`[^`]*`|(?!\s-\}\}|\}\}|\/\*)[^"`])*)(\s-)?\}\}/y
  let from = 0
  let trimNext = false
  for (;;) {
    const start = source.indexOf('{{', from)
    const raw = source.slice(from, start === -1 ? undefined : start)
    const text = trimNext ? raw.trimStart() : raw
    if (start === -1) return [...pieces, { kind: 'text', text }]
    action.lastIndex = start
    const match = action.exec(source)
    if (match === null) throw new TemplateError('{{ is not closed')
    const [whole, trimBefore, code = '', trimAfter] = match
    pieces.push({ kind: 'text', text: trimBefore === undefined ? text : text.trimEnd() })
    const trimmed = code.trim()
    if (trimmed === '') throw new TemplateError('{{ }} says nothing')
    if (!/^\/\*[\s\S]*\*\/$/.test(trimmed)) pieces.push({ kind: 'action', code: trimmed })
    from = start + whole.length
    trimNext = trimAfter !== undefined
  }
}

const tokenForm =
  /\s*(?:("(?:\\.|[^"\\\n])*")|`([^`]*)`|(-?\d+(?:\.\d+)?)|((?:\$\w*)?(?:\.\w+)+|\$\w*|\.)|(\w+)|([()|]))/y

type Token =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'path'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string }

function tokens(code: string): readonly Token[] {
  const found: Token[] = []
  tokenForm.lastIndex = 0
  const end = code.trimEnd().length
  while (tokenForm.lastIndex < end) {
    const match = tokenForm.exec(code)
    if (match === null) throw new TemplateError(`{{ ${code} }} cannot be read`)
    const [, quoted, raw, number, path, word, sign] = match
    if (quoted !== undefined) found.push({ kind: 'constant', value: unquote(quoted) })
    else if (raw !== undefined) found.push({ kind: 'constant', value: raw })
    else if (number !== undefined) found.push({ kind: 'constant', value: Number(number) })
    else if (path !== undefined) found.push({ kind: 'path', text: path })
    else if (word !== undefined) found.push({ kind: 'word', text: word })
    else found.push({ kind: 'sign', text: sign ?? '' })
  }
  return found
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    throw new TemplateError(`${quoted} is no text`)
  }
}

/** `a | f b` is `f b a`. */
function parsePipeline(code: string): Expression {
  const all = tokens(code)
  let at = 0

  function pipeline(depth: number): Expression {
    if (depth > maxDepth) throw new TemplateError('nested too deeply')
    let value = command(depth, null)
    while (isSign(all[at], '|')) {
      at += 1
      value = command(depth, value)
    }
    return value
  }

  function command(depth: number, piped: Expression | null): Expression {
    const first = all[at]
    const after = piped === null ? [] : [piped]
    const name = first?.kind === 'word' ? functionNames.find((known) => known === first.text) : undefined
    if (name === undefined) {
      const value = operand(depth)
      if (piped !== null) throw new TemplateError(`{{ ${code} }} pipes into what is no function`)
      return value
    }
    at += 1
    const operands: Expression[] = []
    while (at < all.length && !isSign(all[at], '|') && !isSign(all[at], ')')) operands.push(operand(depth))
    return { kind: 'call', name, arguments: [...operands, ...after] }
  }

  function operand(depth: number): Expression {
    const token = all[at]
    at += 1
    if (token === undefined) throw new TemplateError(`{{ ${code} }} ends early`)
    if (token.kind === 'constant') return token
    if (token.kind === 'path') return parsePath(token.text)
    if (token.kind === 'word') return parseWord(token.text)
    if (token.text !== '(') throw new TemplateError(`{{ ${code} }} cannot be read`)
    const value = pipeline(depth + 1)
    if (!isSign(all[at], ')')) throw new TemplateError(`{{ ${code} }} does not close a bracket`)
    at += 1
    const next = all[at]
    if (next?.kind !== 'path' || !/^\.\w/.test(next.text)) return value
    at += 1
    return { kind: 'field', of: value, path: next.text.slice(1).split('.') }
  }

  const value = pipeline(0)
  if (at < all.length) throw new TemplateError(`{{ ${code} }} cannot be read`)
  return value
}

const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === 'sign' && token.text === sign

function parseWord(word: string): Expression {
  if (word === 'true' || word === 'false') return { kind: 'constant', value: word === 'true' }
  if (word === 'nil') return { kind: 'constant', value: null }
  const name = functionNames.find((known) => known === word)
  if (name !== undefined) return { kind: 'call', name, arguments: [] }
  throw new TemplateError(`"${word}" is no function`)
}

/** `.Data.name`, `$name.first`, `.` for the data at hand, `$` for all of it. */
function parsePath(text: string): Expression {
  if (text === '.') return { kind: 'field', of: null, path: [] }
  const [start = '', ...path] = text.split('.')
  if (start === '') return { kind: 'field', of: null, path }
  const of: Expression = { kind: 'variable', name: start.slice(1) }
  return path.length === 0 ? of : { kind: 'field', of, path }
}
