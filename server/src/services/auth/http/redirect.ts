import { compileGlob } from './glob.ts'

/** Answers where a link or redirect may lead. */
export interface Redirects {
  /** The first candidate that is allowed, else the site's own address; never an error (auth §23). */
  choose(candidates: readonly (string | undefined)[]): string
  isAllowed(candidate: string): boolean
}

const maxLength = 4096

/** Compiles the allow-list once. */
export function createRedirects(siteUrl: string, allowed: readonly string[]): Redirects {
  const site = new URL(siteUrl)
  const globs = allowed.map(compileGlob)

  const isAllowed = (candidate: string): boolean => {
    const target = readTarget(candidate)
    if (target === null) return false
    if (target.web !== null) {
      const samePort = target.web.port === site.port || isLoopback(site.hostname)
      if (target.web.protocol === site.protocol && target.web.hostname === site.hostname && samePort) return true
      if (!isPlainHost(target.web.hostname)) return false
    }
    return globs.some((glob) => glob.test(target.withoutFragment))
  }

  return {
    isAllowed,
    choose: (candidates) =>
      candidates.find((candidate) => candidate !== undefined && candidate !== '' && isAllowed(candidate)) ?? siteUrl,
  }
}

interface Target {
  /** As sent, the fragment cut off: what the globs are matched against. */
  readonly withoutFragment: string
  /** Of an http(s) address, as every reader reads it; null for an application's own scheme. */
  readonly web: URL | null
}

/**
 * Reads a candidate so that no two parsers can disagree about its host: no white space, control characters or
 * backslashes anywhere, and the authority as written must be the host as parsed (no user, no other spelling of an IP
 * address, no percent-escapes).
 */
function readTarget(candidate: string): Target | null {
  // Control characters, white space, backslash and DEL, in whatever place.
  if (candidate.length > maxLength || /[\s\p{Cc}\\]/u.test(candidate)) return null
  const withoutFragment = candidate.split('#', 1)[0] ?? ''
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(withoutFragment)?.[1]?.toLowerCase()
  if (scheme === undefined || inert.has(scheme)) return null
  if (scheme !== 'http' && scheme !== 'https') return { withoutFragment, web: null }
  const authority = /^https?:\/\/([^/?]+)/i.exec(withoutFragment)?.[1]?.toLowerCase()
  if (authority === undefined || !URL.canParse(withoutFragment)) return null
  const web = new URL(withoutFragment)
  const defaultPort = scheme === 'http' ? ':80' : ':443'
  return authority === web.host || authority === `${web.host}${defaultPort}` ? { withoutFragment, web } : null
}

/** Schemes that run or read something instead of opening an application. */
const inert = new Set(['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'view-source', 'filesystem'])

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Whether a host may be looked up in the list: a name, or a loopback address; never another IP address. */
function isPlainHost(hostname: string): boolean {
  if (isLoopback(hostname)) return true
  const isAddress = /^\d+(\.\d+)*$/.test(hostname) || hostname.startsWith('[')
  return !isAddress && /^[A-Za-z0-9.-]+$/.test(hostname)
}
