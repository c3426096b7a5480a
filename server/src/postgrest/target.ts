const authority = /^https?:\/\/[^/?#]*/i
const misplaced = /%(?![0-9a-f]{2})/gi
const encodedBytes = /(?:%[0-9a-f]{2})+/gi

const asUnicode = (encoded: string): string =>
  encodeURIComponent(Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'))

function canDecode(path: string): boolean {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}

/**
 * A request's target as the router takes it: without the scheme and host that a request through a proxy has (RFC 9112
 * §3.2.2), and with a path that can be decoded. What is no encoding is a character, and what is no UTF-8 is U+FFFD: no
 * relation has such a name, so that the service refuses in its own words.
 */
export function routableTarget(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(authority, '')
  const mark = local.indexOf('?')
  const path = mark < 0 ? local : local.slice(0, mark)
  if (path.startsWith('/') && (!path.includes('%') || canDecode(path))) return local
  const query = mark < 0 ? '' : local.slice(mark)
  const decodable = path.replaceAll(misplaced, '%25').replaceAll(encodedBytes, asUnicode)
  return `${decodable.startsWith('/') ? '' : '/'}${decodable}${query}`
}
