import type { IncomingHttpHeaders } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import { isIP } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyServerFactory } from 'fastify'
import type { LiveCertificate } from '../ground/http/certificate.ts'
import { defaultJsonDepth, isNestedDeeper } from '../ground/http/json-size.ts'
import { defaultServerLimits } from '../ground/http/server-limits.ts'
import { gatewayError } from './errors.ts'
import { closeGracefully } from './graceful-close.ts'
import type { HostCheck } from './protection/host-check.ts'
import type { ProxyCheck } from './protection/proxy-check.ts'
import { closeSlowAnswers } from './protection/slow-answers.ts'
import { closeSlowRequests } from './protection/slow-requests.ts'
import { logRequests } from './request/access-log.ts'
import { moveApiKeyToHeader } from './request/api-key-parameter.ts'
import { sendError, sendFrameworkError } from './request/error-response.ts'
import { answerMalformedHead } from './request/malformed-head.ts'
import { createRequestContext, type RequestContextDeps } from './request/request-context.ts'
import { schemaCompilers } from './schema-compilers.ts'

/** The settings and functions that both ports need. */
export interface ServerDeps extends RequestContextDeps {
  /** The certificate of a server that speaks HTTPS; plain HTTP where it is null or absent. */
  readonly certificate?: LiveCertificate | null
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** The header in which such a proxy names the client's address; `X-Forwarded-For` by default. */
  readonly clientAddressHeader?: string | null
  readonly proxyCheck: ProxyCheck
  /** How long in-flight requests may take to end when the server closes; 10 s by default. */
  readonly closeGraceMs?: number
  /** How long a request may take to be received, unless it is large and comes fast enough; 300 s by default. */
  readonly requestTimeoutMs?: number
  /** What a request that takes longer must bring on average; 1 KiB by default. */
  readonly requestBytesPerSecond?: number
  /** Names of cookies that belong to another port of this host, and are removed from requests. */
  readonly withheldCookies: readonly string[]
  /** How deep JSON bodies may nest; 200 by default. */
  readonly jsonDepth?: number
  /** The limit of a JSON body where a route has none of its own; 64 KiB by default. */
  readonly bodyLimitBytes?: number
  /** The limit of a request's address and headers together; 64 KiB by default. */
  readonly headLimitBytes?: number
  /** Which host names the server answers to; any by default. */
  readonly allowsHost?: HostCheck
  readonly log: FastifyBaseLogger
  /** Where each request is a line of; none where it is not given. */
  readonly accessLog?: FastifyBaseLogger | undefined
}

/** An HTTP server with the limits, the request context and the error shape of every port. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { certificate = null } = deps
  const maxHeaderSize = deps.headLimitBytes ?? defaultServerLimits.headKib * 1024
  const app = Fastify({
    loggerInstance: deps.log,
    // A logger for each request would cost as much as its routing; log lines name the request's id instead.
    childLoggerFactory: (logger) => logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: deps.bodyLimitBytes ?? defaultServerLimits.bodyKib * 1024,
    // Node would cut a large request, however fast it comes: see closeSlowRequests.
    requestTimeout: 0,
    http: { maxHeaderSize },
    ...(certificate === null ? {} : { serverFactory: httpsServer(certificate, { maxHeaderSize, requestTimeout: 0 }) }),
    rewriteUrl: moveApiKeyToHeader,
    clientErrorHandler: answerMalformedHead,
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    frameworkErrors: sendFrameworkError,
    schemaController: schemaCompilers,
  })
  const slowest = {
    timeoutMs: deps.requestTimeoutMs ?? defaultServerLimits.requestTimeoutSeconds * 1000,
    bytesPerSecond: deps.requestBytesPerSecond ?? defaultServerLimits.requestBytesPerSecond,
  }
  closeSlowRequests(app, slowest)
  closeSlowAnswers(app, slowest)
  closeGracefully(app, deps.closeGraceMs ?? defaultServerLimits.closeGraceSeconds * 1000)
  const contextOf = createRequestContext(deps)
  if (deps.accessLog !== undefined) logRequests(app, deps.accessLog)
  app.decorateRequest('requestContext', null)
  app.setErrorHandler(sendError)
  refuseDeepJson(app, deps.jsonDepth ?? defaultJsonDepth)
  // Hooks with callbacks: a promise for each would cost every request a turn of the microtask queue.
  const addressHeader = deps.clientAddressHeader?.toLowerCase() ?? null
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw
    if (addressHeader !== null) replaceForwardedFor(headers, addressHeader)
    deps.proxyCheck.see(request)
    withholdCookies(headers, deps.withheldCookies)
    const context = contextOf(request, reply)
    request.setDecorator('requestContext', context)
    // Clients of the hosted backend read `sb-request-id`. The session recorder redacts neither header.
    reply.header('x-request-id', context.id)
    reply.header('sb-request-id', context.id)
    // HTTP/1.0 may leave the host out; no browser does.
    const { host } = headers
    if (host !== undefined && deps.allowsHost?.(host) === false) done(gatewayError('CLEW_GATEWAY_FOREIGN_HOST'))
    else done()
  })
  return app
}

/** A server of HTTPS in the place of a plain one: by Fastify's own option for it the application would have another type. */
const httpsServer =
  (certificate: LiveCertificate, options: ServerOptions): FastifyServerFactory =>
  (handler) => {
    const server = createHttpsServer({ ...options, ...certificate.current() }, handler)
    // Connections that are open keep theirs.
    certificate.onReplaced((next) => server.setSecureContext(next))
    return server
  }

/** Refuses JSON that nests too deep, and parses the rest as the framework does. Services with parsers of their own check it themselves. */
function refuseDeepJson(app: FastifyInstance, depth: number): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isNestedDeeper(body, depth)) done(gatewayError('CLEW_GATEWAY_TOO_DEEP'))
    // The callback has the result, and the promise of its type is unused.
    else void parse(request, body, done)
  })
}

/**
 * Replaces `X-Forwarded-For` by a proxy's own header. Whether the header is trusted depends on the connection's address, as
 * for the standard one.
 */
function replaceForwardedFor(headers: IncomingHttpHeaders, name: string): void {
  const value = headers[name]
  const address = (typeof value === 'string' ? value : '').split(',', 1)[0]?.trim() ?? ''
  if (isIP(address) === 0) delete headers['x-forwarded-for']
  else headers['x-forwarded-for'] = address
}

/** Removes cookies before anything reads or records them: browsers send a cookie to every port of its host. */
function withholdCookies(headers: IncomingHttpHeaders, names: readonly string[]): void {
  const { cookie } = headers
  if (cookie === undefined || !names.some((name) => cookie.includes(name))) return
  const others = cookie.split(';').filter((pair) => !names.includes(pair.split('=', 1)[0]?.trim() ?? ''))
  if (others.length === 0) delete headers.cookie
  else headers.cookie = others.join(';').trim()
}
