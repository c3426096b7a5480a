import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { serveApplication } from '../pages/static.ts'
import { claimPrefix, notFound } from '../request/not-found.ts'
import { acceptUpgrades } from '../request/upgrades.ts'
import { createServer, type ServerDeps } from '../server.ts'
import { contentPolicy } from './content-policy.ts'

/** A plugin under its prefix on the console's port. */
interface ConsoleMount {
  readonly prefix: string
  readonly plugin: FastifyPluginAsync
}

/** The content of the console’s port, and what every port needs. */
export interface ConsoleServerDeps extends Omit<ServerDeps, 'findCaller' | 'tagRequest' | 'withheldCookies'> {
  /** The console's API, served at `/console/api`. */
  readonly api: FastifyPluginAsync
  /** The pages of the inbox under their prefix. */
  readonly inbox: ConsoleMount
  /** The tools for agents at `/mcp`; absent where they are off. */
  readonly agents?: FastifyPluginAsync | undefined
  /** The built console. */
  readonly folder: string
  /** Origins from which recordings may load pictures, fonts and style sheets. */
  readonly assetOrigins: readonly string[]
}

const pageHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  // A content policy does not cover DNS prefetches, which would tell a host that its recording is watched.
  'x-dns-prefetch-control': 'off',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const

/** Rows and recordings are not cached, and no other origin's page can include them. */
const apiHeaders = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/**
 * The console, its API and the inbox on a port of their own. The application has another origin: its scripts, the project's
 * keys and users' tokens have no rights here.
 */
export async function createConsoleServer({
  api,
  inbox,
  agents,
  folder,
  assetOrigins,
  ...deps
}: ConsoleServerDeps): Promise<FastifyInstance> {
  const app = createServer({
    ...deps,
    findCaller: () => ({ kind: 'no_key' }),
    tagRequest: () => null,
    withheldCookies: [],
  })
  acceptUpgrades(app)
  const mounts = [{ prefix: '/console/api', plugin: api }, inbox]
  if (agents !== undefined) mounts.push({ prefix: '/mcp', plugin: agents })
  for (const { prefix, plugin } of mounts) {
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', async (_request, reply) => {
          reply.headers(apiHeaders)
        })
        await scope.register(plugin)
        claimPrefix(scope)
      },
      { prefix },
    )
  }
  const page = join(folder, 'index.html')
  const policy = contentPolicy(existsSync(page) ? readFileSync(page, 'utf8') : '', assetOrigins)
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers({ ...pageHeaders, 'content-security-policy': policy })
      })
      await serveApplication(scope, folder)
    },
    { prefix: '/console' },
  )
  app.get('/', async (_request, reply) => reply.redirect('/console', 302))
  app.setNotFoundHandler(notFound)
  return app
}
