import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { dayInSeconds, exposedHeaders, originHeaders, preflightHeaders } from '../../../ground/http/cors.ts'
import { otlpError } from '../errors.ts'
import type { Otlp } from '../otlp.ts'
import { type Encoding, mediaTypes, renderStatus, renderTaken } from '../wire/answers.ts'
import type { Signal } from '../wire/model.ts'
import { contextOf, headerOf, type OtlpKeys, refuseKey } from './keys.ts'

/** The endpoint of a signal (otlp §1). */
export const otlpPlugin =
  (otlp: Pick<Otlp, 'take' | 'settings'>, keys: OtlpKeys, signal: Signal): FastifyPluginAsync =>
  async (app) => {
    const { settings } = otlp
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.setErrorHandler(sendError)
    if (settings.publishableKey) allowPages(app)
    const options = {
      bodyLimit: settings.maxBodyBytes,
      // Before a byte of the body is read.
      onRequest: async (request: FastifyRequest) => {
        refuseKey(request, keys, settings.publishableKey)
        if (encodingOf(request) === null) throw otlpError('CLEW_OTLP_TYPE')
      },
    }
    app.post('/', options, async (request, reply) => {
      const encoding = encodingOf(request) ?? 'protobuf'
      const contentEncoding = headerOf(request, 'content-encoding') ?? ''
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const rejected = await otlp.take({ signal, encoding, contentEncoding }, body)
      return reply
        .code(200)
        .type(mediaTypes[encoding])
        .send(renderTaken(encoding, signal, rejected))
    })
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: '/',
      handler: async () => {
        throw otlpError('CLEW_OTLP_METHOD', { headers: { allow: 'POST' } })
      },
    })
  }

/** The encoding that the content type names; null for any other. */
function encodingOf(request: FastifyRequest): Encoding | null {
  const type = (headerOf(request, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type === mediaTypes.protobuf) return 'protobuf'
  return type === mediaTypes.json ? 'json' : null
}

/** Pages of any origin may send, as the publishable key is in all of them. */
function allowPages(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...originHeaders('any', ''), ...exposedHeaders(['Retry-After']) })
    if (request.method !== 'OPTIONS') return
    const headers = headerOf(request, 'access-control-request-headers') ?? '*'
    reply.headers(preflightHeaders({ methods: 'POST, OPTIONS', headers, maxAgeSeconds: dayInSeconds }))
    await reply.code(204).send()
  })
  app.options('/', async (_request, reply) => reply.code(204).send())
}

/** What Fastify itself refuses while it reads a request, as an error of the catalogue; null for a bug. */
function toServiceError(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  if (error.statusCode === 413) return otlpError('CLEW_OTLP_TOO_LARGE', { cause: error })
  return Number(error.statusCode) < 500 ? otlpError('CLEW_OTLP_DATA', { cause: error }) : null
}

/** Answers with a `google.rpc.Status` in the encoding of the request, or in Protobuf (otlp §3). */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toServiceError(error)
  if (known === null || known.status >= 500) request.log.error({ err: error }, 'otlp: a request failed')
  const context = contextOf(request)
  const code = known?.code ?? 'CLEW_OTLP_INTERNAL'
  if (context !== null) context.errorCode = code
  const details = known === null || known.details === null ? '' : ` (${String(known.details)})`
  const message = known === null ? 'Something went wrong here.' : `${known.message}${details} ${known.hint}`
  const encoding = encodingOf(request) ?? 'protobuf'
  const status = known?.status ?? 500
  void reply
    .code(status)
    .headers(known?.headers ?? {})
    .type(mediaTypes[encoding])
    .send(renderStatus(encoding, status, `${code}: ${message}`))
}
