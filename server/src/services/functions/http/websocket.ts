import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { OfferedUpgrade } from '../../../ground/http/upgrade.ts'

/** The worker's side of a connection whose protocol was switched. */
export interface SwitchedSide {
  readonly head: IncomingMessage
  readonly socket: Duplex
  readonly first: Buffer
}

/** Joins a client's connection with a worker's, byte for byte, until one of them ends. */
export function joinSockets(client: OfferedUpgrade, { head, socket, first }: SwitchedSide, ended: () => void): void {
  const lines = head.rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${head.rawHeaders[index + 1]}`] : [],
  )
  client.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
  if (first.length > 0) client.socket.write(first)
  if (client.head.length > 0) socket.write(client.head)
  const end = (): void => {
    client.socket.destroy()
    socket.destroy()
    ended()
  }
  for (const side of [client.socket, socket]) {
    side.once('error', end)
    side.once('close', end)
  }
  client.socket.pipe(socket)
  socket.pipe(client.socket)
}
