import posthog from 'posthog-js'
import { type ReactNode, useEffect } from 'react'
import {
  isRouteErrorResponse,
  Links,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
} from 'react-router'
import { sessionContext, withSession } from './session.server'
import styles from './styles.css?url'
import { type Backend, supabaseOf } from './supabase.client'
import { withTrace } from './trace.server'
import { useIsReady } from './use-is-ready'

export const middleware = [withTrace, withSession]
export const meta = () => [{ title: 'Notes' }]
export const links = () => [
  { rel: 'stylesheet', href: styles },
  { rel: 'icon', href: 'data:,' },
]

export function loader({ context }: LoaderFunctionArgs) {
  const backend: Backend = {
    url: process.env.SUPABASE_URL!,
    publishableKey: process.env.SUPABASE_KEY!,
    ingestToken: process.env.POSTHOG_KEY!,
  }
  return { backend, email: context.get(sessionContext).email }
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  const { backend, email } = useLoaderData<typeof loader>()
  const isReady = useIsReady()

  useEffect(() => {
    posthog.init(backend.ingestToken, {
      api_host: `${backend.url}/ingest`,
      defaults: '2025-05-24',
      // Calls to our own server carry the session as well, which passes it on.
      tracing_headers: [new URL(backend.url).hostname, window.location.hostname],
    })
    // Heard in every open tab, whichever of them signed out.
    const { data } = supabaseOf(backend).auth.onAuthStateChange((event) => {
      if (event === 'SIGNED_OUT') window.location.assign('/')
    })
    return () => data.subscription.unsubscribe()
  }, [backend])

  return (
    <>
      <header>
        <h1>Notes</h1>
        {email !== null && (
          <p>
            {email}{' '}
            <button type="button" disabled={!isReady} onClick={() => supabaseOf(backend).auth.signOut()}>
              Sign out
            </button>
          </p>
        )}
      </header>
      <Outlet />
    </>
  )
}

export function ErrorBoundary({ error }: { error: unknown }) {
  useEffect(() => {
    if (!isRouteErrorResponse(error)) posthog.captureException(error)
  }, [error])
  return <p role="alert">{isRouteErrorResponse(error) ? error.statusText : 'This did not work.'}</p>
}
