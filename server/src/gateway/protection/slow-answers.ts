import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { SlowRequestLimits } from './slow-requests.ts'

/** What of an answer waited to be taken at a look, and from when its bytes are counted. */
interface Waiting {
  readonly since: number
  readonly from: number
}

const looksPerTimeout = 20
const longestPauseMs = 5_000

/**
 * Closes connections whose clients take what they asked for too slowly, or not at all: each holds a file, memory and a place
 * among the connections. Time counts while bytes wait to be sent; an answer that is not written yet may take as long as it
 * takes.
 */
export function closeSlowAnswers(app: FastifyInstance, { timeoutMs, bytesPerSecond }: SlowRequestLimits): void {
  const sockets = new Set<Socket>()
  const waiting = new WeakMap<Socket, Waiting>()
  const leastBytes = (timeoutMs / 1000) * bytesPerSecond
  const add = (socket: Socket): void => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  // That of a connection with TLS lies below it, and keeps nothing back.
  app.server.on('connection', add).on('secureConnection', add)
  const look = (): void => {
    const now = performance.now()
    for (const socket of sockets) {
      const sent = socket.bytesWritten - socket.writableLength
      const known = waiting.get(socket)
      if (socket.writableLength === 0) waiting.delete(socket)
      else if (known === undefined || (now - known.since >= timeoutMs && sent - known.from >= leastBytes))
        waiting.set(socket, { since: now, from: sent })
      else if (now - known.since >= timeoutMs) socket.destroy()
    }
  }
  const timer = setInterval(look, Math.min(timeoutMs / looksPerTimeout, longestPauseMs)).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
