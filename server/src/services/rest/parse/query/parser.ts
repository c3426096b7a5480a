import {
  type Cursor,
  cursorOf,
  type Failure,
  fail,
  failure,
  hasMessages,
  mergeProblem,
  problemOf,
  setProblem,
  succeed,
} from './cursor.ts'
import { type ParseProblem, shown, type Texts } from './parse-problem.ts'

/**
 * A parser that commits once it has consumed input, as Parsec's do: an alternative is tried only when the one before
 * it consumed nothing. The messages of PGRST100 depend on exactly this, so the rules are kept one by one.
 *
 * @see https://hackage.haskell.org/package/parsec/docs/Text-Parsec-Prim.html
 */
export type Parser<T> = (cursor: Cursor) => T | Failure

/**
 * Runs a parser at the beginning of a text. Text that it leaves over is ignored.
 *
 * @param countPart called for each `part` that is read; what it throws ends the parsing
 */
export function parseText<T>(
  parser: Parser<T>,
  input: string,
  countPart: () => void,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: ParseProblem } {
  const cursor = cursorOf(input, countPart)
  const value = parser(cursor)
  return value === failure ? { ok: false, problem: problemOf(cursor) } : { ok: true, value }
}

/** Runs the parser that follows another whose reply the cursor holds, and leaves the reply of both. */
function follow<T>(cursor: Cursor, parser: Parser<T>): T | Failure {
  const { consumed, problemAt, metAt, unexpected, expected } = cursor
  const value = parser(cursor)
  if (cursor.consumed) return value
  mergeProblem(cursor, problemAt, metAt, unexpected, expected)
  cursor.consumed = consumed
  return value
}

/** Always succeeds with `value` and consumes nothing. */
export const pure =
  <T>(value: T): Parser<T> =>
  (cursor) =>
    succeed(cursor, cursor.at, false, value)

/** Fails without a message. */
export const refuse: Parser<never> = (cursor) => fail(cursor, false, cursor.at, -1, null, null)

/** Names what a parser reads, for the message when it reads nothing. */
export const label =
  <T>(parser: Parser<T>, text: string): Parser<T> =>
  (cursor) => {
    const value = parser(cursor)
    if (!cursor.consumed && (value === failure || hasMessages(cursor))) cursor.expected = text
    return value
  }

export const bind =
  <A, B>(first: Parser<A>, next: (value: A) => Parser<B>): Parser<B> =>
  (cursor) => {
    const value = first(cursor)
    return value === failure ? failure : follow(cursor, next(value))
  }

/** Both, their values put together. */
export const both =
  <A, B, C>(first: Parser<A>, second: Parser<B>, to: (first: A, second: B) => C): Parser<C> =>
  (cursor) => {
    const left = first(cursor)
    if (left === failure) return failure
    const right = follow(cursor, second)
    return right === failure ? failure : to(left, right)
  }

export const map =
  <A, B>(parser: Parser<A>, to: (value: A) => B): Parser<B> =>
  (cursor) => {
    const value = parser(cursor)
    return value === failure ? failure : to(value)
  }

/** Both, keeping the first one's value. */
export const before = <A>(parser: Parser<A>, after: Parser<unknown>): Parser<A> => both(parser, after, (value) => value)

/** Both, keeping the second one's value. */
export const after = <B>(first: Parser<unknown>, parser: Parser<B>): Parser<B> =>
  both(first, parser, (_, value) => value)

type ValuesOf<Parsers extends readonly Parser<unknown>[]> = {
  [Index in keyof Parsers]: Exclude<ReturnType<Parsers[Index]>, Failure>
}

/** The parsers one after another, their values put together. */
export const sequence =
  <Parsers extends readonly Parser<unknown>[], T>(
    parsers: readonly [...Parsers],
    to: (...values: ValuesOf<Parsers>) => T,
  ): Parser<T> =>
  (cursor) => {
    const values: unknown[] = []
    succeed(cursor, cursor.at, false, null)
    for (const parser of parsers) {
      const value = follow(cursor, parser)
      if (value === failure) return failure
      values.push(value)
    }
    // One value of each parser, in their order.
    return to(...(values as ValuesOf<Parsers>))
  }

