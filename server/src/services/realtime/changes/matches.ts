import type { RowValues } from '../../../ground/model/change.ts'
import type { ColumnFacts } from './facts.ts'
import type { Condition, Operator } from './filter.ts'
import { type PatternAnswers, type PatternTest, patternKey, patternOf } from './patterns.ts'

/** Whether a row's values, as PostgreSQL's texts, fulfil every condition (realtime §6); patterns count as fulfilled. */
export const matchesAll = (
  conditions: readonly Condition[],
  row: RowValues,
  columns: ReadonlyMap<string, ColumnFacts>,
): boolean => conditions.every((condition) => matches(condition, row[condition.column], columns.get(condition.column)))

/** What is to be asked of the database before a row's values are known to fulfil all conditions. */
export const patternTests = (conditions: readonly Condition[], row: RowValues): readonly PatternTest[] =>
  conditions.flatMap((condition) => {
    const pattern = patternOf(condition)
    const value = row[condition.column]
    return pattern === null || typeof value !== 'string' ? [] : { pattern, value }
  })

/** Whether values that fulfil all other conditions fulfil the patterns, too. */
export const matchesPatterns = (conditions: readonly Condition[], row: RowValues, answers: PatternAnswers): boolean =>
  conditions.every((condition) =>
    patternTests([condition], row).every(
      (test) => !answers.failed.has(patternKey(test.pattern)) && answers.holds(test) !== condition.isNegated,
    ),
  )

/** @param value undefined where the row came without the column */
function matches(condition: Condition, value: string | null | undefined, column: ColumnFacts | undefined): boolean {
  if (value === undefined || column === undefined) return false
  const { isNegated, operator, values } = condition
  const [first = ''] = values
  if (operator === 'is') return isTruth(value, first.toLowerCase()) !== isNegated
  if (operator === 'isdistinct') return (value === null || compare(column, value, first) !== 0) !== isNegated
  if (value === null) return false
  if (patternOf(condition) !== null) return true
  return holds(operator, column, value, values) !== isNegated
}

const isTruth = (value: string | null, word: string): boolean =>
  word === 'null' || word === 'unknown' ? value === null : value === (word === 'true' ? 't' : 'f')

function holds(operator: Operator, column: ColumnFacts, value: string, values: readonly string[]): boolean {
  const [first = ''] = values
  switch (operator) {
    case 'in':
      return values.some((each) => compare(column, value, each) === 0)
    case 'eq':
      return compare(column, value, first) === 0
    case 'neq':
      return compare(column, value, first) !== 0
    case 'lt':
      return compare(column, value, first) < 0
    case 'lte':
      return compare(column, value, first) <= 0
    case 'gt':
      return compare(column, value, first) > 0
    case 'gte':
      return compare(column, value, first) >= 0
    default:
      return false
  }
}

/** Texts of one type compared as the type's values. Both come from the server, so that equal ones are equal texts. */
function compare(column: ColumnFacts, one: string, other: string): number {
  if (one === other) return 0
  if (column.category === 'N') return compareNumbers(one, other)
  if (column.baseType === 'timestamptz') return compareInstants(one, other)
  return one < other ? -1 : 1
}

/** Instants in any time zone, to the microsecond, which the language's own dates leave out. */
function compareInstants(one: string, other: string): number {
  const difference = Date.parse(instant(one)) - Date.parse(instant(other))
  if (difference !== 0 && !Number.isNaN(difference)) return difference
  const [ownFraction, otherFraction] = [fractionOf(one), fractionOf(other)]
  return ownFraction === otherFraction ? 0 : ownFraction < otherFraction ? -1 : 1
}

/** `2026-01-01 10:00:00+00` in the form that the language reads. */
const instant = (text: string): string => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')

const fractionOf = (text: string): string => /\.(\d+)/.exec(text)?.[1]?.padEnd(6, '0') ?? '000000'

/** Exact for digits however many there are; else, as for `1e+300` and `Infinity`, as the language's own numbers. */
function compareNumbers(one: string, other: string): number {
  const [left, right] = [decimal.exec(one)?.groups, decimal.exec(other)?.groups]
  if (left === undefined || right === undefined) return Number(one) - Number(other)
  if (left.minus !== right.minus) return Number(one) - Number(other)
  return left.minus === undefined ? compareDigits(left, right) : compareDigits(right, left)
}

const decimal = /^(?<minus>-)?(?<whole>\d+)(?:\.(?<fraction>\d*))?$/

type Digits = Readonly<Record<string, string | undefined>>

function compareDigits({ whole = '', fraction = '' }: Digits, other: Digits): number {
  const { whole: otherWhole = '', fraction: otherFraction = '' } = other
  if (whole.length !== otherWhole.length) return whole.length - otherWhole.length
  if (whole !== otherWhole) return whole < otherWhole ? -1 : 1
  const length = Math.max(fraction.length, otherFraction.length)
  const [padded, otherPadded] = [fraction.padEnd(length, '0'), otherFraction.padEnd(length, '0')]
  return padded === otherPadded ? 0 : padded < otherPadded ? -1 : 1
}
