import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { momentOf, note } from '../../../test/answers/requests.ts'
import { session, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { Note } from '../../lib/api/schemas.ts'

const address = `/sessions/${session.id}`

/** A session with notes that the server keeps, and what was sent of them. */
function sessionWith(notes: readonly Note[]) {
  let kept = [...notes]
  const sent: unknown[] = []
  const answers: Answers = {
    ...signedIn,
    '/console/api/sessions': { get: { sessions: [], next: null, ranked: null } },
    '/console/api/sessions/{id}/outline': { get: { session, recording: null } },
    '/console/api/sessions/{id}': {
      get: {
        session,
        windows: [],
        clock: { offsetMs: 0, spreadMs: 0, samples: 1 },
        moments: [momentOf('page', 0, '/basket'), momentOf('click', 40_800, 'Place order')],
        earlier: 0,
        oldClient: null,
        truncated: false,
      },
    },
    '/console/api/notes': {
      get: () => Response.json({ notes: kept }),
      post: async (request) => {
        const body = (await request.json()) as Pick<Note, 'at' | 'text'>
        sent.push(body)
        kept = [...kept, { ...note, ...body, id: 'n2' }]
        return Response.json(kept.at(-1), { status: 201 })
      },
    },
    '/console/api/notes/{id}': {
      put: async (request) => {
        const { text } = (await request.json()) as Pick<Note, 'text'>
        kept = kept.map((one) => ({ ...one, text, editedAt: note.createdAt }))
        return Response.json(kept[0])
      },
      delete: () => {
        kept = []
        return new Response(null, { status: 204 })
      },
    },
  }
  return { answers, sent }
}

const notesIn = () => within(screen.getByRole('list', { name: 'Notes' }))

test('a link to a note opens the session at it', async () => {
  const { answers } = sessionWith([note])
  openConsole(`${address}?tab=notes&note=${note.id}`, answers)
  const chosen = await screen.findByRole('button', { name: 'Go to the note at 0:05.0' })
  expect(chosen.getAttribute('aria-current')).toBe('true')
  expect(notesIn().getByRole('listitem').textContent).toContain('The basket is empty here.')
  expect(notesIn().getByRole('listitem').textContent).toContain('you')
  expect(screen.getByRole('button', { name: /^Write a note at 0:05.0/ })).toBeTruthy()
})

test('m begins a note at the moment that is shown; it is kept at that instant', async () => {
  const { answers, sent } = sessionWith([])
  openConsole(`${address}?t=40.8`, answers)
  await screen.findByRole('button', { name: 'Click Place order' })
  await userEvent.keyboard('m')
  const text = await screen.findByRole('textbox', { name: 'Note at 0:40.8' })
  expect(document.activeElement).toBe(text)
  expect(screen.getByRole('button', { name: 'Save' }).matches(':disabled')).toBe(true)
  await userEvent.type(text, 'They ordered twice.{Control>}{Enter}{/Control}')
  await screen.findByRole('button', { name: 'Go to the note at 0:40.8' })
  const at = new Date(Date.parse(session.startedAt) + 40_800).toISOString()
  expect(sent).toEqual([{ sessionId: session.id, at, text: 'They ordered twice.' }])
  expect(screen.queryByRole('textbox', { name: /^Note at/ })).toBeNull()
})

test('choosing a note goes to its moment, and it stands in the address', async () => {
  const { answers } = sessionWith([note])
  const { at } = openConsole(`${address}?tab=notes&t=40.8`, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Go to the note at 0:05.0' }))
  const read = () => Object.fromEntries(new URL(at(), 'http://console').searchParams)
  await expect.poll(read).toEqual({ tab: 'notes', note: note.id, t: '5' })
})

test('a note of one’s own is edited and, once confirmed, deleted', async () => {
  const { answers } = sessionWith([note])
  openConsole(`${address}?tab=notes`, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const text = screen.getByRole('textbox', { name: 'Text of the note' })
  await userEvent.clear(text)
  await userEvent.type(text, 'It was emptied before.')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await notesIn().findByText('It was emptied before.')
  expect(notesIn().getByRole('listitem').textContent).toContain('edited')
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete the note' }))
  await screen.findByText(/^No notes yet/)
})

test('a note of another operator is read only; an owner may delete it', async () => {
  const { answers } = sessionWith([{ ...note, isMine: false, createdBy: 'bea@team.test' }])
  openConsole(`${address}?tab=notes`, answers)
  await screen.findByRole('list', { name: 'Notes' })
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect((await screen.findByRole('dialog')).textContent).toContain('bea@team.test wrote it.')
})

test('notes that cannot be had say so, and the session stands', async () => {
  const { answers } = sessionWith([])
  openConsole(`${address}?tab=notes`, {
    ...answers,
    '/console/api/notes': { get: refuse(500, 'CLEW_INTERNAL', 'Something went wrong.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong.')
  expect(screen.getByRole('heading', { name: 'Maria Silva', level: 1 })).toBeTruthy()
})
