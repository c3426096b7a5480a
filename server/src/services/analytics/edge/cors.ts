import type { FastifyInstance } from 'fastify'
import { dayInSeconds, exposedHeaders, originHeaders, preflightHeaders } from '../../../ground/http/cors.ts'
import { header } from './request.ts'

/** Without an origin, too, as a cache may hand the answer to a page. */
const anyOrigin = {
  ...originHeaders('any', ''),
  vary: 'Origin',
  // posthog-js reads it after every request: without exposure browsers log an error each time.
  ...exposedHeaders(['Retry-After']),
}

/**
 * The page is another origin: every answer, errors and scripts included, names it, and every preflight is answered
 * without asking who sends it (analytics §1, CORS).
 */
export function allowEveryOrigin(app: FastifyInstance): void {
  // With a callback: a promise would cost every request a turn of the microtask queue.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(anyOrigin)
    const origin = header(request, 'origin')
    if (origin !== null) reply.headers(originHeaders('requesting', origin) ?? {})
    if (request.method !== 'OPTIONS') {
      done()
      return
    }
    const headers = header(request, 'access-control-request-headers') ?? '*'
    reply.headers(preflightHeaders({ methods: 'GET, POST, OPTIONS', headers, maxAgeSeconds: dayInSeconds }))
    reply.code(204).send()
  })
  for (const url of ['/', '/*']) app.options(url, async (_request, reply) => reply.code(204).send())
}
