import type { SupabaseClient } from '@supabase/supabase-js'
import { createContext, type MiddlewareFunction } from 'react-router'
import { supabaseFor } from './supabase.server'

declare module 'react-router' {
  interface Future {
    v8_middleware: true
  }
}

/** Of a request: a client that acts for its user, and their address; null where nobody is signed in. */
export const sessionContext = createContext<{ supabase: SupabaseClient; email: string | null }>()

/** Runs before all loaders and actions of a request, which then share one session. */
export const withSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const headers = new Headers()
  const supabase = supabaseFor(request, headers)
  // Renews a token that has expired, and believes none whose signature is wrong.
  const { data } = await supabase.auth.getClaims()
  context.set(sessionContext, { supabase, email: data?.claims.email ?? null })
  const response = await next()
  // Cookies, and that a page with a user's new session must not be cached. Each cookie is a header of its own.
  for (const [name, value] of headers) {
    if (name === 'set-cookie') response.headers.append(name, value)
    else response.headers.set(name, value)
  }
  return response
}
