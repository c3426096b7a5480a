import { type BodyOf, bodyOf, type Cancel, cancel, client } from '../client.ts'

/** Notes at moments of sessions. */
export const notesApi = {
  notes: async (session: string, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/notes', { params: { query: { session } }, ...cancel(options) }))).notes,
  createNote: (body: BodyOf<'createNote'>) => bodyOf(client.POST('/console/api/notes', { body })),
  changeNote: (id: string, text: string) =>
    bodyOf(client.PUT('/console/api/notes/{id}', { params: { path: { id } }, body: { text } })),
  removeNote: (id: string) => bodyOf(client.DELETE('/console/api/notes/{id}', { params: { path: { id } } })),
}
