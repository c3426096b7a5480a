import type { FastifyInstance } from 'fastify'

const methods = 'GET, POST, PUT, PATCH, DELETE'
/** What the official clients send, posthog-js's tags of a session, and W3C trace context. */
const requestHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'apikey',
  'X-Client-IP',
  'X-Client-Info',
  'X-JWT-AUD',
  'x-use-cookie',
  'X-Supabase-Api-Version',
  'X-POSTHOG-SESSION-ID',
  'X-POSTHOG-WINDOW-ID',
  'X-POSTHOG-DISTINCT-ID',
  'traceparent',
  'tracestate',
  'baggage',
]
const exposedHeaders = [
  'X-Total-Count',
  'Link',
  'X-Supabase-Api-Version',
  'x-sb-error-code',
  'x-request-id',
  'sb-request-id',
]
const dayInSeconds = '86400'

/**
 * Cross-origin calls of this service (auth §1): any origin. Tokens travel in headers here, so a foreign page has nothing
 * to ride on; the one cookie that is read says which browser left for a provider, and signs nobody in.
 */
export function installCors(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (origin === undefined) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': exposedHeaders.join(', '),
      vary: 'Origin',
    })
  })
  app.options('/*', async (request, reply) => {
    const asked = request.headers['access-control-request-headers']
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': methods,
        'access-control-allow-headers': [...requestHeaders, ...others(asked)].join(', '),
        'access-control-max-age': dayInSeconds,
      })
      .send()
  })
}

/** Headers of a newer client that are not in the list: nothing here depends on refusing them. */
function others(asked: string | undefined): readonly string[] {
  const known = new Set(requestHeaders.map((name) => name.toLowerCase()))
  const names = (asked ?? '').split(',').map((name) => name.trim())
  return names.filter((name) => /^[\w-]+$/.test(name) && !known.has(name.toLowerCase()))
}
