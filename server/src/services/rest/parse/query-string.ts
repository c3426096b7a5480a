/** A parameter of a query string; a value of null means that there was no `=`. */
export interface Parameter {
  readonly name: string
  readonly value: string | null
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
export const encodePercent = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** Splits a query string, `+` and `%20` being spaces; `;` separates as `&` does. */
export function splitQueryString(query: string): readonly Parameter[] {
  const parameters: Parameter[] = []
  for (const pair of query.split(/[&;]/)) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const decode = (text: string): string => decodePercent(text.replaceAll('+', ' '))
    parameters.push(
      equals < 0
        ? { name: decode(pair), value: null }
        : { name: decode(pair.slice(0, equals)), value: decode(pair.slice(equals + 1)) },
    )
  }
  return parameters
}

/**
 * The parameters sorted by name and encoded again, for Content-Location (contract §15). The values of a name that
 * repeats stand together, with commas between them.
 */
export function canonicalQuery(parameters: readonly Parameter[]): string {
  const byName = new Map<string, string[]>()
  for (const { name, value } of parameters) byName.set(name, [...(byName.get(name) ?? []), value ?? ''])
  return [...byName]
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([name, values]) => `${encodePercent(name)}=${values.map(encodePercent).join(',')}`)
    .join('&')
}
