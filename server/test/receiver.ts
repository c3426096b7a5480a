import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver was sent. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A web server that answers as the test says, and keeps what it was sent. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Resolves when that many requests have arrived. */
  arrived(count: number): Promise<void>
  close(): void
}

/** Starts a receiver on a free port of 127.0.0.1. */
export async function startReceiver(
  answer: (response: ServerResponse, request: Received, count: number) => void = (response) => response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    received.push(one)
    for (const check of waiting) check()
    answer(response, one, received.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    arrived: (count) =>
      new Promise((done) => {
        const check = (): void => {
          if (received.length < count) return
          waiting.delete(check)
          done()
        }
        waiting.add(check)
        check()
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
