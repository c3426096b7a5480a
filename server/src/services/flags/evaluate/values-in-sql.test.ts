import fc from 'fast-check'
import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import { flagsTables } from '../index.ts'
import { operators, prepareFilter } from './operators.ts'
import { Properties } from './properties.ts'

/** Others find others: `CLEW_FUZZ_SEED=7 CLEW_FUZZ_RUNS=500`. */
const seed = Number(process.env.CLEW_FUZZ_SEED ?? 1)
const runs = Number(process.env.CLEW_FUZZ_RUNS ?? 20)

const test = base.extend('ask', async ({ db }) => {
  await db.migrate('flags', flagsTables.postgres)
  return async <Row extends object>(text: string, value: unknown): Promise<readonly Row[]> =>
    (await db.admin.query<Row>({ text, values: [JSON.stringify(value)] })).rows
})

const text = fc.oneof(
  fc.constantFrom(
    'Pro',
    'true',
    'FALSE',
    'null',
    '',
    ' 9 ',
    '10',
    '9',
    '1e3',
    '-.5x',
    '.',
    '1.',
    '+7',
    '0x1',
    'Infinity',
  ),
  fc.constantFrom(
    '1e400',
    '-1e400',
    '1e-400',
    '1e99999999999',
    '1e-99999999999',
    '1e',
    '1e+',
    '1.7976931348623159e308',
  ),
  fc.constantFrom(
    'ÉTÉ',
    'été',
    'ΟΔΟΣ',
    'οδός',
    'İ',
    'i̇',
    '\u212a',
    'k',
    'ẞ',
    'ß',
    '🚀',
    '\uffee',
    '\u00a07',
    '%_',
    '\\',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }).map((one) => one.replaceAll('\0', '')),
  fc.double().map(String),
)
const scalar = fc.oneof(
  text,
  fc.boolean(),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.integer(),
  fc.constantFrom(1e21, 1e-7, 1e-6, 5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 123456789012345680),
)
const wanted = fc.oneof({ weight: 4, arbitrary: scalar }, fc.array(scalar, { maxLength: 3 }))
const actual = fc.oneof(
  { weight: 6, arbitrary: scalar },
  fc.constant(null),
  fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(text, fc.oneof(scalar, fc.constant(null), fc.array(scalar, { maxLength: 2 })), { maxKeys: 3 }),
)
/** What `clew.flag` answers; the others are refused. */
const answerable = (Object.keys(operators) as (keyof typeof operators)[]).filter(
  (name) => !/regex$|^is_date_|^semver_/.test(name),
)
const hasSigma = (value: unknown): boolean => /[Σσς]/.test(JSON.stringify(value))

test('a filter passes in SQL as it passes here, for random values', { timeout: 120_000 }, async ({ ask }) => {
  const one = fc.record({
    operator: fc.constantFrom(...answerable),
    wanted,
    actual: fc.option(actual, { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 300, maxLength: 300 }), async (all) => {
      const cases = all.filter((each) => !(/^(exact|is_not)$/.test(each.operator) && hasSigma(each.wanted)))
      const rows = await ask<{ fits: boolean }>(
        `select clew_flags.fits(c ->> 'operator', c -> 'wanted', c -> 'actual') as fits
         from jsonb_array_elements($1::jsonb) with ordinality as t (c, n) order by n`,
        cases,
      )
      const found = cases.map((each, index) => ({ ...each, passes: rows[index]?.fits }))
      const expected = cases.map((each) => {
        // What is stored went through JSON, where minus zero is zero.
        const stored = JSON.parse(JSON.stringify(each)) as typeof each
        const passes = prepareFilter('key', each.operator, stored.wanted)
        const properties = stored.actual === undefined ? {} : { key: stored.actual }
        return { ...each, passes: passes?.(new Properties(properties), 0) }
      })
      expect(found).toEqual(expected)
    }),
    { seed, numRuns: runs, endOnFailure: true },
  )
})

test('every letter has the small one that JavaScript gives it, but for the sigma', async ({ ask }) => {
  const letters = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
  const inWords = (letter: string) => `${letter}x${letter}`
  // PostgreSQL looks at each letter of a list of 1,400: those that have another case, and some of those that have none.
  const asked = letters.filter(
    (letter, n) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter || n % 50 === 0,
  )
  const rows = await ask<{ small: string }>(
    `select clew_flags.lower_text(letter) as small
     from jsonb_array_elements_text($1::jsonb) with ordinality as t (letter, n) order by n`,
    asked.map(inWords),
  )
  const differing = asked.filter((letter, index) => rows[index]?.small !== inWords(letter).toLowerCase())
  expect(differing).toEqual(['Σ'])
})
