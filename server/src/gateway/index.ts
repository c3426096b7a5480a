import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
} from 'fastify'
import type { ServiceError } from '../ground/errors/service-error.ts'
import type { EngineHealth } from '../ground/model/health.ts'
import type { RequestRecord, RequestWork } from '../ground/model/request.ts'
import { isSecretFromBrowser } from './browser-secret.ts'
import { closeGently } from './closing.ts'
import { gatewayError } from './errors.ts'
import { healthPlugin } from './health.ts'
import { createMetrics, type Gauged } from './metrics.ts'
import { createRequestWork, type RequestWorkDeps } from './request-work.ts'
import { notFound, readableAnywhere, refuseElsewhere, serveApplication } from './static.ts'
import { sendError, sendUnreadable } from './unhandled.ts'

export { createCallerFinder } from './caller.ts'
export { closeGently } from './closing.ts'
export { type Console, consolePlugin } from './console.ts'
export { gatewayError } from './errors.ts'
export { createInboxGateway } from './inbox.ts'

/** A service under its prefix. */
export interface Mount {
  readonly prefix: string
  readonly plugin: FastifyPluginAsync
  /** The service's name in the thread; null for what is not part of it (ingestion, inbox, console). */
  readonly service: string | null
  /** Whether a request under the prefix (path without it) needs a project key where keys are required at all. */
  readonly needsKey: (path: string) => boolean
}

export interface GatewayDeps extends RequestWorkDeps {
  readonly mounts: readonly Mount[]
  readonly health: () => Promise<readonly EngineHealth[]>
  /** Told of every finished request of a service that belongs to the thread. Must not throw, nor wait. */
  readonly requestEnded: (record: RequestRecord) => void
  readonly gauges: readonly Gauged[]
  /** The team's own application, served at `/`; null when there is none. */
  readonly publicFolder: string | null
  readonly consoleFolder: string
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** The header that such a proxy names the client's address in; `X-Forwarded-For` where nothing is said. */
  readonly clientAddressHeader?: string | null
  /** How long requests that are under way may take to end when it closes; 10 s where nothing is said. */
  readonly graceMs?: number
  readonly log: FastifyBaseLogger
}

// What nobody reads, and what the console and the inbox read, is small; services that read more say so themselves.
// Deeply nested JSON costs half a second of the one thread for each MiB, before anybody knows who sent it.
const bodyLimitBytes = 65_536
// Node's own default, which Fastify switches off: a body that dribbles in must not hold its connection for ever.
const requestTimeoutMs = 300_000
const graceMs = 10_000

/** Nobody shows the console in a frame of theirs, and what it serves is what it says it is. */
const consoleHeaders = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const

/** The one port: every prefix, the hooks around them, the console and the application. */
export async function createGateway(deps: GatewayDeps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    // A logger for each request would cost as much as its routing; what is logged names the request's id itself.
    childLoggerFactory: (logger) => logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    frameworkErrors: sendUnreadable,
  })
  closeGently(app, deps.graceMs ?? graceMs)
  const metrics = createMetrics(deps.gauges)
  const workOf = createRequestWork(deps)
  app.decorateRequest('work', null)
  app.setErrorHandler(sendError)
  // Hooks call back: a promise for each would cost each request a turn of the queue.
  const addressHeader = deps.clientAddressHeader?.toLowerCase() ?? null
  app.addHook('onRequest', (request, reply, done) => {
    if (addressHeader !== null) takeAddressFrom(request.raw.headers, addressHeader)
    const work = workOf(request, reply)
    request.setDecorator('work', work)
    // Both names: ours, and the one that clients of the hosted backend read. Neither is redacted by the recorder.
    reply.header('x-request-id', work.id)
    reply.header('sb-request-id', work.id)
    done()
  })

  for (const mount of deps.mounts) {
    await app.register(
      async (scope) => {
        const { service } = mount
        scope.addHook('onRequest', (request, reply, done) => {
          const work = request.getDecorator<RequestWork>('work')
          const mayPass = work.identity.kind !== 'no_key' || request.method === 'OPTIONS'
          if (!mayPass && mount.needsKey(work.path.slice(mount.prefix.length)))
            refuseKey(gatewayError('CLEW_GATEWAY_NO_KEY'), work, reply)
          else if (service !== null && isSecretFromBrowser(work))
            refuseKey(gatewayError('CLEW_GATEWAY_SECRET_IN_BROWSER'), work, reply)
          else done()
        })
        if (service !== null) {
          scope.addHook('onResponse', (request, reply, done) => {
            done()
            if (request.method === 'OPTIONS') return
            const record: RequestRecord = {
              work: request.getDecorator<RequestWork>('work'),
              service,
              durationMs: reply.elapsedTime,
              status: reply.raw.writableFinished ? reply.statusCode : 499,
              requestBytes: Number(request.headers['content-length'] ?? 0),
              responseBytes: Number(reply.getHeader('content-length') ?? 0),
            }
            metrics.requestEnded(record)
            deps.requestEnded(record)
          })
        }
        await scope.register(mount.plugin)
        refuseElsewhere(scope)
      },
      { prefix: mount.prefix },
    )
  }

  await app.register(
    async (scope) => {
      await scope.register(healthPlugin(deps.health))
      scope.setNotFoundHandler(notFound)
      refuseElsewhere(scope)
    },
    { prefix: '/health' },
  )
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers(consoleHeaders)
      })
      await serveApplication(scope, deps.consoleFolder)
    },
    { prefix: '/console' },
  )
  if (deps.publicFolder === null) {
    app.get('/', async (_request, reply) => reply.redirect('/console', 302))
    app.setNotFoundHandler(notFound)
  } else {
    await serveApplication(app, deps.publicFolder)
  }
  return app
}

/**
 * Answers a key that is missing or may not be used. The service does not word it, it was not asked: clients of each read
 * `message` (contract: auth §1).
 */
function refuseKey({ status, code, message, mend }: ServiceError, work: RequestWork, reply: FastifyReply): void {
  work.errorCode = code
  reply.code(status).headers(readableAnywhere).send({ code, message, details: null, hint: mend })
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
