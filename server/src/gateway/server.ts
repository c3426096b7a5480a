import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { defaultJsonDepth, isNestedDeeper } from '../ground/http/json-size.ts'
import { gatewayError } from './errors.ts'
import { closeGently } from './graceful-close.ts'
import type { HostCheck } from './protection/host-check.ts'
import { createProxyNotice } from './protection/untrusted-proxy.ts'
import { takeKeyFromAddress } from './request/api-key-parameter.ts'
import { sendError, sendUnreadable } from './request/error-response.ts'
import { answerUnreadableHead } from './request/malformed-head.ts'
import { createRequestWork, type RequestWorkDeps } from './request/request-context.ts'

export interface ServerDeps extends RequestWorkDeps {
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** The header that such a proxy names the client's address in; `X-Forwarded-For` where nothing is said. */
  readonly clientAddressHeader?: string | null
  /** How long requests that are under way may take to end when it closes; 10 s where nothing is said. */
  readonly graceMs?: number
  /** Cookies by their names that nothing on this server may see: they belong to another port of the same host. */
  readonly withheldCookies: readonly string[]
  /** How deep JSON may nest that the framework reads; 200 where nothing is said. */
  readonly jsonDepth?: number
  /** Most that the address and the headers of a request may have together; 64 KiB where nothing is said. */
  readonly headLimitBytes?: number
  /** Which host names it answers to; any where nothing is said. */
  readonly allowsHost?: HostCheck
  readonly log: FastifyBaseLogger
}

// What nobody reads, and what the console and the inbox read, is small; services that read more say so themselves.
const bodyLimitBytes = 65_536
// Node's own default, which Fastify switches off: a body that dribbles in must not hold its connection for ever.
const requestTimeoutMs = 300_000
const graceMs = 10_000
// An `in` list of some thousand keys, a token with many claims.
const defaultHeadLimitBytes = 65_536

/** An HTTP server with the limits, the request's record and the error shape that every port has. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.log,
    // A logger for each request would cost as much as its routing; what is logged names the request's id itself.
    childLoggerFactory: (logger) => logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    http: { maxHeaderSize: deps.headLimitBytes ?? defaultHeadLimitBytes },
    rewriteUrl: takeKeyFromAddress,
    clientErrorHandler: answerUnreadableHead,
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    frameworkErrors: sendUnreadable,
  })
  closeGently(app, deps.graceMs ?? graceMs)
  const workOf = createRequestWork(deps)
  app.decorateRequest('work', null)
  app.setErrorHandler(sendError)
  refuseDeepJson(app, deps.jsonDepth ?? defaultJsonDepth)
  // Hooks call back: a promise for each would cost each request a turn of the queue.
  const addressHeader = deps.clientAddressHeader?.toLowerCase() ?? null
  const noticeProxy = createProxyNotice(deps.log)
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw
    if (addressHeader !== null) takeAddressFrom(headers, addressHeader)
    noticeProxy(request)
    withholdCookies(headers, deps.withheldCookies)
    const work = workOf(request, reply)
    request.setDecorator('work', work)
    // Both names: ours, and the one that clients of the hosted backend read. Neither is redacted by the recorder.
    reply.header('x-request-id', work.id)
    reply.header('sb-request-id', work.id)
    // HTTP/1.0 may leave the host out; no browser does.
    const { host } = headers
    if (host !== undefined && deps.allowsHost?.(host) === false) done(gatewayError('CLEW_GATEWAY_FOREIGN_HOST'))
    else done()
  })
  return app
}

/** Reads JSON as the framework does, once it is known not to nest too deep. Services that read bodies look for themselves. */
function refuseDeepJson(app: FastifyInstance, depth: number): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isNestedDeeper(body, depth)) done(gatewayError('CLEW_GATEWAY_TOO_DEEP'))
    // Answers by its callback; the promise of its type is another form of it.
    else void parse(request, body, done)
  })
}

/**
 * Puts a proxy's own header in the place of the standard one. Whether it is believed is decided where the other one is:
 * by the address that the connection comes from.
 */
function takeAddressFrom(headers: IncomingHttpHeaders, name: string): void {
  const value = headers[name]
  const address = (typeof value === 'string' ? value : '').split(',', 1)[0]?.trim() ?? ''
  if (isIP(address) === 0) delete headers['x-forwarded-for']
  else headers['x-forwarded-for'] = address
}

/** Browsers send a cookie to every port of its host; here it is taken out before anything can read or record it. */
function withholdCookies(headers: IncomingHttpHeaders, names: readonly string[]): void {
  const { cookie } = headers
  if (cookie === undefined || !names.some((name) => cookie.includes(name))) return
  const kept = cookie.split(';').filter((pair) => !names.includes(pair.split('=', 1)[0]?.trim() ?? ''))
  if (kept.length === 0) delete headers.cookie
  else headers.cookie = kept.join(';').trim()
}
