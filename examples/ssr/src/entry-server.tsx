import type { EmailOtpType } from '@supabase/supabase-js'
import { renderToString } from 'react-dom/server'
import { App } from './App'
import type { PageProps } from './pages'
import { supabaseFor } from './supabase.server'

/** Answers a page. `template` is index.html, as Vite made it. */
export async function render(request: Request, template: string): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
  const supabase = supabaseFor(request, headers)
  const goTo = (location: string) => {
    headers.set('location', location)
    return new Response(null, { status: 303, headers })
  }

  // The link of a mail, when its template leads here with {{ .TokenHash }}.
  if (pathname === '/auth/confirm') {
    const type = searchParams.get('type') as EmailOtpType
    const { error } = await supabase.auth.verifyOtp({ type, token_hash: searchParams.get('token_hash') ?? '' })
    return goTo(error === null ? '/notes' : '/')
  }
  if (pathname !== '/' && pathname !== '/notes') return new Response('Not found', { status: 404 })

  // Renews a token that has expired, and believes none whose signature is wrong.
  const { data } = await supabase.auth.getClaims()
  const email = data?.claims.email ?? null
  if (pathname === '/notes' && email === null) return goTo('/')

  const { data: notes } =
    pathname === '/notes'
      ? await supabase.from('notes').select('id, text').order('id', { ascending: false })
      : { data: [] }
  const props: PageProps = {
    path: pathname,
    backend: { url: process.env.SUPABASE_URL!, publishableKey: process.env.SUPABASE_KEY! },
    email,
    notes: notes ?? [],
    renderedAt: new Date().toISOString(),
  }
  const page = renderToString(<App {...props} />)
  const html = template
    .replace('<!--page-->', () => page)
    // A note may say </script>.
    .replace('"page props"', () => JSON.stringify(props).replaceAll('<', '\\u003c'))
  return new Response(html, { headers })
}
