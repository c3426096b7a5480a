import { bodyOf, type Cancel, cancel, client } from './client.ts'

/** What is asked of all rooms at once. */
export const searchApi = {
  search: (q: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/search', { params: { query: { q } }, ...cancel(options) })),
}
