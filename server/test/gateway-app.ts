import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createGateway, createMetrics, createProxyCheck, type GatewayDeps } from '../src/gateway/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'

/** A gateway with one service at `/thing` and an application at `/`, until the test ends. */
export async function startGateway(
  plugin: FastifyPluginAsync,
  deps: Partial<GatewayDeps> = {},
): Promise<FastifyInstance> {
  const { app, close } = await openGateway(plugin, deps)
  onTestFinished(close)
  return app
}

/** A gateway as `startGateway` makes it, for many tests: its opener closes it. */
export async function openGateway(plugin: FastifyPluginAsync, deps: Partial<GatewayDeps> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'clew-gateway-'))
  await writeFile(join(folder, 'index.html'), 'the application')
  await writeFile(join(folder, '.env'), 'SECRET=1')
  await mkdir(join(folder, '.well-known'))
  await writeFile(join(folder, '.well-known', 'security.txt'), 'Contact: us')
  const app = await createGateway({
    newId: () => uuidv7(),
    now: () => new Date(),
    findCaller: () => ({ kind: 'no_key' }),
    tagRequest: () => null,
    mounts: [{ prefix: '/thing', service: 'thing', plugin, needsKey: () => false }],
    health: async () => [],
    requestEnded: () => undefined,
    metrics: createMetrics([]),
    metricsToken: () => null,
    publicFolder: folder,
    consoleUrl: 'http://console.test/console',
    redirects: [
      { prefix: '/console', to: 'http://console.test/console' },
      { prefix: '/inbox', to: 'http://console.test/inbox' },
    ],
    withheldCookies: ['operator'],
    trustedProxies: [],
    proxyCheck: createProxyCheck(pino({ level: 'silent' })),
    log: pino({ level: 'silent' }),
    ...deps,
  })
  const close = async (): Promise<void> => {
    await app.close()
    await rm(folder, { recursive: true })
  }
  return { app, close }
}

/** A service with one path. */
export const thing: FastifyPluginAsync = async (app) => {
  app.get('/here', async () => 'here')
  app.post('/here', async (request) => request.body)
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('the thing has no such page'))
}
