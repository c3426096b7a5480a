import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { answerMalformedHead, closeGracefully } from '../gateway/index.ts'
import { isPreflight } from '../ground/http/cors.ts'
import { defaultServerLimits } from '../ground/http/server-limits.ts'
import type { RequestContext } from '../ground/model/request.ts'
import { protocolVersion, type Rest, type RestResponse, restPlugin } from '../services/rest/index.ts'
import type { ServerLog } from './log.ts'
import { contextOf } from './request-context.ts'
import { routableTarget } from './target.ts'

// PostgREST has no settings for these.
const closeGraceMs = defaultServerLimits.closeGraceSeconds * 1000
const maxHeaderBytes = defaultServerLimits.headKib * 1024

/**
 * The service's HTTP server, mounted at `/`.
 *
 * @param refused called with the error code of every refused request
 */
export function createApp(rest: Rest, log: ServerLog, refused: (code: string) => void): FastifyInstance {
  const app = Fastify({
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: maxHeaderBytes },
    clientErrorHandler: answerMalformedHead,
    rewriteUrl: ({ url = '/' }) => routableTarget(url),
    routerOptions: { maxParamLength: maxHeaderBytes },
  })
  closeGracefully(app, closeGraceMs)
  const roles = new WeakMap<RequestContext, string | null>()
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', (request, reply, done) => {
    request.setDecorator('requestContext', contextOf(request))
    reply.header('server', `postgrest/${protocolVersion}`)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const context = request.getDecorator<RequestContext>('requestContext')
    if (context.errorCode !== null) refused(context.errorCode)
    if (isPreflight(request)) return
    log.answered({
      ...loggedRequest(request),
      role: roles.get(context) ?? null,
      status: reply.statusCode,
      bytes: String(reply.getHeader('content-length') ?? '-'),
      statements: context.statements.map(({ text }) => text),
    })
  })
  app.setErrorHandler((error, _request, reply) => {
    log.warn(error instanceof Error ? (error.stack ?? error.message) : String(error))
    const body = { code: 'PGRSTX00', details: null, hint: null, message: 'Internal error' }
    return reply.code(500).header('proxy-status', 'PostgREST; error=PGRSTX00').send(body)
  })
  const answered = (context: RequestContext, answer: RestResponse): void => {
    roles.set(context, answer.role ?? null)
    for (const line of warningLines(context, answer)) log.warn(line)
    if (isFailure(answer)) log.failed(String(answer.body ?? ''))
  }
  app.register(restPlugin(rest, { answered }))
  return app
}

/** Of the database or the way to it; the rest that answers 500 is a matter of configuration, which its answer tells. */
const isFailure = ({ status, errorCode }: RestResponse): boolean =>
  status >= 500 && errorCode !== null && (errorCode.startsWith('PGRST00') || !errorCode.startsWith('PGRST'))

/** What an answer warned its client of, so that its developer can correct it. */
function warningLines({ method, path, query }: RequestContext, { headers }: RestResponse): readonly string[] {
  const text = headers.find(([name]) => name === 'warning')?.[1]
  const found =
    text === undefined ? null : /"(.*?) Update (.*) in query string filters, orders or limits\."$/.exec(text)
  if (found === null) return []
  const target = query === '' ? path : `${path}?${query}`
  return [`WARNING: ${found[1]}`, `Update filters, orders or limits that use ${found[2]} in \`${method} ${target}\``]
}

const loggedRequest = ({ raw, headers }: FastifyRequest) => ({
  remoteAddress: raw.socket.remoteAddress,
  method: raw.method ?? '',
  target: raw.url ?? '',
  httpVersion: raw.httpVersion,
  referer: headers.referer ?? '',
  userAgent: headers['user-agent'] ?? '',
})
