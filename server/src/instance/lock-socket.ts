import { connect, createServer } from 'node:net'

/** Longer ones are cut by some versions of Node.js, without a word. */
const maxPathBytes = 100
const isTooLong = (path: string): boolean => Buffer.byteLength(path) > maxPathBytes

/** A socket that a process listens at as long as it lives. */
export interface LockSocket {
  close(): Promise<void>
}

/**
 * Listens at a path, so that processes that cannot look up this one, as those of another container, can tell that it lives.
 * Null where the path is too long for a socket, or its file system has none.
 */
export function listenAt(path: string): Promise<LockSocket | null> {
  if (isTooLong(path)) return Promise.resolve(null)
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen({ path, exclusive: true }, () => {
      server.unref()
      resolve({ close: () => new Promise((closed) => server.close(() => closed())) })
    })
  })
}

/** Whether a process listens at a path; the socket of one that has ended refuses. */
export function isListenedAt(path: string): Promise<boolean> {
  if (isTooLong(path)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
