import type { FastifyPluginAsync } from 'fastify'
import type { Analytics } from './analytics.ts'
import { captureRoutes } from './edge/capture-routes.ts'
import { allowEveryOrigin } from './edge/cors.ts'
import { sendError } from './edge/errors.ts'
import { flagRoutes } from './edge/flag-routes.ts'
import { scriptRoutes } from './edge/script-routes.ts'
import { analyticsError } from './errors.ts'

/** Everything that posthog-js, posthog-node and their kin call, under one prefix. */
export function capturePlugin({ edge }: Pick<Analytics, 'edge'>): FastifyPluginAsync {
  return async (app) => {
    // Gzip travels as text/plain, base64 as a form, JSON as anything: the bytes decide, so all come as bytes.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.setErrorHandler(sendError)
    allowEveryOrigin(app)
    captureRoutes(app, edge)
    flagRoutes(app, edge)
    scriptRoutes(app, edge)
    // Not an HTML page, nor the application's own: a script tag would run it.
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: '/*',
      handler: async () => {
        throw analyticsError('CLEW_INGEST_NOT_FOUND')
      },
    })
  }
}
