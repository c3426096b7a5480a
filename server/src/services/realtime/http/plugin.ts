import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { dayInSeconds, originHeaders, preflightHeaders } from '../../../ground/http/cors.ts'
import type { FrameCause } from '../../../ground/model/frame.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import { PoliciesNotAsked } from '../caller/authorize.ts'
import { realtimeError } from '../errors.ts'
import { type BroadcastDeps, broadcastMany, broadcastOne, callerOf } from './broadcast.ts'
import type { ReadBody } from './read-body.ts'
import { createHandshake, type HandshakeDeps } from './websocket.ts'

/** The dependencies of `realtimePlugin`. */
export interface RealtimePluginDeps extends HandshakeDeps, BroadcastDeps {
  readonly readBody: ReadBody
  readonly log: { error(details: object, message: string): void }
}

/** `/realtime/v1`: the socket, and broadcasts by HTTP (realtime §1, realtime §4). */
export function realtimePlugin(deps: RealtimePluginDeps): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((error, request, reply) => {
      return sendFailure(error, contextOf(request), reply, deps.log)
    })
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(originHeaders('any', request.headers.origin ?? '') ?? {})
    })
    readBodies(app)
    const handshake = createHandshake(deps)
    app.get('/websocket', handshake)
    app.get('/socket/websocket', handshake)
    app.options('/*', (_request, reply) => reply.code(204).headers(preflight).send())
    broadcastRoutes(app, deps)
  }
}

const contextOf = (request: FastifyRequest): RequestContext => request.getDecorator<RequestContext>('requestContext')

/** What a request leads to names it. */
const causeOf = (request: FastifyRequest): FrameCause => ({
  id: contextOf(request).id,
  at: contextOf(request).startedAt,
})

const preflight = preflightHeaders({
  methods: 'GET, POST, OPTIONS',
  headers: 'authorization, apikey, content-type, x-client-info',
  maxAgeSeconds: dayInSeconds,
})

/** JSON is read when its form is known to be good; bytes go on as they are. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/octet-stream'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
  // A body of no type is read as JSON.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.headers['content-type'] === undefined) done(null, body)
    else done(realtimeError('UnsupportedType'), undefined)
  })
}

function broadcastRoutes(app: FastifyInstance, deps: RealtimePluginDeps): void {
  const { payloadBytes, batchMessages } = deps
  const bodyLimit = payloadBytes * 2
  app.post('/api/broadcast', { bodyLimit }, async (request, reply) => {
    const caller = callerOf(request)
    const messages = await deps.readBody(bytesOf(request), { payloadBytes, batchMessages })
    await broadcastMany(deps, caller, messages, causeOf(request))
    return reply.code(202).send()
  })

  app.post<{ Params: { topic: string; event: string } }>(
    '/api/broadcast/:topic/events/:event',
    { bodyLimit },
    async (request, reply) => {
      const caller = callerOf(request)
      const { topic, event } = request.params
      const { query } = contextOf(request)
      const isJson = !(request.headers['content-type'] ?? '').startsWith('application/octet-stream')
      const bytes = bytesOf(request)
      if (isJson) await deps.readBody(bytes, null)
      const isPrivate = new URLSearchParams(query).get('private') === 'true'
      await broadcastOne(deps, caller, { topic, event, payload: { isJson, bytes }, isPrivate }, causeOf(request))
      return reply.code(202).send()
    },
  )
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

function sendFailure(
  error: unknown,
  context: RequestContext,
  reply: FastifyReply,
  log: RealtimePluginDeps['log'],
): FastifyReply {
  const failure = error instanceof ServiceError ? error : ownFailure(error)
  if (failure === null) {
    context.errorCode = 'InternalError'
    log.error({ err: error, requestId: context.id }, 'realtime: a request failed')
    return reply.code(500).send({ error: 'Internal Server Error' })
  }
  const { code, status, message, details } = failure
  context.errorCode = code
  reply.code(status).headers(failure.headers)
  if (details !== null) return reply.send({ errors: details })
  return reply.send(context.path.endsWith('/websocket') ? { error: message } : { message })
}

/** What the framework refuses, as a body that is too large or of no type that it reads; and what no policy was asked about. */
function ownFailure(error: unknown): ServiceError | null {
  if (error instanceof PoliciesNotAsked) return realtimeError('UnableToConnectToProject', { cause: error })
  const { statusCode } = error as { readonly statusCode?: number }
  if (statusCode === 413)
    return realtimeError('BadMessages', { details: { payload: ['Payload size exceeds tenant limit'] } })
  if (statusCode === 415) return realtimeError('UnsupportedType')
  return null
}
