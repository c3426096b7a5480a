import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { PageObservation, PagePicture } from '../../../ground/model/recording.ts'
import type { Heatmaps } from './heatmaps.ts'
import { Device, Heatmap, HeatmapArea, HeatmapPage, PagePattern, PointKindSchema, Range, ScrollMap } from './schemas.ts'
import { highestPx } from './selection.ts'

const tags = ['heatmaps']
const views = { page: PagePattern, device: Device, range: Range }
const X = Type.Number({ minimum: 0, maximum: 1, description: 'In parts of the viewport’s width' })
const Y = Type.Number({ minimum: 0, maximum: highestPx, description: 'In pixels from the top' })

const pagesRoute = {
  operationId: 'heatmapPages',
  tags,
  summary: 'Pages on which it is known where people clicked, moved or scrolled, those with the most first',
  querystring: Type.Object({ pattern: Type.Optional(PagePattern), range: Range }),
  response: { 200: Type.Object({ pages: Type.Array(HeatmapPage) }) },
}
const heatmapRoute = {
  operationId: 'heatmap',
  tags,
  summary: 'Where people clicked, or moved, on a page: how often in each cell of a grid over it',
  querystring: Type.Object({ ...views, kind: PointKindSchema }),
  response: { 200: Heatmap },
}
const scrollRoute = {
  operationId: 'scrollMap',
  tags,
  summary: 'How far down a page people came',
  querystring: Type.Object(views),
  response: { 200: ScrollMap },
}
const areaRoute = {
  operationId: 'heatmapArea',
  tags,
  summary: 'What was done in an area of a page, by how many, and the newest sessions of it',
  querystring: Type.Object({
    ...{ ...views, kind: PointKindSchema, fromX: X, toX: X, fromY: Y, toY: Y },
    fixed: Type.Boolean({ default: false, description: 'On elements that stay where they are when the page scrolls' }),
  }),
  response: { 200: HeatmapArea },
}
const pictureRoute = {
  operationId: 'heatmapPicture',
  tags,
  summary: 'The part of a recording that draws a page as it was before a visitor not long ago',
  querystring: Type.Object(views),
  response: {
    200: Type.Object({
      picture: Nullable(
        Type.Object({
          sessionId: Type.String(),
          windowId: Type.String(),
          width: Type.Integer({ description: 'Of the viewport, in pixels' }),
          height: Type.Integer(),
          atMs: Type.Number({ description: 'The moment by the clock of the recording, in milliseconds since 1970' }),
          messages: Type.String({ description: 'NDJSON: a RecordingLine a line' }),
        }),
        { description: 'Null: there is no recording of the page at these widths' },
      ),
    }),
  },
}

/** What the routes of heat maps need. */
export interface HeatmapRoutesDeps {
  readonly heatmaps: Heatmaps
  /** What draws the first of these moments that a recording has; null where none has. */
  readonly pictureOf: (observations: readonly PageObservation[]) => Promise<PagePicture | null>
  readonly actions: OperatorActions
}

/** Heat maps, which analysts see. */
export function heatmapRoutes({ heatmaps, pictureOf, actions }: HeatmapRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/heatmap-pages', { schema: pagesRoute }, async (request) => {
      actions.check(request, 'look')
      const { pattern = '*', range } = request.query
      return { pages: await heatmaps.pages(pattern, range) }
    })

    app.get('/heatmap', { schema: heatmapRoute }, (request) => {
      actions.check(request, 'look')
      const { kind, ...ofPage } = request.query
      return heatmaps.heatmap(ofPage, kind)
    })

    app.get('/scroll-map', { schema: scrollRoute }, (request) => {
      actions.check(request, 'look')
      return heatmaps.scroll(request.query)
    })

    app.get('/heatmap-area', { schema: areaRoute }, (request) => {
      actions.check(request, 'look')
      const { page, device, range, kind, fixed: isFixed, ...rectangle } = request.query
      return heatmaps.area({ page, device, range }, kind, { ...rectangle, isFixed })
    })

    app.get('/heatmap-picture', { schema: pictureRoute }, async (request) => {
      actions.check(request, 'look')
      return { picture: await pictureOf(await heatmaps.observations(request.query)) }
    })
  }
}
