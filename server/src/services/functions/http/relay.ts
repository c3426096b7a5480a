import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { functionsError } from '../errors.ts'
import type { Worker } from '../worker/worker.ts'
import { connectionsTo } from './connections.ts'
import { failureOf } from './failure.ts'
import { type HeaderList, responseHeaders } from './headers.ts'

/** A call as it goes to a worker. */
export interface Call {
  readonly method: string
  /** With the function's name and the query. */
  readonly path: string
  readonly headers: HeaderList
  readonly body: IncomingMessage
}

/** Where an answer goes, and how long it may be. */
export interface Answer {
  readonly response: ServerResponse
  /** Called when the answer begins, with its headers, to which it adds, and its `content-length`. */
  readonly begin: (headers: HeaderList, length: number | null) => void
  readonly maxBytes: number
  /** How long the worker may take to begin it. */
  readonly headMs: number
}

/**
 * Sends a call to its worker and its answer to the client, as they come. Resolves when the answer has ended, whole or not,
 * or when the client left before it began.
 *
 * @throws WORKER_LIMIT, WORKER_ERROR, REQUEST_TIMEOUT before the answer has begun
 */
export function relay(worker: Worker, { method, path, headers, body }: Call, answer: Answer): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      if (error === clientLeft) resolve()
      else void failureOf(worker, error).then(reject)
    }
    connectionsTo(worker).dispatch(
      {
        // Any token is a method of HTTP; the library's type names the registered ones.
        method: method as Dispatcher.HttpMethod,
        path,
        headers,
        body: hasBody(body) ? body : null,
        headersTimeout: answer.headMs,
      },
      new PassingAnswer(answer, resolve, failed),
    )
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Statuses whose answers have no body (RFC 9110 §15). */
const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304

/** Writes an answer to the client as it comes from the worker; a slow client slows the worker down. */
class PassingAnswer implements Dispatcher.DispatchHandler {
  private readonly answer: Answer
  private readonly done: () => void
  private readonly failed: (error: Error) => void
  private hasBegun = false
  private isSkipped = false
  private length: number | null = null
  private bytes = 0
  /** A short body that came in one piece: as a text of its bytes it leaves in one write with the head. */
  private whole = ''
  private leave: () => void = () => undefined

  constructor(answer: Answer, done: () => void, failed: (error: Error) => void) {
    this.answer = answer
    this.done = done
    this.failed = failed
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { response } = this.answer
    this.leave = () => controller.abort(clientLeft)
    if (response.closed) this.leave()
    else response.once('close', this.leave)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return
    const { response, begin, maxBytes } = this.answer
    const { list, length } = responseHeaders(controller.rawHeaders as readonly Buffer[])
    if (length !== null && length > maxBytes) throw tooLong()
    this.isSkipped = isBodiless(status)
    begin(list, length)
    this.hasBegun = true
    this.length = length
    response.writeHead(status, list)
    // A body may begin long after its head; one that comes with it is written with it.
    if (length === null) setImmediate(() => this.bytes === 0 && !response.writableEnded && response.flushHeaders())
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isSkipped) return
    const { response, maxBytes } = this.answer
    this.bytes += chunk.length
    if (this.bytes > maxBytes) throw tooLong()
    if (chunk.length === this.length && chunk.length <= shortBytes) {
      this.whole = chunk.toString('latin1')
      return
    }
    if (response.write(chunk)) return
    controller.pause()
    response.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.answer.response.off('close', this.leave)
    this.answer.response.end(this.whole, 'latin1')
    this.done()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { response } = this.answer
    response.off('close', this.leave)
    if (!this.hasBegun) {
      this.failed(error)
      return
    }
    // The client sees that the answer is not whole.
    response.destroy()
    this.done()
  }
}

const shortBytes = 16 * 1024

const clientLeft = new Error('The client has left.')

const tooLong = (): Error =>
  functionsError('WORKER_LIMIT', { details: 'The answer is larger than response_bytes of [functions] allows.' })
