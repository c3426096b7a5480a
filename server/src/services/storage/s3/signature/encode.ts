/** Percent-encodes all but the unreserved characters (RFC 3986 §2.3), as Signature Version 4 does. */
export const encodeUri = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** A path as it is signed: decoded once and encoded once, its slashes and dots as they are. S3 does not normalise it. */
export const canonicalPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => encodeUri(decodeUri(segment)))
    .join('/')

/** The pairs of a query, decoded; a name without `=` has an empty value. A `+` is itself. */
export const parseQuery = (query: string): readonly (readonly [name: string, value: string])[] =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const mark = pair.indexOf('=')
      return mark < 0 ? [decodeUri(pair), ''] : [decodeUri(pair.slice(0, mark)), decodeUri(pair.slice(mark + 1))]
    })

/** The pairs as they are signed: encoded, and in the order of their bytes. */
export const canonicalQuery = (pairs: readonly (readonly [string, string])[]): string =>
  pairs
    .map(([name, value]) => `${encodeUri(name)}=${encodeUri(value)}`)
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair] as const)
    .sort(([leftName, left], [rightName, right]) => compare(leftName, rightName) || compare(left, right))
    .map(([, pair]) => pair)
    .join('&')

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** What cannot be decoded stays: it is signed as it is, or not at all. */
function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
