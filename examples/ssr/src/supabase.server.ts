import { createServerClient, parseCookieHeader, serializeCookieHeader } from '@supabase/ssr'
import WebSocket from 'ws'
import { tracedFetch } from './trace.server'

/** A client that acts for the user of the request, in the session of their browser. It sets cookies on `answer`. */
export function supabaseFor(request: Request, answer: Headers) {
  return createServerClient(process.env.SUPABASE_URL!, process.env.SUPABASE_KEY!, {
    cookies: {
      getAll: () =>
        parseCookieHeader(request.headers.get('cookie') ?? '').map(({ name, value }) => ({ name, value: value ?? '' })),
      setAll(cookies, headers) {
        for (const { name, value, options } of cookies) {
          answer.append('set-cookie', serializeCookieHeader(name, value, options))
        }
        // A page with a user's new session must not be cached.
        for (const [name, value] of Object.entries(headers)) answer.set(name, value)
      },
    },
    global: { headers: tracingOf(request), fetch: tracedFetch },
    // Needed before Node 22, which has a WebSocket of its own.
    realtime: { transport: WebSocket as never },
  })
}

const tracingHeaders = ['x-posthog-session-id', 'x-posthog-window-id', 'x-posthog-distinct-id']

/**
 * What says which browser the page is made for: posthog-js' headers where a script asked for it, and its cookie where a
 * person did. Clew reads both, so that the server's calls stand in the person's session, too.
 */
function tracingOf({ headers }: Request) {
  const tracing: Record<string, string> = {}
  for (const name of tracingHeaders) {
    const value = headers.get(name)
    if (value !== null) tracing[name] = value
  }
  const cookies = (headers.get('cookie') ?? '').split('; ').filter((cookie) => cookie.startsWith('ph_'))
  if (cookies.length > 0) tracing.cookie = cookies.join('; ')
  return tracing
}
