import { decodePair, decodeParameter, type Parameter, splitPairs } from './query-string.ts'

/** A query string as the key of its template, and the values that the key leaves out. */
export interface TemplateKey {
  /** Equal for all query strings that differ only in those values. */
  readonly key: string
  /** Decoded, in the order of the template's parameters. */
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

// No request's address can hold either.
const valueMark = '\x01'
const separator = '\x02'

/** Separates the values of plain filters, `id=eq.5` and `id=in.(1,2)`, from the rest of a query string. */
export function takeTemplateKey(query: string): TemplateKey {
  const values: string[] = []
  let key = ''
  for (const pair of splitPairs(query)) {
    const equals = pair.indexOf('=')
    const value = pair.slice(equals + 1)
    const length = equals < 0 ? null : grammarLength(pair.slice(0, equals), value)
    if (length === null) key += pair + separator
    else {
      key += pair.slice(0, equals + 1 + length) + valueMark + separator
      values.push(decodeParameter(value.slice(length)))
    }
  }
  return { key, values }
}

/** The parameters of a query string, with template parameters for the values that `takeTemplateKey` takes out. */
export function templateParameters(query: string): readonly Parameter[] {
  let index = 0
  return splitPairs(query).map((pair) => {
    const equals = pair.indexOf('=')
    const value = pair.slice(equals + 1)
    const length = equals < 0 ? null : grammarLength(pair.slice(0, equals), value)
    const parameter = decodePair(pair)
    if (length === null) return parameter
    const templateParameter = { kind: 'template_parameter', of: index, as: 'text' } as const
    index += 1
    // The grammar of `in` needs a list to read.
    const operand = value.startsWith('(', length) && plainList.test(value) ? '(0)' : ''
    return { name: parameter.name, value: value.slice(0, length) + operand, templateParameter }
  })
}
