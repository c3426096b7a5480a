/** What was met or wanted where a parser stopped, in the order they are told. */
type Message =
  | { readonly kind: 'unexpected' | 'expected'; readonly text: string }
  /** The character at a place, or the end: looked up only when the message is told. */
  | { readonly kind: 'met'; readonly place: number }

/** Why parsing stopped: the furthest place, and what stood or was wanted there. */
export interface ParseProblem {
  readonly at: number
  readonly messages: readonly Message[]
}

interface Success<T> {
  readonly ok: true
  readonly value: T
  readonly at: number
  readonly consumed: boolean
  readonly problem: ParseProblem
}

interface Failure {
  readonly ok: false
  readonly consumed: boolean
  readonly problem: ParseProblem
}

export type Reply<T> = Success<T> | Failure

/**
 * A parser that commits once it has consumed input, as Parsec's do: an alternative is tried only when the one before
 * it consumed nothing. The words of PGRST100 depend on exactly this, so the rules are kept one by one.
 *
 * @see https://hackage.haskell.org/package/parsec/docs/Text-Parsec-Prim.html
 */
export type Parser<T> = (input: string, at: number) => Reply<T>

const silent = (at: number): ParseProblem => ({ at, messages: [] })

const merge = (left: ParseProblem, right: ParseProblem): ParseProblem => {
  if (right.messages.length === 0 && left.messages.length > 0) return left
  if (left.messages.length === 0 && right.messages.length > 0) return right
  if (left.at !== right.at) return left.at > right.at ? left : right
  return { at: left.at, messages: [...left.messages, ...right.messages] }
}

const expecting = (problem: ParseProblem, text: string): ParseProblem => ({
  at: problem.at,
  messages: [{ kind: 'expected', text }, ...problem.messages.filter((message) => message.kind !== 'expected')],
})

