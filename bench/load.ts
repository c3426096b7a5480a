import { connect, type Socket } from 'node:net'

/** One request as it goes over the wire, made anew for each sending where `body` is a function. */
export interface LoadRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | ((sequence: number) => Buffer)
}

export interface LoadOptions {
  readonly host: string
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Ends it before. */
  readonly until?: AbortSignal
  /** Requests a second, evenly spaced; the time of one counts from when it was due. Absent: as many as there are answers. */
  readonly rate?: number
  readonly request: (sequence: number) => LoadRequest
}

export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly errors: number
  /** The first answer that was not 2xx, for the person who wonders. */
  readonly firstError: string | null
}

/**
 * Sends requests over kept connections, one at a time each, for a number of seconds. It speaks just enough HTTP/1.1 to
 * leave most of a small machine to what is measured: answers need a Content-Length, be chunked, or have no body.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = []
  let errors = 0
  let firstError: string | null = null
  let sequence = 0
  const startedAt = performance.now()
  const endAt = startedAt + options.seconds * 1000
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const socket = connect(options.port, options.host)
      socket.setNoDelay(true)
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('error', reject)
      })
      while (performance.now() < endAt && options.until?.aborted !== true) {
        const turn = sequence++
        const dueAt = options.rate === undefined ? performance.now() : startedAt + (turn * 1000) / options.rate
        await untilTime(dueAt)
        const answer = await exchange(socket, options, options.request(turn))
        latencies.push(performance.now() - dueAt)
        if (answer.status < 200 || answer.status > 299) {
          errors += 1
          firstError ??= answer.text
        }
      }
      socket.destroy()
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((left, right) => left - right)
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    requestsPerSecond: (latencies.length - errors) / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    errors,
    firstError,
  }
}

async function untilTime(atMs: number): Promise<void> {
  const waitMs = atMs - performance.now()
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
}

/** Head and body apart: a large body is not copied for each request. */
function send(socket: Socket, { host, port }: LoadOptions, request: LoadRequest): void {
  const body = request.body === undefined ? null : typeof request.body === 'function' ? request.body(0) : request.body
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    `host: ${host}:${port}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`content-length: ${body.length}`]),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  if (body === null) socket.write(head)
  else if (body.length < copiedBytes) socket.write(Buffer.concat([head, body]))
  else {
    socket.write(head)
    socket.write(body)
  }
}

/** One write of a short body costs less than two. */
const copiedBytes = 64 * 1024

interface Answer {
  readonly status: number
  readonly text: string
}

function exchange(socket: Socket, options: LoadOptions, request: LoadRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    let head: Head | null = null
    let bodyBytes = 0
    const settle = (finish: () => void): void => {
      socket.off('data', onData)
      socket.off('error', onError)
      socket.off('close', onClose)
      finish()
    }
    const onData = (chunk: Buffer): void => {
      // A body of known length is counted, and kept only where it says what is wrong.
      if (head === null || head.bodyBytes === null || head.status > 299)
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      bodyBytes += chunk.length
      if (head === null) {
        head = parseHead(received)
        if (head === null) return
        bodyBytes = received.length - head.endsAt
      }
      const { status } = head
      const isWhole = head.bodyBytes === null ? received.subarray(-5).equals(lastChunk) : bodyBytes >= head.bodyBytes
      if (isWhole) settle(() => resolve({ status, text: status > 299 ? received.toString() : '' }))
    }
    const onError = (error: Error): void => settle(() => reject(error))
    const onClose = (): void =>
      settle(() => reject(new Error('The connection was closed before the answer was whole.')))
    socket.on('data', onData)
    socket.on('error', onError)
    socket.on('close', onClose)
    send(socket, options, request)
  })
}

interface Head {
  readonly status: number
  readonly endsAt: number
  /** Null for a chunked body. */
  readonly bodyBytes: number | null
}

/** @returns null while the head is not whole */
function parseHead(received: Buffer): Head | null {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return null
  const text = received.toString('latin1', 0, end).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/.exec(text)?.[1]
  const isChunked = length === undefined && text.includes('transfer-encoding: chunked')
  return { status: Number(text.slice(9, 12)), endsAt: end + 4, bodyBytes: isChunked ? null : Number(length ?? 0) }
}

const lastChunk = Buffer.from('0\r\n\r\n')
