import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'
import { parseBody, parseOptionalBody } from '../parse/body.ts'
import type { Redirects } from './redirect.ts'

/** Bodies are read as text whatever they call themselves: a wrong one is answered in this protocol's own words. */
export function installBodies(app: FastifyInstance, maxBodyBytes: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
    done(null, body),
  )
}

/** The gateway's context of a request. */
export const contextOf = (request: FastifyRequest): RequestContext =>
  request.getDecorator<RequestContext>('requestContext')

/** A request's query, decoded. */
export const queryOf = (request: FastifyRequest): URLSearchParams => new URL(request.url, 'http://clew').searchParams

/** A request's body as it came; empty when there is none. */
export const bodyText = (request: FastifyRequest): string => (typeof request.body === 'string' ? request.body : '')

/**
 * Reads a request as a call of the protocol (auth §1): the redirect is the first allowed one of header, query and
 * `Referer`.
 */
export function callOf(redirects: Redirects, request: FastifyRequest, body: Body): Call {
  const header = request.headers.redirect_to
  const candidates = [
    typeof header === 'string' ? header : undefined,
    queryOf(request).get('redirect_to') ?? undefined,
    request.headers.referer,
  ]
  return { context: contextOf(request), body, redirectTo: redirects.choose(candidates) }
}

/** A call whose body must be JSON. */
export const callWithBody = (redirects: Redirects, request: FastifyRequest): Call =>
  callOf(redirects, request, parseBody(bodyText(request)))

/** A call whose body may be missing. */
export const callWithOptionalBody = (redirects: Redirects, request: FastifyRequest): Call =>
  callOf(redirects, request, parseOptionalBody(bodyText(request)))

/** Sends a reply of the protocol. */
export function send(reply: FastifyReply, { status, body, headers }: AuthResponse): FastifyReply {
  reply.code(status).headers(headers ?? {})
  return body === undefined ? reply.send() : reply.send(body)
}
