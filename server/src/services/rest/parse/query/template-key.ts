import { decodePair, decodeParameter, type Parameter, splitPairs } from './query-string.ts'

/** A query string without the values that decide nothing. */
export interface TemplateKey {
  /** One text for all query strings that differ only in those values. */
  readonly key: string
  /** The values taken out, decoded, in the order of their places. */
  readonly values: readonly string[]
}

// Operators whose operand is any text that becomes one parameter. `is` is not among them: its operand is grammar.
const operator = /^(?:not\.)?(?:eq|neq|gte|gt|lte|lt|like|ilike|match|imatch|cs|cd|ov|sl|sr|nxr|nxl|adj)\./
// A list without quotes, escapes or spaces, which its grammar would have to read.
const plainList = /^(?:not\.)?in\.(?=\([A-Za-z0-9_.:-]+(?:,[A-Za-z0-9_.:-]+)*\)$)/
const grammar = /(?:^|\.)(?:order|limit|offset|and|or)$|^(?:select|columns|on_conflict)$|[%+]/

/** The length of the part of a parameter's value that is grammar; null when all of it may be. */
function grammarLength(name: string, value: string): number | null {
  if (grammar.test(name)) return null
  return operator.exec(value)?.[0].length ?? plainList.exec(value)?.[0].length ?? null
}

// Neither can stand in a request's address.
const taken = '\x01'
const between = '\x02'

/** Takes out of a query string the values of its plain filters, `id=eq.5` and `id=in.(1,2)`. */
export function takeTemplateKey(query: string): TemplateKey {
  const values: string[] = []
  let key = ''
  for (const pair of splitPairs(query)) {
    const equals = pair.indexOf('=')
    const value = pair.slice(equals + 1)
    const length = equals < 0 ? null : grammarLength(pair.slice(0, equals), value)
    if (length === null) key += pair + between
    else {
      key += pair.slice(0, equals + 1 + length) + taken + between
      values.push(decodeParameter(value.slice(length)))
    }
  }
  return { key, values }
}

/** The parameters of a query string, with parameters instead of the values that `takeTemplateKey` takes out. */
export function templateParameters(query: string): readonly Parameter[] {
  let places = 0
  return splitPairs(query).map((pair) => {
    const equals = pair.indexOf('=')
    const value = pair.slice(equals + 1)
    const length = equals < 0 ? null : grammarLength(pair.slice(0, equals), value)
    const parameter = decodePair(pair)
    if (length === null) return parameter
    const slot = { kind: 'slot', of: places, as: 'text' } as const
    places += 1
    // An operand that its operator can be read with.
    const operand = value.startsWith('(', length) && plainList.test(value) ? '(0)' : ''
    return { name: parameter.name, value: value.slice(0, length) + operand, slot }
  })
}
