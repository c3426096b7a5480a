import type { FastifyInstance } from 'fastify'
import { dayInSeconds, exposedHeaders, originHeaders, preflightHeaders } from '../../../ground/http/cors.ts'
import { header } from './request.ts'

/**
 * The page is another origin: every answer, errors and scripts included, names it, and every preflight is answered
 * without asking who sends it (analytics §1, CORS).
 */
export function allowEveryOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const origin = header(request, 'origin')
    // Without an origin, too, as a cache may hand the answer to a page.
    reply.headers({
      ...(origin === null ? originHeaders('any', '') : originHeaders('requesting', origin)),
      vary: 'Origin',
    })
    // posthog-js reads it after every request: without exposure browsers log an error each time.
    reply.headers(exposedHeaders(['Retry-After']))
    if (request.method !== 'OPTIONS') return
    const headers = header(request, 'access-control-request-headers') ?? '*'
    reply.headers(preflightHeaders({ methods: 'GET, POST, OPTIONS', headers, maxAgeSeconds: dayInSeconds }))
    await reply.code(204).send()
  })
  for (const url of ['/', '/*']) app.options(url, async (_request, reply) => reply.code(204).send())
}
