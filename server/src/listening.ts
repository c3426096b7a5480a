import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { instanceError } from './errors.ts'

/** A host as it stands in an address. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'is already taken'],
  ['EACCES', 'may not be listened on by this user'],
  ['EADDRNOTAVAIL', 'cannot be listened on: the host is no address of this machine'],
])

/**
 * Opens a server's port, or closes what was made.
 *
 * @throws CLEW_START_PORT when another process listens there, or this one may not
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (cause) {
    await app.close()
    const why = reasons.get((cause as { code?: unknown }).code)
    if (why === undefined) throw cause
    throw instanceError('CLEW_START_PORT', { message: `Port ${port} on ${host} ${why}.`, cause })
  }
}

/** A port that is free at this moment. */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
