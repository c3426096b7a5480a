import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { exposedHeaders, originHeaders, preflightHeaders } from '../../ground/http/cors.ts'
import { gatewayError } from '../errors.ts'

/** CORS headers of errors, so that applications on every origin can read them. */
export const readableAnywhere = { ...originHeaders('any', ''), ...exposedHeaders(['x-request-id', 'sb-request-id']) }

/**
 * Answers 404 at an address that nothing serves. Preflights succeed, because a page sees of a refused preflight only a
 * network error without a reason.
 */
export const notFound = async ({ method, headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const requestedMethod = headers['access-control-request-method']
  if (method !== 'OPTIONS' || requestedMethod === undefined)
    throw gatewayError('CLEW_GATEWAY_NOT_FOUND', { headers: readableAnywhere })
  const names = headers['access-control-request-headers'] ?? null
  const answer = preflightHeaders({ methods: requestedMethod, headers: names, maxAgeSeconds: null })
  reply.headers({ ...readableAnywhere, ...answer })
  return reply.code(204).send()
}

/**
 * Makes the scope's own not-found handler answer every other address below its prefix, also for browsers that navigate
 * there, so that the application at `/` never does.
 */
export function claimPrefix(scope: FastifyInstance): void {
  for (const url of ['', '/*']) {
    if (scope.hasRoute({ method: 'GET', url: `${scope.prefix}${url}` })) continue
    scope.get(url, { schema: { hide: true } }, (_request, reply) => {
      reply.callNotFound()
    })
  }
}
