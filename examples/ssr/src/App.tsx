import { useEffect } from 'react'
import { Notes } from './Notes'
import type { PageProps } from './pages'
import { SignIn } from './SignIn'
import { supabaseOf } from './supabase.client'
import { useIsReady } from './use-is-ready'

export function App(props: PageProps) {
  const { path, email, backend } = props
  const isReady = useIsReady()

  useEffect(() => {
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
      {path === '/notes' ? (
        <Notes {...props} />
      ) : email === null ? (
        <SignIn {...props} />
      ) : (
        <a href="/notes">My notes</a>
      )}
    </>
  )
}
