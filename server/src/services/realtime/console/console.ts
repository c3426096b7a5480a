import type { FastifyPluginAsync } from 'fastify'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Tickets } from '../caller/tickets.ts'
import { createHandshake, type HandshakeDeps } from '../http/websocket.ts'
import { type ChannelsDeps, createChannels, type StreamFacts } from './channels.ts'
import { createOperatorSockets, type OperatorSessions } from './operator-sockets.ts'
import { createPolicies } from './policies.ts'
import { realtimeRoutes } from './routes.ts'

/** What the console's part takes of the service. */
export interface RealtimeInside extends Omit<ChannelsDeps, 'stream'> {
  readonly tickets: Tickets
  readonly handshake: Omit<HandshakeDeps, 'readToken'>
}

/** What it takes of the instance. */
export interface RealtimeConsoleDeps {
  /** Users of the application. */
  readonly sql: Pick<Sql, 'query'>
  /** Makes policies as the application's owner. */
  readonly owner: Pick<Sql, 'query'>
  readonly stream: () => StreamFacts
  readonly actions: OperatorActions
  readonly sessions: OperatorSessions
}

/** The console's part of realtime, and what ends it. */
export function realtimeConsole(
  { tickets, handshake: sockets, ...inside }: RealtimeInside,
  { sql, owner, stream, actions, sessions }: RealtimeConsoleDeps,
): { readonly plugin: FastifyPluginAsync; readonly close: () => Promise<void> } {
  const channels = createChannels({ ...inside, stream }, { sql })
  const operatorSockets = createOperatorSockets(sessions)
  const sessionIds = new WeakMap<RequestContext, string>()
  const handshake = createHandshake({
    ...sockets,
    // The console's origin is open to operators alone: neither keys nor users' tokens are read here.
    readToken: tickets.read,
    opened(opened) {
      operatorSockets.opened(opened.socket, sessionIds.get(opened.context) ?? '')
      sockets.opened(opened)
    },
  })
  return {
    async close() {
      channels.close()
      operatorSockets.close()
    },
    plugin: async (app) => {
      await app.register(realtimeRoutes({ channels, tickets, policies: createPolicies(owner), actions, sql }))
      app.get('/realtime/websocket', { schema: { hide: true } }, async (request, reply) => {
        actions.check(request, 'read data')
        const sessionId = await sessions.sessionOf(request)
        sessionIds.set(request.getDecorator<RequestContext>('requestContext'), sessionId)
        return handshake(request, reply)
      })
    },
  }
}
