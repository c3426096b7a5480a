import { percentEncode } from '../percent.ts'

type Argument = () => unknown

/**
 * Calls one of the functions of Go's templates; `and` and `or` look at no more than they need.
 *
 * @see https://pkg.go.dev/text/template#hdr-Functions
 */
export function callFunction(name: string, args: readonly Argument[]): unknown {
  if (name === 'and' || name === 'or') return firstDecided(args, name === 'or')
  const values = args.map((argument) => argument())
  const [first = null, ...others] = values
  switch (name) {
    case 'not':
      return !isTrue(first)
    case 'eq':
      return others.some((other) => isSame(first, other))
    case 'ne':
      return !isSame(first, others[0])
    case 'lt':
      return compare(first, others[0]) === -1
    case 'le':
      return [-1, 0].includes(compare(first, others[0]) ?? 1)
    case 'gt':
      return compare(first, others[0]) === 1
    case 'ge':
      return [0, 1].includes(compare(first, others[0]) ?? -1)
    case 'len':
      return lengthOf(first)
    case 'index':
      return others.reduce(elementOf, first)
    case 'print':
      return values.map((value) => printValue(value)).join('')
    case 'printf':
      return format(printValue(first), others)
    case 'urlquery':
      return percentEncode(values.map((value) => printValue(value)).join('')).replaceAll('%20', '+')
    // `html`: what is printed is escaped in any case.
    default:
      return values.map((value) => printValue(value)).join('')
  }
}

function firstDecided(args: readonly Argument[], sought: boolean): unknown {
  let value: unknown = null
  for (const argument of args) {
    value = argument()
    if (isTrue(value) === sought) return value
  }
  return value
}

/** Empty texts, lists and objects, zero and nothing are false. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return lengthOf(value) > 0
  return Boolean(value)
}

const isSame = (a: unknown, b: unknown): boolean => typeof a !== 'object' && a === b

/** -1, 0 or 1 for two numbers or two texts; undefined for what has no order. */
function compare(a: unknown, b: unknown): -1 | 0 | 1 | undefined {
  const comparable =
    (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string')
  if (!comparable) return undefined
  return a === b ? 0 : a < b ? -1 : 1
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function elementOf(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? (value[key] ?? null) : null
  if (typeof value !== 'object' || value === null || typeof key !== 'string') return null
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : null
}

const maxDepth = 20

/** A value as Go prints it: nothing for what is not there, `[a b]` for a list, `map[k:v]` for an object. */
export function printValue(value: unknown, depth = 0): string {
  if (value === null || value === undefined || depth > maxDepth) return ''
  if (Array.isArray(value)) return `[${value.map((element) => printValue(element, depth + 1)).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `map[${fields.map(([key, field]) => `${key}:${printValue(field, depth + 1)}`).join(' ')}]`
}

/** `%s`, `%v` and `%d` print a value, `%q` one in quotes, `%%` a percent sign. */
function format(pattern: string, values: readonly unknown[]): string {
  let at = 0
  return pattern.replace(/%([svdq%])/g, (_whole, verb: string) => {
    if (verb === '%') return '%'
    const text = printValue(values[at])
    at += 1
    return verb === 'q' ? JSON.stringify(text) : text
  })
}
