import type { FastifyRequest } from 'fastify'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { EncodedBody } from '../capture/decode.ts'
import type { Sender } from '../capture/read.ts'

/** One parameter of the query string, the first when it is repeated. */
export function queryParameter(request: FastifyRequest, name: string): string | null {
  // Fastify's own parser gives texts, or lists of them.
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** All values of one parameter of the query string. */
export const queryParameters = (request: FastifyRequest, name: string): readonly string[] =>
  [(request.query as Record<string, string | string[] | undefined>)[name] ?? []].flat()

/** One header as a text. */
export function header(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** The body as it came, with what says how it is encoded. */
export function encodedBody(request: FastifyRequest): EncodedBody {
  return {
    contentType: (header(request, 'content-type') ?? '').toLowerCase(),
    contentEncoding: header(request, 'content-encoding') ?? '',
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    dataParameter: request.method === 'GET' ? (queryParameter(request, 'data') ?? '') : null,
    compression: queryParameter(request, 'compression'),
  }
}

/** The record that the gateway made of the request, when one did. */
export const contextOf = (request: FastifyRequest): RequestContext | null =>
  request.server.hasRequestDecorator('requestContext')
    ? request.getDecorator<RequestContext | null>('requestContext')
    : null

/** Who sends, and when the request arrived: before its body was read. */
export function senderOf(request: FastifyRequest, now: () => Date): Sender {
  return {
    arrivedAt: contextOf(request)?.startedAt ?? now(),
    remoteAddress: request.ip,
    userAgent: header(request, 'user-agent'),
  }
}
