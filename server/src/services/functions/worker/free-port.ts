import { createServer } from 'node:net'

const tried = 1000

/** The first port of 127.0.0.1 from this one on that nothing listens on; any free one from 0. */
export async function findFreePort(from: number): Promise<number> {
  for (let port = from; port < Math.min(from + tried, 65_536); port += 1) {
    const free = await listenOnce(port)
    if (free !== null) return free
  }
  return from
}

const listenOnce = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const found = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve(found))
    })
  })
