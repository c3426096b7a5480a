import { type FormEvent, useState } from 'react'
import type { PageProps } from './pages'
import { supabaseOf } from './supabase.client'
import { useIsReady } from './use-is-ready'

export function SignIn({ backend }: PageProps) {
  const [problem, setProblem] = useState('')
  const isReady = useIsReady()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const person = { email: String(fields.get('email')), password: String(fields.get('password')) }
    const isNew = (event.nativeEvent as SubmitEvent).submitter?.getAttribute('value') === 'new'
    const { auth } = supabaseOf(backend)
    const { data, error } = isNew ? await auth.signUp(person) : await auth.signInWithPassword(person)
    if (error !== null) setProblem(error.message)
    else if (data.session === null) setProblem('Look into your mail to confirm your address.')
    else window.location.assign('/notes')
  }

  return (
    <form onSubmit={submit}>
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <p className="buttons">
        <button type="submit" value="known" disabled={!isReady}>
          Sign in
        </button>
        <button type="submit" value="new" disabled={!isReady}>
          Sign up
        </button>
      </p>
      {problem !== '' && <p role="alert">{problem}</p>}
    </form>
  )
}
