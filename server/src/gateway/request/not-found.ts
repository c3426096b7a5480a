import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayError } from '../errors.ts'

/** An application on another origin must be able to read why it was refused. */
export const readableAnywhere = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, sb-request-id',
} as const

/**
 * Refuses an address at which nothing is served. A browser that asks beforehand is let ask, for what a page sees of a
 * refused preflight is a network error without a reason.
 */
export const notFound = async ({ method, headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
  const asked = headers['access-control-request-method']
  if (method !== 'OPTIONS' || asked === undefined)
    throw gatewayError('CLEW_GATEWAY_NOT_FOUND', { headers: readableAnywhere })
  const sent = headers['access-control-request-headers']
  reply.headers({
    ...readableAnywhere,
    'access-control-allow-methods': asked,
    ...(sent === undefined ? {} : { 'access-control-allow-headers': sent }),
  })
  return reply.code(204).send()
}

/**
 * Keeps a service's prefix to itself: what it does not serve is refused as it refuses, also to a browser that navigates
 * there, and never answered with a page of the application at `/`.
 */
export function refuseElsewhere(scope: FastifyInstance): void {
  for (const url of ['', '/*']) {
    if (scope.hasRoute({ method: 'GET', url: `${scope.prefix}${url}` })) continue
    scope.get(url, { schema: { hide: true } }, (_request, reply) => {
      reply.callNotFound()
    })
  }
}
