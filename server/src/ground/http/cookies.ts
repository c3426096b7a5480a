import { parseCookie } from 'cookie'

/** Browsers send some kilobytes at most. */
const maxHeaderLength = 16_384

/**
 * Reads a `Cookie` header (RFC 6265 §5.4): of several cookies of one name the first counts, which has the most specific
 * path; values are percent-decoded where that can be done, and without the double quotes around them.
 *
 * @returns an empty map for a header longer than 16 KiB
 */
export function parseCookies(header: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const text = typeof header === 'string' ? header : (header ?? []).join(';')
  if (text.length > maxHeaderLength) return new Map()
  const cookies = Object.entries(parseCookie(text, { decode }))
  return new Map(cookies.flatMap(([name, value]) => (name === '' || value === undefined ? [] : [[name, value]])))
}

/** The values of all cookies of a name, as they were sent: the most specific path first. */
export const cookieValues = (header: string | undefined, name: string): readonly string[] =>
  (header ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=')
    return key.trim() === name ? [value.join('=').trim()] : []
  })

function decode(quoted: string): string {
  const value = /^".*"$/s.test(quoted) ? quoted.slice(1, -1) : quoted
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
