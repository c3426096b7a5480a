import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { createServer, type ServerDeps } from './server.ts'
import { notFound, refuseElsewhere, serveApplication } from './static.ts'

export interface ConsoleServerDeps extends Omit<ServerDeps, 'findCaller' | 'tagRequest' | 'withheldCookies'> {
  /** The console's API, served at `/console/api`. */
  readonly api: FastifyPluginAsync
  /** The pages of the inbox and where they stand. */
  readonly inbox: { readonly prefix: string; readonly plugin: FastifyPluginAsync }
  /** The built console. */
  readonly folder: string
}

/** Nobody shows the console in a frame of theirs, and what it serves is what it says it is. */
const pageHeaders = {
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const

/** Rows and recordings: kept by no cache, and no other origin's page can include them. */
const apiHeaders = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The console, its API and the inbox on a port of their own. The application is a stranger here: its scripts have another
 * origin, and the project's keys and users' tokens mean nothing.
 */
export async function createConsoleServer({
  api,
  inbox,
  folder,
  ...deps
}: ConsoleServerDeps): Promise<FastifyInstance> {
  const app = createServer({
    ...deps,
    findCaller: () => ({ kind: 'no_key' }),
    tagRequest: () => null,
    withheldCookies: [],
  })
  for (const { prefix, plugin } of [{ prefix: '/console/api', plugin: api }, inbox]) {
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', async (_request, reply) => {
          reply.headers(apiHeaders)
        })
        await scope.register(plugin)
        refuseElsewhere(scope)
      },
      { prefix },
    )
  }
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers(pageHeaders)
      })
      await serveApplication(scope, folder)
    },
    { prefix: '/console' },
  )
  app.get('/', async (_request, reply) => reply.redirect('/console', 302))
  app.setNotFoundHandler(notFound)
  return app
}
