import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isPreflight } from '../../../ground/http/cors.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import { restError } from '../errors.ts'
import type { RawRequest } from '../parse/request.ts'
import type { Header } from '../render/guc.ts'
import type { RestResponse } from '../render/response.ts'
import type { Rest } from '../rest.ts'
import { type CorsQuestion, corsHeaders } from './cors.ts'

const noBody = Buffer.alloc(0)

/** The headers with one value each. Node has joined all that repeat already, except `Set-Cookie`. */
function headersOf({ headers }: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const cookies = headers['set-cookie']
  const single = cookies === undefined ? headers : { ...headers, 'set-cookie': cookies.join(', ') }
  // Of the others' types Node says that some may be lists; none ever is.
  return single as Readonly<Record<string, string | undefined>>
}

function rawRequest(request: FastifyRequest, prefix: string): RawRequest {
  const url = request.raw.url ?? request.url
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  return {
    method: request.method,
    path: path.slice(prefix.length) || '/',
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: headersOf(request),
    body: Buffer.isBuffer(request.body) ? request.body : noBody,
  }
}

/** A header's value as bytes: UTF-8 beyond ASCII, and no control characters, which would end it. */
function headerText(value: string): string {
  if (/^[\x20-\x7e\t]*$/.test(value)) return value
  const printable = [...value].filter((character) => character >= ' ' && character !== '\x7f').join('')
  return Buffer.from(printable, 'utf8').toString('latin1')
}

function setHeaders(reply: FastifyReply, headers: readonly Header[]): void {
  if (headers.every(([name], index) => headers.findIndex(([other]) => other === name) === index)) {
    for (const [name, value] of headers) reply.header(name, headerText(value))
    return
  }
  const byName = new Map<string, string[]>()
  for (const [name, value] of headers) byName.set(name, [...(byName.get(name) ?? []), headerText(value)])
  // A list of one is none to Fastify, which would not know a content type by it.
  for (const [name, values] of byName) reply.header(name, values.length === 1 ? values[0] : values)
}

function send(reply: FastifyReply, answer: RestResponse): FastifyReply {
  setHeaders(reply, answer.headers)
  reply.code(answer.status)
  if (answer.statusText !== null) reply.raw.statusMessage = answer.statusText
  const isBare = answer.status === 204 || reply.request.method === 'HEAD' || answer.body === null || answer.body === ''
  return reply.send(isBare ? undefined : answer.body)
}

/** What Fastify refuses before a handler sees it, in this service's words. */
function refusedBody(error: unknown, contentType: string | undefined): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return restError('CLEW_REST_BODY_TOO_LARGE', { cause: error })
  if (code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return error
  return restError('PGRST102', { message: `Content-Type not acceptable: ${contentType ?? ''}`, cause: error })
}

/** How the mount differs from PostgREST’s own server. */
export interface RestPluginOptions {
  /** Headers of answers that scripts of other origins may read besides the contract's own. */
  readonly exposedHeaders?: readonly string[]
  /** Called with every answer before it is sent. */
  readonly answered?: (context: RequestContext, answer: RestResponse) => void
}

/** The HTTP edge of the REST API. The server that mounts it decorates each request with `requestContext`. */
export function restPlugin(rest: Rest, options: RestPluginOptions = {}): FastifyPluginAsync {
  const { exposedHeaders = [], answered = () => undefined } = options
  return async (app) => {
    // Bodies are PostgreSQL's to read, and stay bytes here.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    const question = (request: FastifyRequest): CorsQuestion => ({
      method: request.method,
      headers: headersOf(request),
      allowedOrigins: rest.settings.corsAllowedOrigins,
      exposedHeaders,
    })

    app.addHook('onRequest', (request, reply, done) => {
      if (request.headers.origin !== undefined) setHeaders(reply, corsHeaders(question(request)))
      const { traceHeader: trace } = rest.settings
      if (trace !== null) reply.header(trace, headersOf(request)[trace.toLowerCase()] ?? '')
      done()
    })

    app.setErrorHandler((error, request, reply) => {
      const response = rest.refuse(refusedBody(error, request.headers['content-type']))
      if (response === null) throw error
      request.getDecorator<RequestContext>('requestContext').errorCode = response.errorCode
      return send(reply, response)
    })

    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (request.method === 'OPTIONS' && isPreflight(question(request))) return reply.code(200).send()
      const context = request.getDecorator<RequestContext>('requestContext')
      const answer = await rest.answer(rawRequest(request, app.prefix), context)
      context.rows = answer.rows
      context.errorCode = answer.errorCode
      answered(context, answer)
      return send(reply, answer)
    }

    // Methods that the router does not know: the service answers them, as none is known here either.
    app.setNotFoundHandler(handle)
    for (const url of ['/', '/*']) {
      app.route({
        method: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'],
        url,
        bodyLimit: rest.settings.maxBodyBytes,
        exposeHeadRoute: false,
        handler: handle,
      })
    }
  }
}
