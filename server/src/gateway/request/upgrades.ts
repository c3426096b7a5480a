import { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { offerUpgrade } from '../../ground/http/upgrade.ts'

/**
 * Routes requests that ask for another protocol as all others, with their hooks, checks and records. A handler that takes
 * the connection (`takeUpgrade`) speaks the protocol; any other answer is sent, and the connection closed.
 */
export function acceptUpgrades(app: FastifyInstance): void {
  const sockets = new Set<Duplex>()
  app.server.on('upgrade', (request, socket, head) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // The handler's own listeners come with its protocol; until then a client that leaves is no fault.
    socket.on('error', () => socket.destroy())
    offerUpgrade(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    // A server's sockets are of this class; the type of the event is a wider one.
    response.assignSocket(socket as Parameters<typeof response.assignSocket>[0])
    response.once('finish', () => socket.end())
    app.routing(request, response)
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) socket.destroy()
  })
}
