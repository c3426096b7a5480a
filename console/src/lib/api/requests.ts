import { bodyOf, type Cancel, cancel, client, type QueryOf } from './client.ts'

/** What is asked of the recorded requests, and of all rooms at once. */
export const requestsApi = {
  requests: (query: QueryOf<'requests'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/requests', { params: { query }, ...cancel(options) })),
  overviewDay: (options?: Cancel) => bodyOf(client.GET('/console/api/overview/day', cancel(options))),
  requestSeries: (query: QueryOf<'requestSeries'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/request-series', { params: { query }, ...cancel(options) })),
  slowStatements: (query: QueryOf<'slowStatements'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/slow-statements', { params: { query }, ...cancel(options) })),
  request: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/requests/{id}', { params: { path: { id } }, ...cancel(options) })),
  /** Plans a statement of a request; it is in the audit log. */
  statementPlan: (id: string, place: number) =>
    bodyOf(client.POST('/console/api/requests/{id}/statements/{place}/plan', { params: { path: { id, place } } })),
  /** What a text names, in all rooms. */
  search: (q: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/search', { params: { query: { q } }, ...cancel(options) })),
}
