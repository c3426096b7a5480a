import type { Column } from '../../../lib/api/schemas.ts'
import { operators, readExpression } from './operators.ts'

type FilterColumn = Pick<Column, 'name' | 'baseType' | 'labels'>

/** `or` and `and` over conditions: `or.(status.eq.paid,total.gt.100)` in an address, `or=(…)` as it is typed. */
const group = /^(?:not\.)?(?:or|and)(?=\.\()/

/** The column of a filter, `column.operator.value`, and what follows it. A name may hold dots: the longest counts. */
export function splitFilter(
  filter: string,
  columns: readonly FilterColumn[],
): { readonly column: string; readonly rest: string } {
  const [ofGroup] = group.exec(filter) ?? []
  const known = columns
    .map(({ name }) => name)
    .filter((name) => filter.startsWith(`${name}.`))
    .toSorted((left, right) => right.length - left.length)[0]
  const column = ofGroup ?? known ?? filter.split('.', 1)[0] ?? ''
  return { column, rest: filter.slice(column.length + 1) }
}

// `&` parts filters, so that within one it is written as in an address.
const escaped = (text: string): string => text.replaceAll('%26', '%2526').replaceAll('&', '%26')
const unescaped = (text: string): string => text.replaceAll('%26', '&').replaceAll('%2526', '%26')

/** Filters as they are typed: `status=eq.paid&total=gt.100`. */
export const filtersText = (filters: readonly string[], columns: readonly FilterColumn[]): string =>
  filters
    .map((filter) => {
      const { column, rest } = splitFilter(filter, columns)
      return escaped(`${column}=${rest}`)
    })
    .join('&')

/** A filter as it is read: `total > 100`. */
export function filterLabel(filter: string, columns: readonly FilterColumn[]): string {
  const { column, rest } = splitFilter(filter, columns)
  const found = readExpression(rest)
  if (found === undefined) return `${column} ${rest}`
  const { isNegated, operator, modifier, value } = found
  return [column, ...(isNegated ? ['not'] : []), operator.sign, ...(modifier ? [`(${modifier})`] : []), value].join(' ')
}

/** What a typed text means: filters, a text to be looked for in all columns, or what is wrong with it. */
export type Typed =
  | { readonly kind: 'filters'; readonly filters: readonly string[] }
  | { readonly kind: 'search'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: string }

/** Reads what was typed. A text without `=` is looked for in all columns. */
export function readTyped(text: string, columns: readonly FilterColumn[]): Typed {
  const trimmed = text.trim()
  if (trimmed !== '' && !trimmed.includes('=')) return { kind: 'search', text: trimmed }
  const filters: string[] = []
  for (const part of trimmed.split('&').map(unescaped)) {
    if (part === '') continue
    const problem = problemOf(part, columns)
    if (problem !== null) return { kind: 'problem', problem }
    const at = part.indexOf('=')
    filters.push(`${part.slice(0, at).trim()}.${part.slice(at + 1)}`)
  }
  return { kind: 'filters', filters }
}

function problemOf(part: string, columns: readonly FilterColumn[]): string | null {
  const at = part.indexOf('=')
  const [name, rest] = [part.slice(0, at).trim(), part.slice(at + 1)]
  if (at === -1) return `“${part}” has no “=”: column=operator.value, such as ${exampleOf(columns)}.`
  if (group.test(`${name}.${rest}`)) return null
  if (!columns.some((column) => column.name === name)) {
    const near = nearestOf(name, columns)
    return `There is no column “${name}”${near === undefined ? '' : `; did you mean “${near}”`}.`
  }
  if (readExpression(rest) !== undefined) return null
  const [word = ''] = /^(?:not\.)?[^.(]*/.exec(rest) ?? []
  return operators.some((one) => one.name === word.replace('not.', '')) && !rest.replace('not.', '').includes('.')
    ? `“${part}” has no value: ${name}=${word}.value.`
    : `There is no operator “${word}”: ${name}=eq.${rest}, or another one of ${operators
        .slice(0, 10)
        .map((one) => one.name)
        .join(', ')}.`
}

const exampleOf = ([first]: readonly FilterColumn[]): string => `${first?.name ?? 'id'}=eq.1`

/** The column whose name is meant by a wrong one: the one that takes the fewest letters to change. */
function nearestOf(name: string, columns: readonly FilterColumn[]): string | undefined {
  const [nearest] = columns
    .map((column) => ({ name: column.name, steps: distance(name.toLowerCase(), column.name.toLowerCase()) }))
    .filter(({ steps }) => steps <= Math.max(2, name.length / 3))
    .toSorted((left, right) => left.steps - right.steps)
  return nearest?.name
}

/** Letters to be put, left out or changed, by Levenshtein. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...left].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...right].entries())
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row[right.length] ?? 0
}

/** A way to go on with what is typed. */
export interface Completion {
  /** The whole text with it. */
  readonly text: string
  readonly label: string
  readonly meaning: string
}

const mostCompletions = 12

/** How the last filter of a text can go on: its column, its operator, its value where these are known. */
export function completionsOf(text: string, columns: readonly FilterColumn[]): readonly Completion[] {
  const begin = text.lastIndexOf('&') + 1
  const [before, part] = [text.slice(0, begin), text.slice(begin)]
  const at = part.indexOf('=')
  if (at === -1) {
    const wanted = part.trim().toLowerCase()
    return columns
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .toSorted(
        (a, b) => Number(b.name.toLowerCase().startsWith(wanted)) - Number(a.name.toLowerCase().startsWith(wanted)),
      )
      .slice(0, mostCompletions)
      .map(({ name, baseType }) => ({ text: `${before}${name}=`, label: name, meaning: baseType }))
  }
  const [head, rest] = [part.slice(0, at + 1), part.slice(at + 1)]
  const column = columns.find(({ name }) => name === head.slice(0, -1).trim())
  const [, negation = '', typed = ''] = /^(not\.)?([a-z]*)$/.exec(rest) ?? []
  if (/^(not\.)?[a-z]*$/.test(rest))
    return operators
      .filter(({ name }) => name.startsWith(typed))
      .slice(0, mostCompletions)
      .map(({ name, meaning }) => ({
        text: `${before}${head}${negation}${name}.`,
        label: `${negation}${name}`,
        meaning,
      }))
  return valuesOf(rest, column).map((value) => {
    const upTo = rest.slice(0, rest.lastIndexOf('.') + 1)
    return { text: `${before}${head}${upTo}${value}`, label: value, meaning: '' }
  })
}

function valuesOf(rest: string, column: FilterColumn | undefined): readonly string[] {
  const found = readExpression(rest)
  if (found === undefined || found.value.includes('.')) return []
  const known =
    found.operator.name === 'is'
      ? ['null', 'not_null', 'true', 'false', 'unknown']
      : found.operator.name === 'in' || column === undefined
        ? []
        : (column.labels ?? (column.baseType === 'boolean' ? ['true', 'false'] : []))
  return known.filter((value) => value.startsWith(found.value) && value !== found.value).slice(0, mostCompletions)
}
