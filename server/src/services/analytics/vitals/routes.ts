import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { PercentileName, VitalName, VitalPath, VitalQuery, VitalVisit, WebVitals } from './schemas.ts'
import { type VitalRange, vitals as vitalNames } from './selection.ts'
import type { Vitals, VitalsAsked } from './vitals.ts'

const tags = ['web vitals']

const overviewRoute = {
  operationId: 'webVitals',
  tags,
  summary: 'Web vitals of a range of time up to now, as a whole and in their course',
  querystring: Type.Object(VitalQuery),
  response: { 200: WebVitals },
}
const pathsRoute = {
  operationId: 'webVitalPaths',
  tags,
  summary: 'Web vitals by path',
  querystring: Type.Object({
    ...VitalQuery,
    percentile: PercentileName,
    order: Type.Enum(['views', ...vitalNames], {
      default: 'views',
      description: 'The most views first, or the worst of a vital',
    }),
  }),
  response: { 200: Type.Object({ paths: Type.Array(VitalPath), hasMore: Type.Boolean() }) },
}
const visitsRoute = {
  operationId: 'webVitalVisits',
  tags,
  summary: 'The worst visits of a web vital, with what the browser attributes their values to',
  querystring: Type.Object({ ...VitalQuery, vital: VitalName }),
  response: { 200: Type.Object({ visits: Type.Array(VitalVisit) }) },
}

interface Query {
  readonly range: VitalRange
  readonly path?: string
  readonly device?: string
  readonly browser?: string
  readonly country?: string
}

const askedOf = ({ range, path, device, browser, country }: Query): VitalsAsked => ({
  range,
  path: path ?? null,
  device: device ?? null,
  browser: browser ?? null,
  country: country ?? null,
})

/** Web vitals, which analysts see. */
export function vitalRoutes(vitals: Vitals, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/web-vitals', { schema: overviewRoute }, (request) => {
      actions.check(request, 'look')
      return vitals.overview(askedOf(request.query))
    })

    app.get('/web-vitals/paths', { schema: pathsRoute }, (request) => {
      actions.check(request, 'look')
      const { percentile, order } = request.query
      return vitals.paths(askedOf(request.query), percentile, order)
    })

    app.get('/web-vitals/visits', { schema: visitsRoute }, async (request) => {
      actions.check(request, 'look')
      return { visits: await vitals.visits(askedOf(request.query), request.query.vital) }
    })
  }
}
