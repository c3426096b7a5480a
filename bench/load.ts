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
      while (performance.now() < endAt) {
        const sentAt = performance.now()
        const answer = await exchange(socket, wire(options, options.request(sequence++)))
        latencies.push(performance.now() - sentAt)
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

function wire({ host, port }: LoadOptions, request: LoadRequest): Buffer {
  const body = request.body === undefined ? null : typeof request.body === 'function' ? request.body(0) : request.body
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    `host: ${host}:${port}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`content-length: ${body.length}`]),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return body === null ? head : Buffer.concat([head, body])
}

interface Answer {
  readonly status: number
  readonly text: string
}

function exchange(socket: Socket, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const settle = (finish: () => void): void => {
      socket.off('data', onData)
      socket.off('error', onError)
      socket.off('close', onClose)
      finish()
    }
    const onData = (chunk: Buffer): void => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const head = received.toString('latin1', 0, headEnd).toLowerCase()
      const status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
      const bodyLength = received.length - headEnd - 4
      const isWhole =
        length !== undefined
          ? bodyLength >= Number(length)
          : status === 204 || !head.includes('transfer-encoding: chunked') || received.subarray(-5).equals(lastChunk)
      if (isWhole) settle(() => resolve({ status, text: status > 299 ? received.toString() : '' }))
    }
    const onError = (error: Error): void => settle(() => reject(error))
    const onClose = (): void =>
      settle(() => reject(new Error('The connection was closed before the answer was whole.')))
    socket.on('data', onData)
    socket.on('error', onError)
    socket.on('close', onClose)
    socket.write(bytes)
  })
}

const lastChunk = Buffer.from('0\r\n\r\n')
