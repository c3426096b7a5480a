import { useEffect, useRef } from 'react'
import {
  type ActionFunctionArgs,
  data,
  Form,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
} from 'react-router'
import { sessionContext } from '../session.server'

interface Note {
  id: number
  text: string
}

export async function loader({ context }: LoaderFunctionArgs) {
  const { supabase, email } = context.get(sessionContext)
  if (email === null) throw redirect('/', 303)
  const { data: notes, error } = await supabase
    .from('notes')
    .select('id, text')
    .order('id', { ascending: false })
    .overrideTypes<Note[], { merge: false }>()
  if (error !== null) throw new Error(error.message)
  return { notes, renderedAt: new Date().toISOString() }
}

/** Keeps a note; the loader then reads all of them again. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { supabase } = context.get(sessionContext)
  const text = String((await request.formData()).get('text'))
  const { error } = await supabase.from('notes').insert({ text })
  return error === null ? { problem: '' } : data({ problem: error.message }, { status: 400 })
}

export default function Notes() {
  const { notes, renderedAt } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const { state } = useNavigation()
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (answer?.problem === '') form.current?.reset()
  }, [answer])

  return (
    <main>
      <h2>My notes</h2>
      <Form method="post" ref={form}>
        <label>
          New note <input name="text" required />
        </label>
        <button type="submit" disabled={state === 'submitting'}>
          Keep
        </button>
        {answer?.problem && <p role="alert">{answer.problem}</p>}
      </Form>
      <ul>
        {notes.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <p>
        <small>Made on the server at {renderedAt}.</small>
      </p>
    </main>
  )
}
