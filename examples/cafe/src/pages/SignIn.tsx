import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { supabase } from '../clients'

type Way = 'code' | 'password' | 'new'

export function SignIn() {
  const [way, setWay] = useState<Way>('code')
  const [sentTo, setSentTo] = useState('')
  const [notice, setNotice] = useState('')
  const [search] = useSearchParams()
  const navigate = useNavigate()

  async function submit(form: FormData) {
    const value = (name: string) => String(form.get(name) ?? '')
    setNotice('')
    if (way === 'code' && !sentTo) {
      const { error } = await supabase.auth.signInWithOtp({ email: value('email') })
      if (error) return setNotice(error.message)
      return setSentTo(value('email'))
    }
    const { error } =
      way === 'code'
        ? await supabase.auth.verifyOtp({ email: sentTo, token: value('token'), type: 'email' })
        : way === 'password'
          ? await supabase.auth.signInWithPassword({ email: value('email'), password: value('password') })
          : await supabase.auth.signUp({
              email: value('email'),
              password: value('password'),
              options: { data: { name: value('name') } },
            })
    if (error) return setNotice(error.message)
    navigate(search.get('then') ?? '/')
  }

  return (
    <form className="sign-in" action={submit} key={`${way}${sentTo}`}>
      <h1>{way === 'new' ? 'Become a regular' : 'Welcome back'}</h1>
      {way === 'new' && (
        <label>
          Name
          <input name="name" required autoComplete="name" />
        </label>
      )}
      {!sentTo && (
        <label>
          E-mail
          <input name="email" type="email" required autoComplete="email" />
        </label>
      )}
      {way !== 'code' && (
        <label>
          Password
          <input name="password" type="password" required minLength={6} />
        </label>
      )}
      {sentTo && (
        <label>
          The code we sent to {sentTo}
          <input name="token" inputMode="numeric" required autoComplete="one-time-code" />
        </label>
      )}
      {notice && (
        <p className="problem" role="alert">
          {notice}
        </p>
      )}
      <button type="submit" className="primary">
        {way === 'new' ? 'Sign up' : way === 'password' || sentTo ? 'Sign in' : 'Send me a code'}
      </button>
      <p className="sub">
        {(['code', 'password', 'new'] as const)
          .filter((other) => other !== way)
          .map((other) => (
            <button
              key={other}
              type="button"
              className="quiet"
              onClick={() => {
                setWay(other)
                setSentTo('')
                setNotice('')
              }}
            >
              {other === 'code' ? 'Use a code' : other === 'password' ? 'Use a password' : 'Create an account'}
            </button>
          ))}
      </p>
    </form>
  )
}
