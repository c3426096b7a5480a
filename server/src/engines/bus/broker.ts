import { rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { createFrameReader, type Frame, frameKinds } from './frames.ts'

/** What hands the messages of a machine's processes on. */
export interface BusBroker {
  /** Nodes that were cut off since the start because they did not read. */
  cutOff(): number
  close(): Promise<void>
}

/**
 * Listens on a Unix socket for the nodes of this machine.
 *
 * @param bufferedBytes what may wait for a node that does not read; with more it is cut off, and misses messages
 */
export async function openBusBroker({
  socketPath,
  bufferedBytes,
}: {
  readonly socketPath: string
  readonly bufferedBytes: number
}): Promise<BusBroker> {
  const peers = new Map<Socket, Set<string>>()
  const subscribers = new Map<string, Set<Socket>>()
  let cutOff = 0

  const leave = (socket: Socket, subject: string): void => {
    const all = subscribers.get(subject)
    if (all?.delete(socket) === true && all.size === 0) subscribers.delete(subject)
  }
  const passOn = (from: Socket, { subject, raw }: Frame): void => {
    for (const socket of subscribers.get(subject) ?? []) {
      if (socket === from) continue
      socket.write(raw)
      if (socket.writableLength <= bufferedBytes) continue
      cutOff += 1
      socket.destroy()
    }
  }
  const handle = (socket: Socket, frame: Frame): void => {
    const { kind, subject } = frame
    if (kind === frameKinds.message) passOn(socket, frame)
    else if (kind === frameKinds.subscribe) {
      peers.get(socket)?.add(subject)
      subscribers.set(subject, (subscribers.get(subject) ?? new Set<Socket>()).add(socket))
    } else if (kind === frameKinds.echo) socket.write(frame.raw)
    else {
      peers.get(socket)?.delete(subject)
      leave(socket, subject)
    }
  }

  const server = createServer((socket) => {
    peers.set(socket, new Set())
    socket.on(
      'data',
      createFrameReader((frame) => handle(socket, frame)),
    )
    // A broken connection closes as well.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      for (const subject of peers.get(socket) ?? []) leave(socket, subject)
      peers.delete(socket)
    })
  })
  // An earlier process that was killed leaves its socket behind.
  await rm(socketPath, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  return {
    cutOff: () => cutOff,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of peers.keys()) socket.destroy()
      await closed
    },
  }
}
