import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import { notFound } from '../request/not-found.ts'
import { createServer, type ServerDeps } from '../server.ts'
import { tellOfChanges } from './console-api.ts'

/** What the command line of this machine calls over the control socket. */
export interface LocalConsole {
  /** Answers a request below `/console/api`. */
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  readonly close: () => Promise<void>
}

export interface LocalConsoleDeps extends Omit<ServerDeps, 'findCaller' | 'tagRequest' | 'withheldCookies'> {
  /** Parts of the console's API. */
  readonly parts: readonly FastifyPluginAsync[]
  /** Called when a request that may have changed something was answered with success. */
  readonly changed: () => void
}

/** Stands in the audit log for a person at the machine, who needs no account. */
const commandLine = {
  id: '00000000-0000-0000-0000-000000000000',
  name: 'Command line',
  email: 'command line',
  role: 'owner',
} as const

/**
 * The parts of the console's API that the command line uses, without a port and without a guard: its requests come over the
 * control socket, which only the owner of the data directory may open.
 */
export async function createLocalConsole({ parts, changed, ...deps }: LocalConsoleDeps): Promise<LocalConsole> {
  const app = createServer({
    ...deps,
    findCaller: () => ({ kind: 'no_key' }),
    tagRequest: () => null,
    withheldCookies: [],
  })
  app.setNotFoundHandler(notFound)
  app.decorateRequest('operator', null)
  app.addHook('onResponse', tellOfChanges(changed))
  app.addHook('onRequest', async (request) => request.setDecorator('operator', commandLine))
  await app.register(
    async (scope) => {
      for (const part of parts) await scope.register(part)
    },
    { prefix: '/console/api' },
  )
  await app.ready()
  return { answer: (incoming, outgoing) => app.routing(incoming, outgoing), close: () => app.close() }
}
