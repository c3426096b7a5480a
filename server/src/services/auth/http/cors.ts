import type { FastifyInstance } from 'fastify'
import {
  dayInSeconds,
  exposedHeaders,
  originHeaders,
  preflightHeaders,
  requestedHeaders,
} from '../../../ground/http/cors.ts'

const methods = 'GET, POST, PUT, PATCH, DELETE'
/** The headers of the official clients, posthog-js's tags of a session, and W3C trace context. */
const knownHeaders = [
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
const readableHeaders = [
  'X-Total-Count',
  'Link',
  'X-Supabase-Api-Version',
  'x-sb-error-code',
  'x-request-id',
  'sb-request-id',
]

/**
 * Cross-origin calls of this service (auth §1): any origin. Tokens travel in headers, so a page of another origin
 * sends no credentials by itself; the one cookie that is read binds a provider's flow to its browser and authenticates no user.
 */
export function installCors(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (origin === undefined) return
    reply.headers({ ...originHeaders('requesting', origin), ...exposedHeaders(readableHeaders) })
  })
  app.options('/*', async (request, reply) => {
    const names = [...knownHeaders, ...others(request.headers['access-control-request-headers'])]
    return reply
      .code(204)
      .headers(preflightHeaders({ methods, headers: names.join(', '), maxAgeSeconds: dayInSeconds }))
      .send()
  })
}

/** Headers of a newer client that are not in the list: nothing here depends on their absence. */
function others(requested: string | undefined): readonly string[] {
  const known = new Set(knownHeaders.map((name) => name.toLowerCase()))
  return requestedHeaders(requested).filter((name) => !known.has(name.toLowerCase()))
}
