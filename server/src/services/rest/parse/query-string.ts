import type { Slot } from './slot.ts'

/** A parameter of a query string; a value of null means that there was no `=`. */
export interface Parameter {
  readonly name: string
  readonly value: string | null
  /** Where the operand of its filter was taken out: the place to read instead of the one in `value`. */
  readonly slot?: Slot
}

/** Percent-decoding that never throws: what is not an escape stays as it is. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    const bytes: number[] = []
    const source = Buffer.from(text, 'utf8')
    for (let index = 0; index < source.length; index += 1) {
      const digits = source.subarray(index + 1, index + 3).toString('latin1')
      if (source[index] === 0x25 && /^[0-9a-fA-F]{2}$/.test(digits)) {
        bytes.push(Number.parseInt(digits, 16))
        index += 2
      } else bytes.push(source[index] ?? 0)
    }
    return Buffer.from(bytes).toString('utf8')
  }
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

/** Splits a query string, `+` and `%20` being spaces; `;` separates as `&` does. */
export function splitQueryString(query: string): readonly Parameter[] {
  const parameters: Parameter[] = []
  for (const pair of query.split(/[&;]/)) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    parameters.push(
      equals < 0
        ? { name: decodeParameter(pair), value: null }
        : { name: decodeParameter(pair.slice(0, equals)), value: decodeParameter(pair.slice(equals + 1)) },
    )
  }
  return parameters
}

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
