const name = 'clew_operator'

/**
 * The cookie of an operator's session: never read by scripts, never sent along from another site, only to the console.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-4.1
 */
export const sessionCookie = (token: string, maxAgeSeconds: number, secure: boolean): string =>
  `${name}=${token}; Path=/console; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeSeconds)}${secure ? '; Secure' : ''}`

/** Makes the browser forget it. */
export const expiredCookie = (secure: boolean): string => sessionCookie('', 0, secure)

/** The session's token out of a `Cookie` header; the first of its name, as the most specific path comes first. */
export function readSessionCookie(header: string | undefined): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) {
      const token = value.join('=').trim()
      return /^[\w-]{20,200}$/.test(token) ? token : null
    }
  }
  return null
}