/** The first of the parsers that succeeds, or that fails after it has consumed. */
export const either =
  <T>(...parsers: readonly Parser<T>[]): Parser<T> =>
  (cursor) => {
    const from = cursor.at
    let at = from
    let metAt = -1
    let unexpected: Texts | null = null
    let expected: Texts | null = null
    for (const parser of parsers) {
      cursor.at = from
      const value = parser(cursor)
      if (cursor.consumed) return value
      mergeProblem(cursor, at, metAt, unexpected, expected)
      if (value !== failure) return value
      at = cursor.problemAt
      metAt = cursor.metAt
      unexpected = cursor.unexpected
      expected = cursor.expected
    }
    return failure
  }

/** A failure inside counts as not having consumed, so that the next alternative gets its turn. */
export const attempt =
  <T>(parser: Parser<T>): Parser<T> =>
  (cursor) => {
    const value = parser(cursor)
    if (value === failure) cursor.consumed = false
    return value
  }

/** Reads without moving on. */
export const lookAhead =
  <T>(parser: Parser<T>): Parser<T> =>
  (cursor) => {
    const { at } = cursor
    const value = parser(cursor)
    return value === failure ? failure : succeed(cursor, at, false, value)
  }

/** Succeeds, consuming nothing, where `parser` would not. */
export const notFollowedBy =
  (parser: Parser<string>): Parser<null> =>
  (cursor) => {
    const { at } = cursor
    const value = parser(cursor)
    if (value !== failure) return fail(cursor, false, cursor.at, -1, shown(value, "'"), null)
    cursor.at = at
    cursor.consumed = false
    return null
  }

/** `values`, and after them the parser's until it fails. */
const manyAfter =
  <T>(parser: Parser<T>, values: T[]): Parser<readonly T[]> =>
  (cursor) => {
    const from = cursor.at
    let position = from
    for (;;) {
      const value = parser(cursor)
      if (value === failure) {
        if (cursor.consumed) return failure
        cursor.at = position
        cursor.consumed = position > from
        return values
      }
      // A parser that succeeds without consuming would repeat for ever.
      if (!cursor.consumed) {
        cursor.consumed = position > from
        return values
      }
      values.push(value)
      position = cursor.at
    }
  }

export const many =
  <T>(parser: Parser<T>): Parser<readonly T[]> =>
  (cursor) =>
    manyAfter(parser, [])(cursor)

export const sepBy1 = <T>(parser: Parser<T>, separator: Parser<unknown>): Parser<readonly T[]> => {
  const next = after(separator, parser)
  return bind(parser, (first) => manyAfter(next, [first]))
}

export const option = <T, D>(parser: Parser<T>, otherwise: D): Parser<T | D> =>
  either<T | D>(parser, pure<T | D>(otherwise))

/** A parser that is looked up when it runs, for grammars that contain themselves. */
export const lazy =
  <T>(parser: () => Parser<T>): Parser<T> =>
  (cursor) =>
    parser()(cursor)

/** Counts what the parser reads as a part of the text. */
export const part =
  <T>(parser: Parser<T>): Parser<T> =>
  (cursor) => {
    const value = parser(cursor)
    if (value !== failure) cursor.countPart()
    return value
  }

/**
 * A parser with which many alternatives of a grammar begin at one place: its latest reply is remembered.
 */
export const remembered =
  <T>(parser: Parser<T>): Parser<T> =>
  (cursor) => {
    const { at: from, latest } = cursor
    if (latest?.from === from) {
      const { at, consumed, value, problem } = latest
      cursor.at = at
      cursor.consumed = consumed
      setProblem(cursor, problem.at, problem.metAt, problem.unexpected, problem.expected)
      // Only this parser's replies are kept here.
      return value as T | Failure
    }
    const value = parser(cursor)
    cursor.latest = { from, value, at: cursor.at, consumed: cursor.consumed, problem: problemOf(cursor) }
    return value
  }
