import { stringifySetCookie } from 'cookie'
import { cookieValues } from '../../../ground/http/cookies.ts'

/** The console's address, which decides the names and paths of its cookies. */
export interface CookieScope {
  /** The console is reached by HTTPS only. */
  readonly isSecure: boolean
  /** The console has a host name that the application does not have. */
  readonly hasOwnHost: boolean
}

/** How the console at one address is reached, beside the application at another. */
export const cookieScopeOf = (consoleUrl: string, applicationUrl: string): CookieScope => ({
  isSecure: consoleUrl.startsWith('https:'),
  hasOwnHost: new URL(consoleUrl).hostname !== new URL(applicationUrl).hostname,
})

const baseName = 'clew_operator'
const deviceName = 'clew_operator_device'
const yearSeconds = 365 * 86_400

/** Every name that a cookie of the console may have; the application's port withholds them. */
export const sessionCookieNames = [baseName, deviceName].flatMap((name) => [name, `__Secure-${name}`, `__Host-${name}`])

/**
 * A browser takes a cookie of these prefixes from a secure origin only, and one of `__Host-` from this very host: a page
 * of a neighbouring host name cannot plant a session. `__Host-` demands `Path=/`; on a host shared with the application
 * the narrower path is worth more, since cookies know no ports.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-8.5
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */
function formOf(base: string, { isSecure, hasOwnHost }: CookieScope): { readonly name: string; readonly path: string } {
  if (!isSecure) return { name: base, path: '/console' }
  return hasOwnHost ? { name: `__Host-${base}`, path: '/' } : { name: `__Secure-${base}`, path: '/console' }
}

function write(base: string, value: string, maxAgeSeconds: number, scope: CookieScope): string {
  const { name, path } = formOf(base, scope)
  const maxAge = Math.floor(maxAgeSeconds)
  const { isSecure: secure } = scope
  return stringifySetCookie({ name, value, path, maxAge, httpOnly: true, sameSite: 'strict', secure })
}

/** The cookie of an operator's session: hidden from scripts, and not sent by requests of other sites. */
export const sessionCookie = (token: string, maxAgeSeconds: number, scope: CookieScope): string =>
  write(baseName, token, maxAgeSeconds, scope)

/** Shows for a year that this browser signed in to an account before; it grants no access. */
export const deviceCookie = (device: string, scope: CookieScope): string =>
  write(deviceName, device, yearSeconds, scope)

/** Deletes the session's cookie. */
export const expiredCookie = (scope: CookieScope): string => sessionCookie('', 0, scope)

/** The session's token out of a `Cookie` header; the first of its name, as the most specific path comes first. */
export const readSessionCookie = (header: string | undefined, scope: CookieScope): string | null =>
  read(baseName, header, scope)

/** The value that `deviceCookie` wrote; null when there is none. */
export const readDeviceCookie = (header: string | undefined, scope: CookieScope): string | null =>
  read(deviceName, header, scope)

function read(base: string, header: string | undefined, scope: CookieScope): string | null {
  const { name } = formOf(base, scope)
  const [token] = cookieValues(header, name)
  return token !== undefined && /^[\w.-]{20,200}$/.test(token) ? token : null
}
