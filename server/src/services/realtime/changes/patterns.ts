import { isDatabaseError, type Session, sqlStateOf } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Condition } from './filter.ts'

/** A regular expression of a filter, and a value that is held against it. */
export interface PatternTest {
  readonly pattern: Pattern
  readonly value: string
}

/** A regular expression as PostgreSQL understands it. */
export interface Pattern {
  readonly text: string
  readonly anyCase: boolean
}

/** What the database says of tests. */
export interface PatternAnswers {
  holds(test: PatternTest): boolean
  /** Patterns that took longer than they may, or that the database does not take: nothing is known of them. */
  readonly failed: ReadonlySet<string>
}

/** Asks the database about regular expressions: it can be stopped, and an engine in this process could not. */
export interface Patterns {
  ask(role: string, tests: readonly PatternTest[]): Promise<PatternAnswers>
  /** Why a pattern is not taken; null for one that is. */
  problemOf(role: string, pattern: Pattern): Promise<string | null>
}

/** The regular expression of a condition; null for one that has none. */
export const patternOf = ({ operator, values: [text = ''] }: Condition): Pattern | null =>
  operator === 'match' || operator === 'imatch' ? { text, anyCase: operator === 'imatch' } : null

/** Names a pattern. */
export const patternKey = ({ text, anyCase }: Pattern): string => `${anyCase ? 'i' : '-'}${text}`

const longestPattern = 1000
/** Only with references to what was matched before does a match cost more than its text times its pattern. */
const hasBackReference = (text: string): boolean => /(?:^|[^\\])(?:\\\\)*\\[1-9]/.test(text)

/** @param limitMs how long one question may take */
export function createPatterns(session: Pick<Session, 'run'>, limitMs: number): Patterns {
  const run = async (role: string, tests: readonly PatternTest[]): Promise<ReadonlySet<string>> => {
    const values = [...new Set(tests.map(({ value }) => value))]
    const patterns = [...new Map(tests.map(({ pattern }) => [patternKey(pattern), pattern])).entries()]
    const valuePlaces = new Map(values.map((value, index) => [value, index + 1]))
    const patternPlaces = new Map(patterns.map(([key], index) => [key, index + 1]))
    const { rows } = await session.run<{ place: string }>({
      role,
      settings: [['statement_timeout', String(limitMs)]],
      statement: {
        text: testStatement,
        values: [
          values,
          patterns.map(([, { text }]) => text),
          patterns.map(([, { anyCase }]) => anyCase),
          tests.map(({ value }) => valuePlaces.get(value)),
          tests.map(({ pattern }) => patternPlaces.get(patternKey(pattern))),
        ],
      },
      readOnly: true,
      // It may take its whole time, and no other caller's statement waits for it.
      isVolatile: true,
      attribute: false,
      end: 'commit',
      context: null,
    })
    return new Set(rows.flatMap(({ place }) => testKey(tests[Number(place) - 1])))
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
      if (pattern.text.length > longestPattern) return `a regular expression has at most ${longestPattern} characters`
      if (hasBackReference(pattern.text)) return 'a regular expression may not refer back to what it has matched'
      try {
        await run(role, [{ pattern, value: '' }])
        return null
      } catch (error) {
        if (!isDatabaseError(error)) throw error
        return sqlStateOf(error) === queryCanceled ? 'the regular expression takes too long' : messageOf(error)
      }
    },
  }
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
  p as materialized (select * from rows from (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::boolean[])) with ordinality as p (pattern, any_case, place))
select t.place
from rows from (pg_catalog.unnest($4::int[]), pg_catalog.unnest($5::int[])) with ordinality as t (value_place, pattern_place, place)
join v on v.place = t.value_place
join p on p.place = t.pattern_place
where case
  when p.any_case then v.value operator(pg_catalog.~*) p.pattern
  else v.value operator(pg_catalog.~) p.pattern
end`
