import { type ActionFunctionArgs, data, Form, Link, redirect, useActionData, useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '../root'
import { sessionContext } from '../session.server'

/** Signs in on the server, whose answer sets the cookies. */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await request.formData()
  const person = { email: String(fields.get('email')), password: String(fields.get('password')) }
  const { auth } = context.get(sessionContext).supabase
  const { data: signedIn, error } =
    fields.get('way') === 'new' ? await auth.signUp(person) : await auth.signInWithPassword(person)
  if (error !== null) return data({ problem: error.message }, { status: error.status ?? 400 })
  if (signedIn.session === null) return { problem: 'Look into your mail to confirm your address.' }
  return redirect('/notes', 303)
}

export default function SignIn() {
  const root = useRouteLoaderData<typeof rootLoader>('root')
  const answer = useActionData<typeof action>()
  if (root?.email) return <Link to="/notes">My notes</Link>
  return (
    <Form method="post">
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <p className="buttons">
        <button type="submit" name="way" value="known">
          Sign in
        </button>
        <button type="submit" name="way" value="new">
          Sign up
        </button>
      </p>
      {answer?.problem && <p role="alert">{answer.problem}</p>}
    </Form>
  )
}
