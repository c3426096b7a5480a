import { readDateFilter } from './dates.ts'
import { readPattern } from './pattern.ts'
import type { Properties, Reading } from './properties.ts'
import { compareVersions, isWithin, readCaret, readTilde, readVersion, readWildcard } from './semver.ts'
import { comparedText, foldAscii, isTrueValue, isTruthValue, numberOf, plainText } from './text.ts'

/** Whether a property's value fits; the property is there. */
type Fits = (actual: Reading, nowMs: number) => boolean

interface Operator {
  /** What the value of a filter asks of a property; null for a value that the operator cannot use. */
  readonly read: (value: unknown) => Fits | null
  /** What a person without the property comes to; no, when absent. */
  readonly whenMissing?: boolean
  /** Whether `null` is the text `null`, and not a value that fits nothing. */
  readonly takesNull?: boolean
}

const not =
  (read: Operator['read']): Operator['read'] =>
  (value) => {
    const fits = read(value)
    return fits && ((actual, nowMs) => !fits(actual, nowMs))
  }

/** Values that read as booleans are compared by their truth, as flags always were; others as texts, in any case. */
function equals(value: unknown): Fits {
  if (isTruthValue(value)) {
    const wanted = isTrueValue(value)
    return (actual) => actual.isTrue === wanted
  }
  const wanted = new Set((Array.isArray(value) ? value : [value]).map((one) => comparedText(one).toLowerCase()))
  return (actual) => wanted.has(actual.compared)
}

const part =
  (test: (text: string, part: string) => boolean): Operator['read'] =>
  (value) => {
    const wanted = foldAscii(plainText(value))
    return (actual) => test(actual.folded, wanted)
  }
const contains = part((text, wanted) => text.includes(wanted))
const startsWith = part((text, wanted) => text.startsWith(wanted))
const endsWith = part((text, wanted) => text.endsWith(wanted))

const containsAny: Operator['read'] = (value) => {
  const wanted = (Array.isArray(value) ? value : [value]).map((one) => foldAscii(plainText(one)))
  return (actual) => wanted.some((one) => actual.folded.includes(one))
}

const matches: Operator['read'] = (value) => {
  const test = readPattern(plainText(value))
  return test && ((actual) => test(actual.plain))
}

/** As numbers where both begin with one, else as texts: local evaluation does so, and both must agree. */
const ordered =
  (test: (order: number) => boolean): Operator['read'] =>
  (value) => {
    const wanted = numberOf(value)
    const wantedText = plainText(value)
    return ({ number, plain }) => {
      if (Number.isFinite(wanted) && Number.isFinite(number)) return test(number - wanted)
      if (plain === wantedText) return test(0)
      return test(plain < wantedText ? -1 : 1)
    }
  }

const dated =
  (test: (order: number) => boolean): Operator['read'] =>
  (value) => {
    const wanted = readDateFilter(value)
    return wanted && (({ instant }, nowMs) => instant !== null && test(instant - wanted(nowMs)))
  }

const versioned =
  (test: (order: number) => boolean): Operator['read'] =>
  (value) => {
    const wanted = readVersion(plainText(value))
    return wanted && (({ version }) => version !== null && test(compareVersions(version, wanted)))
  }

const ranged =
  (read: (value: unknown) => Parameters<typeof isWithin>[1] | null): Operator['read'] =>
  (value) => {
    const range = read(plainText(value))
    return range && (({ version }) => version !== null && isWithin(version, range))
  }

const always = (): Fits => () => true
const more = (order: number): boolean => order > 0
const atLeast = (order: number): boolean => order >= 0
const less = (order: number): boolean => order < 0
const atMost = (order: number): boolean => order <= 0
const same = (order: number): boolean => order === 0
const other = (order: number): boolean => order !== 0

/** What each operator of a filter means (analytics §5.2). */
export const operators = {
  exact: { read: equals, takesNull: true },
  is_not: { read: not(equals), takesNull: true, whenMissing: true },
  is_set: { read: always, takesNull: true },
  is_not_set: { read: not(always), takesNull: true, whenMissing: true },
  icontains: { read: contains, takesNull: true },
  not_icontains: { read: not(contains), takesNull: true, whenMissing: true },
  icontains_multi: { read: containsAny },
  not_icontains_multi: { read: not(containsAny), whenMissing: true },
  starts_with: { read: startsWith, takesNull: true },
  not_starts_with: { read: not(startsWith), takesNull: true, whenMissing: true },
  ends_with: { read: endsWith, takesNull: true },
  not_ends_with: { read: not(endsWith), takesNull: true, whenMissing: true },
  // A pattern that is none fits nothing under either operator.
  regex: { read: matches, takesNull: true },
  not_regex: { read: not(matches), takesNull: true, whenMissing: true },
  gt: { read: ordered(more) },
  gte: { read: ordered(atLeast) },
  lt: { read: ordered(less) },
  lte: { read: ordered(atMost) },
  is_date_before: { read: dated(less) },
  is_date_after: { read: dated(more) },
  is_date_exact: { read: dated(same) },
  semver_eq: { read: versioned(same) },
  semver_neq: { read: versioned(other) },
  semver_gt: { read: versioned(more) },
  semver_gte: { read: versioned(atLeast) },
  semver_lt: { read: versioned(less) },
  semver_lte: { read: versioned(atMost) },
  semver_tilde: { read: ranged(readTilde) },
  semver_caret: { read: ranged(readCaret) },
  semver_wildcard: { read: ranged(readWildcard) },
} as const satisfies Readonly<Record<string, Operator>>

/** The name of an operator on properties. */
export type OperatorName = keyof typeof operators

/** Whether a text names an operator. */
export const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name)

/** Whether properties pass a filter. */
export type Passes = (properties: Properties, nowMs: number) => boolean

/**
 * Prepares a filter on one property.
 *
 * @returns null where the operator cannot use the value: a date, version or pattern that is none
 */
export function prepareFilter(key: string, name: OperatorName, value: unknown): Passes | null {
  const { read, whenMissing = false, takesNull = false }: Operator = operators[name]
  const fits = read(value)
  return (
    fits &&
    ((properties, nowMs) => {
      const actual = properties.find(key)
      if (actual === null) return whenMissing
      return (actual.value !== null || takesNull) && fits(actual, nowMs)
    })
  )
}
