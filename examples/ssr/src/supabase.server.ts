import { createServerClient, parseCookieHeader, serializeCookieHeader } from '@supabase/ssr'
import WebSocket from 'ws'

/** A client that acts for the user of the request. It sets cookies on `answer`. */
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
    // Needed before Node 22, which has a WebSocket of its own.
    realtime: { transport: WebSocket as never },
  })
}
