import type { IncomingMessage, ServerResponse } from 'node:http'
import { functionsError } from '../errors.ts'
import type { Worker } from '../worker/worker.ts'
import { connectionsTo, type Exchange, type Incoming } from './connections.ts'
import { failureOf } from './failure.ts'
import type { HeaderList, ResponseHeaders } from './headers.ts'

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
    const failed = (error: Error): void => void failureOf(worker, error).then(reject)
    const passing = new PassingAnswer(answer, resolve, failed)
    const sentBody = hasBody(body) ? body : null
    passing.start(connectionsTo(worker).send({ method, path, headers, body: sentBody }, passing))
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Statuses whose answers have no body (RFC 9110 §15). */
const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304

/** Writes an answer to the client as it comes from the worker; a slow client slows the worker down. */
class PassingAnswer implements Incoming {
  private readonly answer: Answer
  private readonly done: () => void
  private readonly failedToBegin: (error: Error) => void
  private exchange: Exchange | null = null
  private hasBegun = false
  private isSkipped = false
  private length: number | null = null
  private bytes = 0
  /** A short body that came in one piece: as a text of its bytes it leaves in one write with the head. */
  private whole = ''
  private readonly leave: () => void
  private readonly limit: NodeJS.Timeout

  constructor(answer: Answer, done: () => void, failedToBegin: (error: Error) => void) {
    this.answer = answer
    this.done = done
    this.failedToBegin = failedToBegin
    this.leave = () => {
      this.stop()
      done()
    }
    this.limit = setTimeout(() => {
      this.stop()
      failedToBegin(functionsError('REQUEST_TIMEOUT'))
    }, answer.headMs)
  }

  start(exchange: Exchange): void {
    this.exchange = exchange
    const { response } = this.answer
    if (response.closed) this.leave()
    else response.on('close', this.leave)
  }

  head(status: number, { list, length }: ResponseHeaders): void {
    clearTimeout(this.limit)
    const { response, begin, maxBytes } = this.answer
    if (length !== null && length > maxBytes) throw tooLong()
    this.isSkipped = isBodiless(status)
    begin(list, length)
    this.hasBegun = true
    this.length = length
    response.writeHead(status, list)
    // A body may begin long after its head; one that comes with it is written with it.
    if (length === null) setImmediate(() => this.bytes === 0 && !response.writableEnded && response.flushHeaders())
  }

  data(chunk: Buffer): void {
    if (this.isSkipped) return
    const { response, maxBytes } = this.answer
    this.bytes += chunk.length
    if (this.bytes > maxBytes) throw tooLong()
    if (chunk.length === this.length && chunk.length <= shortBytes) {
      this.whole = chunk.toString('latin1')
      return
    }
    // The client's connection may keep it for later.
    if (response.write(Buffer.from(chunk)) || this.exchange === null) return
    const { exchange } = this
    exchange.pause()
    response.once('drain', () => this.exchange === exchange && exchange.resume())
  }

  end(): void {
    this.exchange = null
    this.answer.response.off('close', this.leave)
    this.answer.response.end(this.whole, 'latin1')
    this.done()
  }

  failed(error: Error): void {
    const { response } = this.answer
    this.exchange = null
    clearTimeout(this.limit)
    response.off('close', this.leave)
    if (!this.hasBegun) {
      this.failedToBegin(error)
      return
    }
    // The client sees that the answer is not whole.
    response.destroy()
    this.done()
  }

  private stop(): void {
    const { exchange } = this
    this.exchange = null
    clearTimeout(this.limit)
    this.answer.response.off('close', this.leave)
    exchange?.abort()
  }
}

const shortBytes = 16 * 1024

const tooLong = (): Error =>
  functionsError('WORKER_LIMIT', { details: 'The answer is larger than response_bytes of [functions] allows.' })
