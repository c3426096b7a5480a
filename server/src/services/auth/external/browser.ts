import { stringifySetCookie } from 'cookie'
import { cookieValues } from '../../../ground/http/cookies.ts'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import { hashToken, randomToken } from '../../../ground/ids/tokens.ts'

/** The cookie that ties a flow to the browser that began it. */
export interface BrowserTie {
  readonly nonceHash: string
  readonly cookie: string
}

interface TieOptions {
  /** Where the service is reached from outside: `https://api.example.com/auth/v1`. */
  readonly externalUrl: string
  readonly maxAgeSeconds: number
  /** Whether the provider makes the browser post its answer, as Apple does. */
  readonly comesBackByPost: boolean
}

/**
 * A cookie for the browser that leaves, which only its callback reads. Each flow has one of its own, so that two tabs may
 * leave at once. Browsers bring a Lax cookie along when they follow a link back, but not when they post.
 */
export function tieToBrowser(state: string, { externalUrl, maxAgeSeconds, comesBackByPost }: TieOptions): BrowserTie {
  const nonce = randomToken()
  return {
    nonceHash: hashToken(nonce),
    cookie: cookieOf(state, nonce, maxAgeSeconds, externalUrl, comesBackByPost),
  }
}

/** Makes the browser forget the cookie of a flow. */
export const untie = (state: string, externalUrl: string): string => cookieOf(state, '', 0, externalUrl, false)

function cookieOf(state: string, value: string, maxAge: number, externalUrl: string, isPosted: boolean): string {
  const { protocol, pathname: path } = new URL(`${externalUrl}/callback`)
  const secure = protocol === 'https:'
  // A cookie for posts from elsewhere must be Secure; without TLS no provider posts.
  const sameSite = isPosted && secure ? 'none' : 'lax'
  return stringifySetCookie({ name: nameOf(state, secure), value, path, maxAge, httpOnly: true, sameSite, secure })
}

/** With the prefix, a page of a neighbouring host without TLS cannot plant one. */
const nameOf = (state: string, isSecure: boolean): string => `${isSecure ? '__Secure-' : ''}clew-flow-${state}`

/** Whether a `Cookie` header is of the browser that began the flow. */
export function isTied(
  { id, nonceHash }: { readonly id: string; readonly nonceHash: string },
  externalUrl: string,
  cookieHeader: string | undefined,
): boolean {
  const name = nameOf(id, externalUrl.startsWith('https:'))
  return cookieValues(cookieHeader, name).some((value) => equalInConstantTime(hashToken(value), nonceHash))
}
