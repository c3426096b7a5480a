import { type FormEvent, useState } from 'react'
import type { PageProps } from './pages'
import { supabaseOf } from './supabase.client'
import { useIsReady } from './use-is-ready'

export function Notes({ backend, notes: first, renderedAt }: PageProps) {
  const [notes, setNotes] = useState(first)
  const [problem, setProblem] = useState('')
  const isReady = useIsReady()

  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('text'))
    const { data, error } = await supabaseOf(backend).from('notes').insert({ text }).select('id, text').single()
    if (error !== null) return setProblem(error.message)
    setNotes([data, ...notes])
    form.reset()
  }

  return (
    <main>
      <h2>My notes</h2>
      <form onSubmit={add}>
        <label>
          New note <input name="text" required />
        </label>
        <button type="submit" disabled={!isReady}>
          Keep
        </button>
        {problem !== '' && <p role="alert">{problem}</p>}
      </form>
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
