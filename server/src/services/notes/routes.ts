import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type ConsoleRequest, type OperatorActions, operatorOf } from '../../ground/model/operator-actions.ts'
import { notesError } from './errors.ts'
import type { Notes } from './notes.ts'
import { Note, NoteBody, NoteChange } from './schemas.ts'
import type { NoteRow } from './store.ts'

const tags = ['notes']
const NoteId = Type.Object({ id: Type.String({ format: 'uuid' }) })

const listRoute = {
  operationId: 'notes',
  tags,
  summary: 'The notes on a session, by their moment',
  querystring: Type.Object({ session: Type.String({ minLength: 1, maxLength: 200 }) }),
  response: { 200: Type.Object({ notes: Type.Array(Note) }) },
}
const createRoute = {
  operationId: 'createNote',
  tags,
  summary: 'Write a note at a moment of a session',
  body: NoteBody,
  response: { 201: Note },
}
const changeRoute = {
  operationId: 'changeNote',
  tags,
  summary: 'Change the text of a note of yours',
  params: NoteId,
  body: NoteChange,
  response: { 200: Note },
}
const removeRoute = {
  operationId: 'removeNote',
  tags,
  summary: 'Delete a note: one of yours, as an owner any',
  params: NoteId,
  response: { 204: Type.Null() },
}

/** Notes at moments of sessions, for those who may look at sessions. */
export function noteRoutes(notes: Notes, actions: OperatorActions): FastifyPluginAsyncTypebox {
  const isMine = (request: ConsoleRequest, { createdBy }: NoteRow): boolean => createdBy === operatorOf(request)
  const canDelete = (request: ConsoleRequest, note: NoteRow): boolean =>
    isMine(request, note) || actions.may(request, 'manage team')
  const render = (request: ConsoleRequest, note: NoteRow): Note => ({
    ...note,
    at: note.at.toISOString(),
    createdAt: note.createdAt.toISOString(),
    editedAt: note.editedAt?.toISOString() ?? null,
    isMine: isMine(request, note),
    canDelete: canDelete(request, note),
  })
  const actionOn = (name: string, { sessionId, at }: Pick<NoteRow, 'sessionId' | 'at'>) =>
    ({ name, target: `session ${sessionId} at ${at.toISOString()}`, right: 'look' }) as const

  return async (app) => {
    app.get('/notes', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      return { notes: (await notes.list(request.query.session)).map((note) => render(request, note)) }
    })

    app.post('/notes', { schema: createRoute }, async (request, reply) => {
      const { sessionId, at } = request.body
      const action = actionOn('note.create', { sessionId, at: new Date(at) })
      const note = await actions.run(request, action, () => notes.create(request.body, operatorOf(request)))
      return reply.code(201).send(render(request, note))
    })

    app.put('/notes/:id', { schema: changeRoute }, async (request) => {
      actions.check(request, 'look')
      const note = await notes.find(request.params.id)
      if (!isMine(request, note)) throw notesError('CLEW_NOTES_NOT_YOURS')
      const change = () => notes.change(note.id, request.body.text)
      return render(request, await actions.run(request, actionOn('note.change', note), change))
    })

    app.delete('/notes/:id', { schema: removeRoute }, async (request, reply) => {
      actions.check(request, 'look')
      const note = await notes.find(request.params.id)
      if (!canDelete(request, note)) throw notesError('CLEW_NOTES_NOT_YOURS')
      await actions.run(request, actionOn('note.delete', note), () => notes.remove(note.id))
      return reply.code(204).send(null)
    })
  }
}
