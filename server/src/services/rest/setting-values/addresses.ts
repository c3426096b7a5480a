const hostless = /^[a-z][a-z0-9+.-]*:\/*$/i

/** Whether a text may be an audience: one with a colon is an address (RFC 7519 §2, StringOrURI). */
export function isAudience(text: string): boolean {
  if (!text.includes(':')) return true
  // RFC 3986 §2: nothing but its characters, and `%` only before two hexadecimal digits.
  const isWritten = /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i.test(text)
  return isWritten && !/^[a-z][a-z0-9+.-]*:\/\/[^/]*[$^]/i.test(text)
}

/** Whether a text is an address that a description may name: http or https, with a host, without user and query. */
export function isProxyAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || hostless.test(text) || !URL.canParse(text)) return false
  const { username, password, search, hash, hostname } = new URL(text)
  return hostname !== '' && `${username}${password}${search}${hash}` === ''
}
