import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import {
  dayInSeconds,
  exposedHeaders,
  isPreflight,
  originHeaders,
  preflightHeaders,
  requestedHeaders,
} from '../../../ground/http/cors.ts'
import { type JsonLimits, measureJson } from '../../../ground/http/json-size.ts'
import { storageError } from '../errors.ts'
import { toErrorResponse } from './error-response.ts'
import { contextOf } from './routes.ts'

/** A part of the API under its prefix. */
export interface Part {
  readonly prefix: string
  readonly plugin: FastifyPluginAsync
  /** Whether bodies are JSON, or streams that the part reads itself. */
  readonly bodies: 'json' | 'streams'
}

/** The dependencies of the service's edge. */
export interface StoragePluginDeps {
  readonly parts: readonly Part[]
  /** What JSON may hold before it is parsed: more than the longest list, so that one that is too long is told so. */
  readonly jsonLimits: JsonLimits
  readonly log: { error(details: object, message: string): void }
}

/** Some names and settings; one such text takes the event loop a millisecond. */
const jsonLimitBytes = 64 * 1024

/** The limit of routes that take lists: of a thousand keys, each of 1024 bytes, and what JSON adds. */
export const listLimitBytes = 2 * 1024 * 1024

const exposed = [
  'content-disposition',
  'content-length',
  'content-range',
  'etag',
  'location',
  'tus-extension',
  'tus-max-size',
  'tus-resumable',
  'tus-version',
  'upload-complete',
  'upload-expires',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'x-request-id',
  'x-transformations',
]

/** `/storage/v1`: its parts, its errors (storage §1), and pages of any origin, which carry no cookies of ours. */
export function storagePlugin({ parts, jsonLimits, log }: StoragePluginDeps): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addHook('onRequest', (request, reply, done) => {
      const { origin } = request.headers
      if (origin === undefined) {
        done()
        return
      }
      reply.headers({ ...originHeaders('any', origin), ...exposedHeaders(exposed) })
      if (!isPreflight(request)) {
        done()
        return
      }
      const names = requestedHeaders(String(request.headers['access-control-request-headers'] ?? ''))
      const methods = 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS'
      reply
        .code(204)
        .headers(preflightHeaders({ methods, headers: names.join(', '), maxAgeSeconds: dayInSeconds }))
        .send()
    })
    // What is no route is none whatever its body says that it is.
    app.addHook('onRequest', (request, reply, done) => {
      if (request.is404) sendNotFound(request, reply)
      else done()
    })
    app.setErrorHandler((error, request, reply) => {
      const context = contextOf(request)
      const response = toErrorResponse(context.signal.aborted ? abortedBy(request.method, error) : error)
      if (response === null) {
        context.errorCode = 'InternalError'
        log.error({ err: error, requestId: context.id }, 'storage: a request failed')
        const body = { statusCode: '500', error: 'Internal', message: 'Internal Server Error', code: 'InternalError' }
        return reply.code(500).send(body)
      }
      context.errorCode = response.body.code
      const { status, headers, body } = response
      return reply
        .code(status)
        .headers({ ...headers, 'content-type': 'application/json; charset=utf-8' })
        .send(body)
    })
    for (const { prefix, plugin, bodies } of parts)
      await app.register(
        async (scope) => {
          if (bodies === 'json') parseJsonBodies(scope, jsonLimits)
          else scope.addContentTypeParser('*', (_request, _body, done) => done(null))
          await scope.register(plugin)
        },
        { prefix },
      )
    app.setNotFoundHandler(sendNotFound)
  }
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  contextOf(request).errorCode = 'NotFound'
  const message = `Route ${request.method}:${request.url} not found`
  reply.code(404).send({ statusCode: '404', error: 'Not Found', message, code: 'NotFound' })
}

const abortedBy = (method: string, cause: unknown) =>
  storageError(method === 'GET' || method === 'HEAD' ? 'DownloadAborted' : 'Aborted', { cause })

const refusals = { deep: 'The JSON nests too deep', many: 'The JSON holds too many values' }

/** JSON, which may be empty; a body of another type counts as none. */
function parseJsonBodies(scope: FastifyInstance, limits: JsonLimits): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  const options = { parseAs: 'string', bodyLimit: jsonLimitBytes } as const
  scope.addContentTypeParser<string>('application/json', options, (request, body, done) => {
    if (body === '') {
      done(null)
      return
    }
    const size = measureJson(body, limits)
    // The callback has the result, and the promise of its type is unused.
    if (size === 'within') void parse(request, body, done)
    else done(storageError('InvalidRequest', { message: refusals[size] }))
  })
  scope.addContentTypeParser('*', options, (_request, _body, done) => done(null))
}
