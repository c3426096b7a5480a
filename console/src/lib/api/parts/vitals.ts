import { bodyOf, type Cancel, cancel, client, type QueryOf } from '../client.ts'

/** What browsers measured of pages. */
export const vitalsApi = {
  webVitals: (query: QueryOf<'webVitals'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/web-vitals', { params: { query }, ...cancel(options) })),
  webVitalPaths: (query: QueryOf<'webVitalPaths'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/web-vitals/paths', { params: { query }, ...cancel(options) })),
  webVitalVisits: async (query: QueryOf<'webVitalVisits'>, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/web-vitals/visits', { params: { query }, ...cancel(options) }))).visits,
}
