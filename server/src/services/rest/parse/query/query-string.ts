import type { TemplateParameter } from './template-parameter.ts'

/** A parameter of a query string; a value of null means that there was no `=`. */
export interface Parameter {
  readonly name: string
  readonly value: string | null
  /** Where the operand of its filter was taken out: the place to read instead of the one in `value`. */
  readonly templateParameter?: TemplateParameter
}

/** Percent-decoding that never throws: what is not an escape stays as it is. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return decodeBytes(Buffer.from(text, 'utf8')).toString('utf8')
  }
}

/** Decodes in place the escapes that are some. */
function decodeBytes(bytes: Buffer): Buffer {
  let length = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    const value = byte === 0x25 ? hexDigit(bytes[index + 1]) * 16 + hexDigit(bytes[index + 2]) : Number.NaN
    if (!Number.isNaN(value)) index += 2
    bytes[length] = Number.isNaN(value) ? byte : value
    length += 1
  }
  return bytes.subarray(0, length)
}

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}

/** Percent-encoding that leaves only unreserved characters (RFC 3986 §2.3). */
export const encodePercent = (text: string): string => (unreserved.test(text) ? text : encodeReserved(text))

const unreserved = /^[A-Za-z0-9_.~-]*$/

const encodeReserved = (text: string): string => {
  const encoded = encodeURIComponent(text)
  if (!/[!'()*]/.test(encoded)) return encoded
  return encoded
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
    .replaceAll('*', '%2A')
    .replaceAll('!', '%21')
    .replaceAll("'", '%27')
}

/** Decodes a name or value of a query string, `+` and `%20` being spaces. */
export const decodeParameter = (text: string): string =>
  decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)

/** The pairs of a query string that are not empty, undecoded; `;` separates as `&` does. */
export const splitPairs = (query: string): readonly string[] => query.match(/[^&;]+/g) ?? []

/** Decodes `name=value`, `+` and `%20` being spaces. */
export function decodePair(pair: string): Parameter {
  const equals = pair.indexOf('=')
  return equals < 0
    ? { name: decodeParameter(pair), value: null }
    : { name: decodeParameter(pair.slice(0, equals)), value: decodeParameter(pair.slice(equals + 1)) }
}

/** Splits a query string into its parameters. */
export const splitQueryString = (query: string): readonly Parameter[] => splitPairs(query).map(decodePair)

const oneCanonical = /^[A-Za-z0-9_.~-]+=[A-Za-z0-9_.~-]*$/

/**
 * A query string's parameters sorted by name and encoded again, for Content-Location (rest §15). The values of a
 * name that repeats stand together, with commas between them.
 */
export function canonicalQuery(query: string): string {
  if (oneCanonical.test(query)) return query
  const parameters = [...splitQueryString(query)].sort((left, right) =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : 0,
  )
  let canonical = ''
  let before: string | null = null
  for (const { name, value } of parameters) {
    if (name === before) canonical += ','
    else canonical += `${before === null ? '' : '&'}${encodePercent(name)}=`
    canonical += encodePercent(value ?? '')
    before = name
  }
  return canonical
}
