import { bodyOf, type Cancel, cancel, client, type QueryOf } from '../client.ts'

/** Where people click, move and scroll, by page. */
export const heatmapsApi = {
  heatmapPages: async (query: QueryOf<'heatmapPages'>, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/heatmap-pages', { params: { query }, ...cancel(options) }))).pages,
  heatmap: (query: QueryOf<'heatmap'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/heatmap', { params: { query }, ...cancel(options) })),
  scrollMap: (query: QueryOf<'scrollMap'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/scroll-map', { params: { query }, ...cancel(options) })),
  heatmapArea: (query: QueryOf<'heatmapArea'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/heatmap-area', { params: { query }, ...cancel(options) })),
  heatmapPicture: async (query: QueryOf<'heatmapPicture'>, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/heatmap-picture', { params: { query }, ...cancel(options) }))).picture,
}
