import { joined, type ParseProblem, type Texts } from './parse-problem.ts'

/**
 * A text being read. A parser leaves its reply here: an object for each reply would cost more than the parsing.
 * After a failure `at` has no meaning; the parser that goes on sets it.
 */
export interface Cursor {
  readonly input: string
  readonly countPart: () => void
  at: number
  /** Whether the parser that just returned has read anything. */
  consumed: boolean
  problemAt: number
  metAt: number
  unexpected: Texts | null
  expected: Texts | null
  /** The latest reply of `remembered`. */
  latest: Remembered | null
}

interface Remembered {
  readonly from: number
  readonly value: unknown
  readonly at: number
  readonly consumed: boolean
  readonly problem: ParseProblem
}

/** What a parser returns instead of a value when it fails. */
export const failure = Symbol('failure')
export type Failure = typeof failure

/** The cursor at the beginning of a text. @param countPart called for each `part` that is read */
export const cursorOf = (input: string, countPart: () => void): Cursor => ({
  input,
  countPart,
  at: 0,
  consumed: false,
  problemAt: 0,
  metAt: -1,
  unexpected: null,
  expected: null,
  latest: null,
})

/** The problem that the cursor holds. */
export const problemOf = ({ problemAt, metAt, unexpected, expected }: Cursor): ParseProblem => ({
  at: problemAt,
  metAt,
  unexpected,
  expected,
})

export function setProblem(
  cursor: Cursor,
  at: number,
  metAt: number,
  unexpected: Texts | null,
  expected: Texts | null,
): void {
  cursor.problemAt = at
  cursor.metAt = metAt
  cursor.unexpected = unexpected
  cursor.expected = expected
}

/** Leaves the reply of a parser that read up to `at`, and returns its value. */
export function succeed<T>(cursor: Cursor, at: number, consumed: boolean, value: T): T {
  cursor.at = at
  cursor.consumed = consumed
  setProblem(cursor, at, -1, null, null)
  return value
}

/** Leaves the reply of a parser that failed. */
export function fail(
  cursor: Cursor,
  consumed: boolean,
  at: number,
  metAt: number,
  unexpected: Texts | null,
  expected: Texts | null,
): Failure {
  cursor.consumed = consumed
  setProblem(cursor, at, metAt, unexpected, expected)
  return failure
}

export const hasMessages = ({ metAt, unexpected, expected }: Omit<ParseProblem, 'at'>): boolean =>
  metAt >= 0 || unexpected !== null || expected !== null

/** Merges the problem of the parser before into the one that the cursor holds: the furthest counts. */
export function mergeProblem(
  cursor: Cursor,
  at: number,
  metAt: number,
  unexpected: Texts | null,
  expected: Texts | null,
): void {
  const isSilent = metAt < 0 && unexpected === null && expected === null
  if (isSilent === !hasMessages(cursor)) {
    if (at < cursor.problemAt) return
    if (at > cursor.problemAt) setProblem(cursor, at, metAt, unexpected, expected)
    else if (!isSilent) {
      setProblem(
        cursor,
        at,
        metAt >= 0 ? metAt : cursor.metAt,
        joined(unexpected, cursor.unexpected),
        joined(expected, cursor.expected),
      )
    }
  } else if (!isSilent) setProblem(cursor, at, metAt, unexpected, expected)
}
