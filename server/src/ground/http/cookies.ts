/** A longer header is nobody's: browsers send some kilobytes at most. */
const maxHeaderLength = 16_384

/**
 * Reads a `Cookie` header: pairs between semicolons, each cut at its first `=`, trimmed, without the double quotes around a
 * value, percent-decoded where that can be done. Of several of one name the first counts, which has the most specific
 * path. What a cookie says is the client's own word.
 *
 * @returns an empty map for a header longer than 16 KiB
 * @see     https://www.rfc-editor.org/rfc/rfc6265#section-5.4
 */
export function parseCookies(header: string | readonly string[] | undefined): ReadonlyMap<string, string> {
  const text = typeof header === 'string' ? header : (header ?? []).join(';')
  const cookies = new Map<string, string>()
  if (text.length > maxHeaderLength) return cookies
  for (const pair of text.split(';')) {
    const equals = pair.indexOf('=')
    if (equals <= 0) continue
    const name = pair.slice(0, equals).trim()
    if (name === '' || cookies.has(name)) continue
    const value = pair.slice(equals + 1).trim()
    cookies.set(name, decode(/^".*"$/s.test(value) ? value.slice(1, -1) : value))
  }
  return cookies
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