/** A text as Haskell's `show` writes it, which the messages quote. */
function shown(text: string, quote: '"' | "'" = '"'): string {
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

const characterAt = (input: string, at: number): string => {
  const unit = input.charCodeAt(at)
  // Most are one unit long; only a surrogate begins a longer one.
  if (unit < 0xd800 || unit > 0xdfff) return input.charAt(at)
  return Number.isNaN(unit) ? '' : String.fromCodePoint(input.codePointAt(at) ?? 0)
}

const met = (place: number): Message => ({ kind: 'met', place })

/** Always succeeds with `value` and consumes nothing. */
export const pure =
  <T>(value: T): Parser<T> =>
  (_input, at) => ({ ok: true, value, at, consumed: false, problem: silent(at) })

/** Refuses without a word. */
export const refuse: Parser<never> = (_input, at) => ({ ok: false, consumed: false, problem: silent(at) })

/** One character that satisfies `accepts`. */
export const satisfy =
  (accepts: (character: string) => boolean): Parser<string> =>
  (input, at) => {
    const character = characterAt(input, at)
    if (character !== '' && accepts(character)) {
      const next = at + character.length
      return { ok: true, value: character, at: next, consumed: true, problem: silent(next) }
    }
    return { ok: false, consumed: false, problem: { at, messages: [met(at)] } }
  }

/** Names what a parser reads, for the message when it reads nothing. */
export const label =
  <T>(parser: Parser<T>, text: string): Parser<T> =>
  (input, at) => {
    const reply = parser(input, at)
    if (reply.consumed) return reply
    if (reply.ok && reply.problem.messages.length === 0) return reply
    return { ...reply, problem: expecting(reply.problem, text) }
  }

export const char = (wanted: string): Parser<string> =>
  label(
    satisfy((character) => character === wanted),
    shown(wanted),
  )

/** Exactly this text. It has consumed as soon as its first character fits. */
export const literal = (wanted: string): Parser<string> => {
  const expected: Message = { kind: 'expected', text: shown(wanted) }
  return (input, at) => {
    if (input.startsWith(wanted, at)) {
      const next = at + wanted.length
      return { ok: true, value: wanted, at: next, consumed: true, problem: silent(next) }
    }
    let fits = 0
    while (fits < wanted.length && input[at + fits] === wanted[fits]) fits += 1
    const problem: ParseProblem = { at, messages: [met(at + fits), expected] }
    return { ok: false, consumed: fits > 0, problem }
  }
}

/**
 * The longest run of characters that `accepts`, at least `least`; `words` name them for the message at its end.
 * The same as repeating `satisfy`, without a reply for each character.
 */
export const run = (
  accepts: (character: string) => boolean,
  words: readonly string[],
  least: 0 | 1,
): Parser<string> => {
  const wanted = words.map((text): Message => ({ kind: 'expected', text }))
  return (input, at) => {
    let end = at
    for (;;) {
      const character = characterAt(input, end)
      if (character === '' || !accepts(character)) break
      end += character.length
    }
    const problem: ParseProblem = { at: end, messages: [met(end), ...wanted] }
    if (end === at && least === 1) return { ok: false, consumed: false, problem }
    return { ok: true, value: input.slice(at, end), at: end, consumed: end > at, problem }
  }
}

export const bind =
  <A, B>(first: Parser<A>, next: (value: A) => Parser<B>): Parser<B> =>
  (input, at) => {
    const left = first(input, at)
    if (!left.ok) return left
    const right = next(left.value)(input, left.at)
    if (right.consumed) return right
    return { ...right, consumed: left.consumed, problem: merge(left.problem, right.problem) }
  }

export const map = <A, B>(parser: Parser<A>, to: (value: A) => B): Parser<B> => bind(parser, (value) => pure(to(value)))

/** Both, keeping the first one's value. */
export const before = <A>(parser: Parser<A>, after: Parser<unknown>): Parser<A> =>
  bind(parser, (value) => map(after, () => value))

/** Both, keeping the second one's value. */
export const after = <B>(first: Parser<unknown>, parser: Parser<B>): Parser<B> => bind(first, () => parser)

/** The first of the parsers that does not refuse without consuming. */
export const either =
  <T>(...parsers: readonly Parser<T>[]): Parser<T> =>
  (input, at) => {
    let problem = silent(at)
    for (const parser of parsers) {
      const reply = parser(input, at)
      if (reply.consumed) return reply
      problem = merge(problem, reply.problem)
      if (reply.ok) return { ...reply, problem }
    }
    return { ok: false, consumed: false, problem }
  }

/** A failure inside counts as not having consumed, so that the next alternative gets its turn. */
export const attempt =
  <T>(parser: Parser<T>): Parser<T> =>
  (input, at) => {
    const reply = parser(input, at)
    return reply.ok ? reply : { ...reply, consumed: false }
  }

/** Reads without moving on. */
export const lookAhead =
  <T>(parser: Parser<T>): Parser<T> =>
  (input, at) => {
    const reply = parser(input, at)
    return reply.ok ? { ok: true, value: reply.value, at, consumed: false, problem: silent(at) } : reply
  }

/** Succeeds, consuming nothing, where `parser` would not. */
export const notFollowedBy =
  (parser: Parser<string>): Parser<null> =>
  (input, at) => {
    const reply = parser(input, at)
    if (!reply.ok) return { ok: true, value: null, at, consumed: false, problem: reply.problem }
    const problem: ParseProblem = { at: reply.at, messages: [{ kind: 'unexpected', text: shown(reply.value, "'") }] }
    return { ok: false, consumed: false, problem }
  }

/** The end. What stands there instead is told at its own place. */
export const endOfInput: Parser<null> = label((input, at) => {
  if (at >= input.length) {
    return { ok: true, value: null, at, consumed: false, problem: { at, messages: [met(at)] } }
  }
  const unexpected: Message = { kind: 'unexpected', text: shown(characterAt(input, at), "'") }
  return { ok: false, consumed: false, problem: { at, messages: [unexpected] } }
}, 'end of input')

export const many =
  <T>(parser: Parser<T>): Parser<readonly T[]> =>
  (input, at) => {
    const values: T[] = []
    let position = at
    for (;;) {
      const reply = parser(input, position)
      if (!reply.ok) {
        if (reply.consumed) return reply
        return { ok: true, value: values, at: position, consumed: position > at, problem: reply.problem }
      }
      // A parser that succeeds without consuming would repeat for ever.
      if (!reply.consumed) return { ...reply, value: values, consumed: position > at }
      values.push(reply.value)
      position = reply.at
    }
  }

export const sepBy1 = <T>(parser: Parser<T>, separator: Parser<unknown>): Parser<readonly T[]> =>
  bind(parser, (first) => map(many(after(separator, parser)), (rest) => [first, ...rest]))

export const option = <T, D>(parser: Parser<T>, otherwise: D): Parser<T | D> =>
  either<T | D>(parser, pure<T | D>(otherwise))

/** A parser that is looked up when it runs, for grammars that contain themselves. */
export const lazy =
  <T>(parser: () => Parser<T>): Parser<T> =>
  (input, at) =>
    parser()(input, at)

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

const listed = (texts: readonly string[]): string => {
  const unique = [...new Set(texts.filter((text) => text !== ''))]
  const last = unique.pop()
  if (last === undefined) return ''
  return unique.length === 0 ? last : `${unique.join(', ')} or ${last}`
}

/** The problem in one line: what was unexpected, then what was expected. */
export function describe(problem: ParseProblem, input: string): string {
  const of = (kind: 'unexpected' | 'expected'): string[] =>
    problem.messages.flatMap((message) => (message.kind === kind ? [message.text] : []))
  const firstMet = problem.messages.find((message) => message.kind === 'met')
  const unexpected = of('unexpected')
  const expected = listed(of('expected'))
  const parts: string[] = []
  if (unexpected.length > 0) parts.push(`unexpected ${listed(unexpected)}`)
  else if (firstMet !== undefined) {
    const character = characterAt(input, firstMet.place)
    parts.push(`unexpected ${character === '' ? 'end of input' : shown(character)}`)
  }
  if (expected !== '') parts.push(`expecting ${expected}`)
  return parts.length === 0 ? 'unknown parse error' : parts.join(' ')
}
