/** How the console is reached, which decides what its cookie may be called. */
export interface CookiePlace {
  /** The console is only ever reached by HTTPS. */
  readonly isSecure: boolean
  /** The console has a host name that the application does not have. */
  readonly hasOwnHost: boolean
}

const baseName = 'clew_operator'
const deviceName = 'clew_operator_device'
const yearSeconds = 365 * 86_400

/** Every name our cookies may have, for whoever must not see them. */
export const sessionCookieNames = [baseName, deviceName].flatMap((name) => [name, `__Secure-${name}`, `__Host-${name}`])

/**
 * A browser takes a cookie of these prefixes from a secure origin only, and one of `__Host-` from this very host: a page
 * of a neighbouring host name cannot plant a session. `__Host-` demands `Path=/`; on a host shared with the application
 * the narrower path is worth more, since cookies know no ports.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-8.5
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */
function formOf(base: string, { isSecure, hasOwnHost }: CookiePlace): { readonly name: string; readonly path: string } {
  if (!isSecure) return { name: base, path: '/console' }
  return hasOwnHost ? { name: `__Host-${base}`, path: '/' } : { name: `__Secure-${base}`, path: '/console' }
}

function write(base: string, value: string, maxAgeSeconds: number, place: CookiePlace): string {
  const { name, path } = formOf(base, place)
  const secure = place.isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeSeconds)}${secure}`
}

/** The cookie of an operator's session: never read by scripts, never sent along from another site. */
export const sessionCookie = (token: string, maxAgeSeconds: number, place: CookiePlace): string =>
  write(baseName, token, maxAgeSeconds, place)

/** Says for a year that this browser signed in to an account before; it opens nothing. */
export const deviceCookie = (device: string, place: CookiePlace): string =>
  write(deviceName, device, yearSeconds, place)

/** Makes the browser forget it. */
export const expiredCookie = (place: CookiePlace): string => sessionCookie('', 0, place)

/** The session's token out of a `Cookie` header; the first of its name, as the most specific path comes first. */
export const readSessionCookie = (header: string | undefined, place: CookiePlace): string | null =>
  read(baseName, header, place)

/** What `deviceCookie` wrote; null when there is none. */
export const readDeviceCookie = (header: string | undefined, place: CookiePlace): string | null =>
  read(deviceName, header, place)

function read(base: string, header: string | undefined, place: CookiePlace): string | null {
  const { name } = formOf(base, place)
  for (const pair of header?.split(';') ?? []) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) {
      const token = value.join('=').trim()
      return /^[\w.-]{20,200}$/.test(token) ? token : null
    }
  }
  return null
}
