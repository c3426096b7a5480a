import type { FastifyPluginAsync } from 'fastify'
import { WebSocketServer } from 'ws'
import { takeUpgrade } from '../../ground/http/upgrade.ts'
import type { ConsoleRequest, OperatorActions } from '../../ground/model/operator-actions.ts'
import { liveError } from './errors.ts'
import type { Live } from './live.ts'

/** The dependencies of `liveConsole`. */
export interface LiveConsoleDeps {
  readonly live: Live
  /** The id of the console's session of a request. */
  readonly sessionOf: (request: ConsoleRequest) => Promise<string>
  readonly actions: Pick<OperatorActions, 'check'>
}

/**
 * The live connection's part of the console's API: a WebSocket, behind the operators' guard, which has looked at the cookie
 * and at where the page is from.
 */
export function liveConsole({ live, sessionOf, actions }: LiveConsoleDeps): FastifyPluginAsync {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: live.settings.frameBytes,
    perMessageDeflate: false,
    clientTracking: false,
  })
  return async (app) => {
    app.get('/live', { schema: { hide: true } }, async (request, reply) => {
      actions.check(request, 'look')
      const sessionId = await sessionOf(request)
      if (!live.mayOpen()) throw liveError('CLEW_LIVE_TOO_MANY_CONNECTIONS', { headers: { 'retry-after': '10' } })
      const upgrade = takeUpgrade(request.raw)
      if (upgrade === null) throw liveError('CLEW_LIVE_NOT_A_WEBSOCKET', { headers: { upgrade: 'websocket' } })
      reply.hijack()
      server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => live.opened(socket, sessionId))
      return reply
    })
  }
}
