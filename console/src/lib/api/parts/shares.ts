import { type BodyOf, bodyOf, type Cancel, cancel, client } from '../client.ts'

/** Links to sessions: those of operators, and what one opens. */
export const sharesApi = {
  shares: async (session: string, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/shares', { params: { query: { session } }, ...cancel(options) }))).shares,
  createShare: (body: BodyOf<'createShare'>) => bodyOf(client.POST('/console/api/shares', { body })),
  revokeShare: (id: string) => bodyOf(client.DELETE('/console/api/shares/{id}', { params: { path: { id } } })),
  /** The file that a link shows. */
  openShare: async (token: string, options?: Cancel): Promise<Blob> =>
    // The document names no shape of it: it is bytes.
    (await bodyOf(
      client.POST('/console/api/shared', { body: { token }, parseAs: 'blob', ...cancel(options) }),
    )) as Blob,
}
