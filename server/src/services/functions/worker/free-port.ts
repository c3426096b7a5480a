import { createServer } from 'node:net'

const tried = 1000

/** The first port of 127.0.0.1 from this one on that nothing listens on. */
export async function findFreePort(from: number): Promise<number> {
  for (let port = from; port < Math.min(from + tried, 65_536); port += 1) if (await isFree(port)) return port
  return from
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
