/** How the console is reached, which decides what its cookie may be called. */
export interface CookiePlace {
  /** The console is only ever reached by HTTPS. */
  readonly isSecure: boolean
  /** The console has a host name that the application does not have. */
  readonly hasOwnHost: boolean
}

const baseName = 'clew_operator'

/** Every name the cookie may have, for whoever must not see it. */
export const sessionCookieNames = [baseName, `__Secure-${baseName}`, `__Host-${baseName}`] as const

/**
 * A browser takes a cookie of these prefixes from a secure origin only, and one of `__Host-` from this very host: a page
 * of a neighbouring host name cannot plant a session. `__Host-` demands `Path=/`; on a host shared with the application
 * the narrower path is worth more, since cookies know no ports.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-8.5
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */
function formOf({ isSecure, hasOwnHost }: CookiePlace): { readonly name: string; readonly path: string } {
  if (!isSecure) return { name: baseName, path: '/console' }
  return hasOwnHost ? { name: `__Host-${baseName}`, path: '/' } : { name: `__Secure-${baseName}`, path: '/console' }
}

/** The cookie of an operator's session: never read by scripts, never sent along from another site. */
export function sessionCookie(token: string, maxAgeSeconds: number, place: CookiePlace): string {
  const { name, path } = formOf(place)
  const secure = place.isSecure ? '; Secure' : ''
  return `${name}=${token}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeSeconds)}${secure}`
}

/** Makes the browser forget it. */
export const expiredCookie = (place: CookiePlace): string => sessionCookie('', 0, place)

/** The session's token out of a `Cookie` header; the first of its name, as the most specific path comes first. */
export function readSessionCookie(header: string | undefined, place: CookiePlace): string | null {
  const { name } = formOf(place)
  for (const pair of header?.split(';') ?? []) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) {
      const token = value.join('=').trim()
      return /^[\w-]{20,200}$/.test(token) ? token : null
    }
  }
  return null
}
