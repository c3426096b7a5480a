import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Worker } from '../worker/worker.ts'
import { AnswerParser, type AnswerParts, MalformedAnswer } from './answer-parser.ts'
import type { HeaderList } from './headers.ts'

/** What is sent over a connection. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly headers: HeaderList
  /** Null where there is none. */
  readonly body: IncomingMessage | null
}

/** What comes back; `failed` is the last that is told, where it is told. */
export interface Incoming extends AnswerParts {
  failed(error: Error): void
}

/** Connections to a worker's socket: as many as it has calls at a time, kept while it lives. */
export interface Connections {
  send(call: Outgoing, incoming: Incoming): Exchange
}

/** A call that is under way. */
export interface Exchange {
  /** Stops reading its answer, until `resume`. */
  pause(): void
  resume(): void
  /** Ends it with its connection; nothing is told any more. */
  abort(): void
}

const known = new WeakMap<Worker, Connections>()

export function connectionsTo(worker: Worker): Connections {
  const found = known.get(worker)
  if (found !== undefined) return found
  const idle: Connection[] = []
  const connections: Connections = {
    send(call, incoming) {
      const connection = idle.pop() ?? new Connection(worker.socket, idle)
      connection.send(call, incoming)
      return connection
    },
  }
  known.set(worker, connections)
  void worker.ended.then(() => {
    for (const connection of [...idle]) connection.abort()
  })
  return connections
}

/** A socket is read in one go, and what was read is taken before another is read: they share a buffer. */
const readInto = Buffer.allocUnsafeSlow(64 * 1024)

/** One connection of HTTP/1.1, which has one call at a time. */
class Connection implements Exchange {
  private readonly socket: Socket
  /** Those of this worker that have no call. */
  private readonly idle: Connection[]
  private incoming: Incoming | null = null
  private parser: AnswerParser | null = null
  private isPaused = false
  /** What sends the call's body; null when it is sent. */
  private body: { stop(): void } | null = null

  constructor(path: string, idle: Connection[]) {
    this.idle = idle
    this.socket = connect({
      path,
      onread: { buffer: readInto, callback: (length) => this.read(readInto.subarray(0, length)) },
    })
    this.socket.on('error', (error) => this.fail(error))
    this.socket.on('end', () => this.ended())
    this.socket.on('close', () => this.fail(new Error('The connection was closed.')))
  }

  send(call: Outgoing, incoming: Incoming): void {
    this.incoming = incoming
    this.parser = new AnswerParser(call.method, incoming)
    const head = headOf(call)
    if (call.body === null) this.socket.write(head, 'latin1')
    else this.body = sendBody(this.socket, head, call.body, () => this.sent())
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
    this.socket.resume()
  }

  abort(): void {
    this.forget()
    const at = this.idle.indexOf(this)
    if (at !== -1) this.idle.splice(at, 1)
    this.socket.destroy()
  }

  private read(bytes: Buffer): boolean {
    const { parser } = this
    try {
      // What comes without a call answers none.
      if (parser === null) throw new MalformedAnswer('Bytes came without a call.')
      parser.take(bytes)
      if (parser.isDone) this.settle(parser)
    } catch (error) {
      this.fail(error as Error)
    }
    return !this.isPaused
  }

  private ended(): void {
    this.parser?.close()
    this.fail(new Error('The connection was ended.'))
  }

  private sent(): void {
    this.body = null
  }

  /** The answer is whole: another call may follow, where all of this one was read. */
  private settle(parser: AnswerParser): void {
    const isUsable = parser.keepsConnection && this.body === null
    this.forget()
    if (isUsable) this.idle.push(this)
    else this.socket.destroy()
  }

  private fail(error: Error): void {
    const { incoming, parser } = this
    this.abort()
    if (parser?.isDone === false) incoming?.failed(error)
  }

  private forget(): void {
    this.body?.stop()
    this.body = null
    this.incoming = null
    this.parser = null
    this.isPaused = false
  }
}

const forbidden = /[^\t\x20-\x7e\x80-\xff]/

function headOf({ method, path, headers, body }: Outgoing): string {
  let head = `${method} ${path} HTTP/1.1\r\n`
  let hasLength = false
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    // A key comes out of the query decoded: with such a character it is none, and could begin another header.
    if (forbidden.test(value)) continue
    if (name === 'content-length') hasLength = true
    head += `${name}: ${value}\r\n`
  }
  return body !== null && !hasLength ? `${head}transfer-encoding: chunked\r\n\r\n` : `${head}\r\n`
}

/** Sends a body as it comes, its first part with the head; a worker that reads slowly slows the client down. */
function sendBody(socket: Socket, head: string, body: IncomingMessage, sent: () => void): { stop(): void } {
  const isChunked = body.headers['content-length'] === undefined
  let isCorked = true
  const uncork = (): void => {
    if (isCorked) socket.uncork()
    isCorked = false
  }
  const drained = (): void => void body.resume()
  const data = (chunk: Buffer): void => {
    if (isChunked) socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
    const hasRoom = socket.write(chunk)
    if (isChunked) socket.write('\r\n', 'latin1')
    uncork()
    if (hasRoom) return
    body.pause()
    socket.once('drain', drained)
  }
  const end = (): void => {
    if (isChunked) socket.write('0\r\n\r\n', 'latin1')
    stop()
    sent()
  }
  const stop = (): void => {
    uncork()
    body.off('data', data)
    body.off('end', end)
    socket.off('drain', drained)
  }
  socket.cork()
  socket.write(head, 'latin1')
  body.on('data', data)
  body.on('end', end)
  // A body may begin long after its head.
  setImmediate(uncork)
  return { stop }
}
