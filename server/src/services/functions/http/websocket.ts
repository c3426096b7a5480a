import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { OfferedUpgrade } from '../../../ground/http/upgrade.ts'
import { functionsError } from '../errors.ts'
import type { Worker } from '../worker/worker.ts'
import { failureOf } from './failure.ts'
import type { Call } from './relay.ts'

/** The worker's side of a connection whose protocol was switched. */
export interface SwitchedSide {
  readonly head: IncomingMessage
  readonly socket: Duplex
  readonly first: Buffer
}

/** The worker's side of a WebSocket, or the answer with which it declines one. */
export type Upgraded =
  | ({ readonly kind: 'upgraded' } & SwitchedSide)
  | { readonly kind: 'declined'; readonly response: IncomingMessage }

/** Asks a worker to speak another protocol: a WebSocket. @throws as `relay` */
export function relayUpgrade(worker: Worker, { method, path, headers, body }: Call, headMs: number): Promise<Upgraded> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      socketPath: worker.socket,
      method,
      path,
      headers: [...headers, 'connection', 'Upgrade', 'upgrade', body.headers.upgrade ?? 'websocket'],
      agent: false,
      setHost: false,
    })
    const limit = setTimeout(() => {
      reject(functionsError('REQUEST_TIMEOUT'))
      outgoing.destroy()
    }, headMs)
    outgoing.once('upgrade', (head, socket, first) => {
      clearTimeout(limit)
      resolve({ kind: 'upgraded', head, socket, first })
    })
    outgoing.once('response', (response) => {
      clearTimeout(limit)
      resolve({ kind: 'declined', response })
    })
    outgoing.once('error', (cause) => {
      clearTimeout(limit)
      void failureOf(worker, cause).then(reject)
    })
    outgoing.end()
  })
}

/** Joins a client's connection with a worker's, byte for byte; resolves when one of them ends. */
export function joinSockets(client: OfferedUpgrade, { head, socket, first }: SwitchedSide): Promise<void> {
  const lines = head.rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${head.rawHeaders[index + 1]}`] : [],
  )
  client.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
  if (first.length > 0) client.socket.write(first)
  if (client.head.length > 0) socket.write(client.head)
  return new Promise((resolve) => {
    const end = (): void => {
      client.socket.destroy()
      socket.destroy()
      resolve()
    }
    for (const side of [client.socket, socket]) {
      side.once('error', end)
      side.once('close', end)
    }
    client.socket.pipe(socket)
    socket.pipe(client.socket)
  })
}
