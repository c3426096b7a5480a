import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ServiceError } from '../ground/errors/service-error.ts'
import type { EngineHealth } from '../ground/model/health.ts'
import type { RequestContext, RequestRecord } from '../ground/model/request.ts'
import { gatewayError } from './errors.ts'
import { healthPlugin } from './monitoring/health.ts'
import { type Metrics, metricsPlugin } from './monitoring/metrics.ts'
import { type Redirect, redirectPages } from './pages/redirects.ts'
import { serveApplication } from './pages/static.ts'
import type { PageCheck } from './protection/page-check.ts'
import { isSecretFromBrowser } from './protection/secret-key-in-browser.ts'
import { claimPrefix, notFound, readableAnywhere } from './request/not-found.ts'
import { recordRequests } from './request/request-records.ts'
import { unservedServices } from './request/unserved.ts'
import { acceptUpgrades } from './request/upgrades.ts'
import { createServer, type ServerDeps } from './server.ts'
import type { Mount } from './service.ts'

/** The services, checks and observers of the application’s port. */
export interface GatewayDeps extends ServerDeps {
  readonly mounts: readonly Mount[]
  readonly health: () => Promise<readonly EngineHealth[]>
  /** Called for every finished request of a service that belongs to the thread. It must neither throw nor block. */
  readonly requestEnded: (record: RequestRecord) => void
  /** So much of each body is copied for the thread, with the headers: 0 copies headers only, null nothing; null by default. */
  readonly copiedBodyBytes?: number | null
  readonly metrics: Metrics
  /** The bearer token of `/metrics`; null refuses every call. */
  readonly metricsToken: () => string | null
  /** Which pages may use the project's keys; absent where the keys are secret. */
  readonly allowsPage?: PageCheck
  /** The team's own application, served at `/`; null when there is none. */
  readonly publicFolder: string | null
  /** The console's address, to which `/` redirects without an application. */
  readonly consoleUrl: string
  /** Pages of the console's port. */
  readonly redirects: readonly Redirect[]
}

/** The application's port: every service under its prefix, the hooks around them, and the team's own application. */
export async function createGateway(deps: GatewayDeps): Promise<FastifyInstance> {
  const app = createServer(deps)
  acceptUpgrades(app)
  const { metrics, allowsPage } = deps
  for (const mount of deps.mounts) {
    await app.register(
      async (scope) => {
        const { service } = mount
        // Before what may refuse a request: a refusal is recorded too.
        if (service !== null) {
          recordRequests(scope, service, deps.copiedBodyBytes ?? null, (record) => {
            metrics.requestEnded(record)
            deps.requestEnded(record)
          })
        }
        scope.addHook('onRequest', (request, reply, done) => {
          const context = request.getDecorator<RequestContext>('requestContext')
          const needsKey = mount.needsKey(context.path.slice(mount.prefix.length))
          // Ingestion names its project by a token in the body.
          const isForOwnPages = needsKey || service === null || mount.forOwnPages === true
          const { origin } = request.headers
          if (isForOwnPages && origin !== undefined && allowsPage?.(origin) === false) {
            refuseKey(gatewayError('CLEW_GATEWAY_FOREIGN_PAGE'), context, reply)
            return
          }
          reply.header('x-content-type-options', 'nosniff')
          const mayPass = context.identity.kind !== 'no_key' || request.method === 'OPTIONS'
          if (!mayPass && needsKey) refuseKey(gatewayError('CLEW_GATEWAY_NO_KEY'), context, reply)
          else if (service !== null && isSecretFromBrowser(context))
            refuseKey(gatewayError('CLEW_GATEWAY_SECRET_IN_BROWSER'), context, reply)
          else done()
        })
        await scope.register(mount.plugin)
        claimPrefix(scope)
      },
      { prefix: mount.prefix },
    )
  }

  for (const { prefix, plugin } of unservedServices(deps.mounts)) await app.register(plugin, { prefix })
  await app.register(
    async (scope) => {
      await scope.register(healthPlugin(deps.health))
      scope.setNotFoundHandler(notFound)
      claimPrefix(scope)
    },
    { prefix: '/health' },
  )
  await app.register(metricsPlugin(metrics, deps.metricsToken))
  for (const redirect of deps.redirects) redirectPages(app, redirect)
  if (deps.publicFolder === null) {
    app.get('/', async (_request, reply) => reply.redirect(deps.consoleUrl, 302))
    app.setNotFoundHandler(notFound)
  } else {
    await serveApplication(app, deps.publicFolder)
  }
  return app
}

/** Refuses a missing or forbidden key before the service is called. The clients of every service read `message` (auth §1). */
function refuseKey({ status, code, message, hint }: ServiceError, context: RequestContext, reply: FastifyReply): void {
  context.errorCode = code
  reply.code(status).headers(readableAnywhere).send({ code, message, details: null, hint })
}
