import type { FastifyInstance } from 'fastify'
import { header } from './request.ts'

/**
 * The page is another origin: every answer, errors and scripts included, names it, and every preflight is answered
 * without asking who sends it (analytics §1, CORS).
 */
export function allowEveryOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const origin = header(request, 'origin')
    reply.header('access-control-allow-origin', origin ?? '*')
    reply.header('vary', 'Origin')
    if (origin !== null) reply.header('access-control-allow-credentials', 'true')
    // posthog-js reads it after every request: without exposure browsers log an error each time.
    reply.header('access-control-expose-headers', 'Retry-After')
    if (request.method !== 'OPTIONS') return
    reply.header('access-control-allow-methods', 'GET, POST, OPTIONS')
    reply.header('access-control-allow-headers', header(request, 'access-control-request-headers') ?? '*')
    reply.header('access-control-max-age', '86400')
    await reply.code(204).send()
  })
  for (const url of ['/', '/*']) app.options(url, async (_request, reply) => reply.code(204).send())
}
