import { isStorable } from '../parse/body.ts'

const inertSchemes = new Set(['javascript', 'data', 'file', 'vbscript', 'about', 'blob'])
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])
const maxLength = 2048

/**
 * Says what is wrong with an address that a client wants its answers sent to (RFC 6749 §3.1.2, OAuth 2.1 §2.3.1).
 *
 * @returns null when it may be registered; matching is by the exact text from then on
 */
export function redirectUriProblem(uri: string): string | null {
  if (uri === '') return 'redirect URI cannot be empty'
  if (uri.length > maxLength) return `redirect URI cannot exceed ${maxLength} characters`
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  if (scheme !== undefined && inertSchemes.has(scheme)) return `scheme '${scheme}' is not allowed for security reasons`
  if (scheme === undefined || !/^[^:]+:\/\/[^/?#]/.test(uri)) return 'must have scheme and host'
  if (/[\s\p{Cc}\\]/u.test(uri) || !isStorable(uri) || !URL.canParse(uri)) return 'invalid URL format'
  if (uri.includes('#')) return 'fragment not allowed in redirect URI'
  // The list is stored in one text, separated by commas.
  if (uri.includes(',')) return 'a comma must be percent-encoded'
  if (scheme === 'http' && !loopbackHosts.has(new URL(uri).hostname)) return 'HTTP scheme only allowed for localhost'
  return null
}

/** An address with further parameters; its own stay, save those of the same name. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}
