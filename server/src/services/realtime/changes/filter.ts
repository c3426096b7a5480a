/** Operators of a filter (realtime §6). */
const operators = [
  ...['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'match', 'imatch', 'isdistinct'],
] as const
/** One of them. */
export type Operator =
  | 'eq'
  | 'neq'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'in'
  | 'like'
  | 'ilike'
  | 'is'
  | 'match'
  | 'imatch'
  | 'isdistinct'

/** A condition on one column; all conditions of a filter must hold. */
export interface Condition {
  readonly column: string
  readonly isNegated: boolean
  readonly operator: Operator
  /** As written; one but for `in`. */
  readonly values: readonly string[]
}

/** Why a filter is not taken. */
export class FilterProblem extends Error {}

const mostValues = 100
const longestFilter = 16_384

/** Reads `column=operator.value,…`, in time linear in its length. @throws FilterProblem */
export function parseFilter(text: string): readonly Condition[] {
  if (text.length > longestFilter)
    throw new FilterProblem(`Error parsing \`filter\` params: a filter has at most ${longestFilter} characters`)
  return splitOutside(text).map(parseCondition)
}

function parseCondition(text: string): Condition {
  const equals = text.indexOf('=')
  const column = text.slice(0, Math.max(0, equals)).trim()
  const found = /^\s*(?<not>not\.)?(?<operator>[a-z]+)\.(?<value>.*)$/s.exec(text.slice(equals + 1))?.groups
  const operator = operators.find((each) => each === found?.operator) as Operator | undefined
  if (column === '' || found === undefined || operator === undefined) throw unreadable(text)
  const { value = '', not } = found
  const values = operator === 'in' ? listOf(value, text) : [unquoted(value)]
  if (operator === 'is' && !['null', 'true', 'false', 'unknown'].includes(value.toLowerCase())) throw unreadable(text)
  return { column: unquoted(column), isNegated: not !== undefined, operator, values }
}

const unreadable = (text: string): FilterProblem =>
  new FilterProblem(`Error parsing \`filter\` params: ${JSON.stringify(text)}`)

function listOf(value: string, text: string): readonly string[] {
  const inner = /^\((.*)\)$/s.exec(value.trim())?.[1]
  if (inner === undefined) throw unreadable(text)
  const values = splitOutside(inner).map((each) => unquoted(each.trim()))
  if (values.length > mostValues)
    throw new FilterProblem(`Error parsing \`filter\` params: too many values, at most ${mostValues} are allowed`)
  return values
}

const unquoted = (text: string): string => (/^".*"$/s.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : text)

/** Splits at commas that stand neither in double quotes nor in parentheses. */
function splitOutside(text: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
