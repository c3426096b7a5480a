import { isDatabaseError, type Session, sqlStateOf } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Condition, Operator } from './filter.ts'

/** A pattern of a filter, and a value that is held against it. */
export interface PatternTest {
  readonly pattern: Pattern
  readonly value: string
}

/** A pattern as PostgreSQL understands it: a regular expression, or one of LIKE. */
export interface Pattern {
  readonly text: string
  readonly operator: '~' | '~*' | '~~' | '~~*'
}

/** What the database says of tests. */
export interface PatternAnswers {
  holds(test: PatternTest): boolean
  /** Patterns that took longer than they may, or that the database does not take: nothing is known of them. */
  readonly failed: ReadonlySet<string>
}

/** Asks the database about patterns: it can be stopped, and an engine in this process could not. */
export interface Patterns {
  ask(role: string, tests: readonly PatternTest[]): Promise<PatternAnswers>
  /** Why a pattern is not taken; null for one that is. */
  problemOf(role: string, pattern: Pattern): Promise<string | null>
}

const operatorOf: Readonly<Partial<Record<Operator, Pattern['operator']>>> = {
  match: '~',
  imatch: '~*',
  like: '~~',
  ilike: '~~*',
}

/** The pattern of a condition; null for one that has none. */
export function patternOf({ operator: name, values: [text = ''] }: Condition): Pattern | null {
  const operator = operatorOf[name]
  return operator === undefined ? null : { text, operator }
}

/** Names a pattern. */
export const patternKey = ({ text, operator }: Pattern): string => `${operator} ${text}`

const longestPattern = 1000
/** Only with references to what was matched before does a match cost more than its text times its pattern. */
const hasBackReference = (text: string): boolean => /(?:^|[^\\])(?:\\\\)*\\[1-9]/.test(text)
const endsWithEscape = (text: string): boolean => (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 1

/** What PostgreSQL would say when it comes to that place, or takes too long over. */
function problemOfText({ text, operator }: Pattern): string | null {
  if (text.length > longestPattern) return `a pattern has at most ${longestPattern} characters`
  if (operator === '~~' || operator === '~~*')
    return endsWithEscape(text) ? 'LIKE pattern must not end with escape character' : null
  return hasBackReference(text) ? 'a regular expression may not refer back to what it has matched' : null
}

/** @param limitMs how long one question may take */
export function createPatterns(session: Pick<Session, 'run'>, limitMs: number): Patterns {
  const run = async (role: string, tests: readonly PatternTest[]): Promise<ReadonlySet<string>> => {
    const values = placesOf(tests.map(({ value }) => value))
    const patterns = placesOf(tests.map(({ pattern }) => patternKey(pattern)))
    const byKey = new Map(tests.map(({ pattern }) => [patternKey(pattern), pattern]))
    // What several subscribers ask is asked once.
    const asked = new Map(
      tests.map((test) => {
        const places = { value: values.get(test.value), pattern: patterns.get(patternKey(test.pattern)) }
        return [`${places.value} ${places.pattern}`, { test, ...places }] as const
      }),
    )
    const questions = [...asked.values()]
    const { rows } = await session.run<{ place: string }>({
      role,
      settings: [['statement_timeout', String(limitMs)]],
      statement: {
        text: testStatement,
        values: [
          [...values.keys()],
          [...patterns.keys()].map((key) => byKey.get(key)?.text),
          [...patterns.keys()].map((key) => byKey.get(key)?.operator),
          questions.map(({ value }) => value),
          questions.map(({ pattern }) => pattern),
        ],
      },
      readOnly: true,
      // It may take its whole time, and no other caller's statement waits for it.
      isVolatile: true,
      attribute: false,
      end: 'commit',
      context: null,
    })
    return new Set(rows.flatMap(({ place }) => testKey(questions[Number(place) - 1]?.test)))
  }

  /** Each pattern by itself, so that one that fails takes no other with it. */
  const runEach = async (role: string, tests: readonly PatternTest[]): Promise<PatternAnswers> => {
    const fulfilled = new Set<string>()
    const failed = new Set<string>()
    const byPattern = new Map<string, PatternTest[]>()
    for (const test of tests) {
      const key = patternKey(test.pattern)
      byPattern.set(key, [...(byPattern.get(key) ?? []), test])
    }
    for (const [key, ofPattern] of byPattern)
      try {
        for (const each of await run(role, ofPattern)) fulfilled.add(each)
      } catch (error) {
        if (!isDatabaseError(error)) throw error
        failed.add(key)
      }
    return answers(fulfilled, failed)
  }

  return {
    async ask(role, tests) {
      if (tests.length === 0) return answers(new Set(), new Set())
      try {
        return answers(await run(role, tests), new Set())
      } catch (error) {
        if (!isDatabaseError(error)) throw error
        return runEach(role, tests)
      }
    },
    async problemOf(role, pattern) {
      const problem = problemOfText(pattern)
      if (problem !== null) return problem
      try {
        await run(role, [{ pattern, value: '' }])
        return null
      } catch (error) {
        if (!isDatabaseError(error)) throw error
        return sqlStateOf(error) === queryCanceled ? 'the pattern takes too long' : messageOf(error)
      }
    },
  }
}

/** Different texts with their places, counted from 1. */
function placesOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const text of texts) if (!places.has(text)) places.set(text, places.size + 1)
  return places
}

const queryCanceled = '57014'

const answers = (fulfilled: ReadonlySet<string>, failed: ReadonlySet<string>): PatternAnswers => ({
  holds: (test) => fulfilled.has(testKey(test)[0] ?? ''),
  failed,
})

const testKey = (test: PatternTest | undefined): readonly string[] =>
  test === undefined ? [] : [`${patternKey(test.pattern)}\n${test.value}`]

/** Values and patterns are sent once, however many pairs of them are asked about. */
const testStatement = `
with
  v as materialized (select * from pg_catalog.unnest($1::text[]) with ordinality as v (value, place)),
  p as materialized (select * from rows from (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[])) with ordinality as p (pattern, operator, place))
select t.place
from rows from (pg_catalog.unnest($4::int[]), pg_catalog.unnest($5::int[])) with ordinality as t (value_place, pattern_place, place)
join v on v.place = t.value_place
join p on p.place = t.pattern_place
where case p.operator
  when '~' then v.value operator(pg_catalog.~) p.pattern
  when '~*' then v.value operator(pg_catalog.~*) p.pattern
  when '~~' then v.value operator(pg_catalog.~~) p.pattern
  else v.value operator(pg_catalog.~~*) p.pattern
end`
