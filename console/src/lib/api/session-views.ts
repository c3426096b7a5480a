import { type BodyOf, bodyOf, type Cancel, cancel, client } from './client.ts'

/** The requests of the list of sessions beside its pages: saved views, and pictures. */
export const sessionViewsApi = {
  /** NDJSON: the `RecordingLine` with which a picture of the first page begins. */
  sessionPicture: (id: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/sessions/{id}/picture', {
        params: { path: { id } },
        parseAs: 'text',
        ...cancel(options),
      }),
    ),
  sessionViews: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/session-views', cancel(options)))).views,
  createSessionView: (body: BodyOf<'createSessionView'>) => bodyOf(client.POST('/console/api/session-views', { body })),
  changeSessionView: (id: string, body: BodyOf<'changeSessionView'>) =>
    bodyOf(client.PUT('/console/api/session-views/{id}', { params: { path: { id } }, body })),
  removeSessionView: (id: string) =>
    bodyOf(client.DELETE('/console/api/session-views/{id}', { params: { path: { id } } })),
}
