import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Log } from '../../../ground/model/log.ts'
import { storageError } from '../errors.ts'
import type { Order, Outcome, Report, ReportedOutcome } from './child/orders.ts'
import { createResultFile, type ResultFile } from './result-file.ts'

/** One image to change. */
export type ImageOrder = Omit<Order, 'id' | 'part'>

/**
 * Images are changed in a process of their own: an image that makes the decoder end, or take the machine's memory, takes
 * nothing else with it, and the collector of the server's heap sees none of their memory.
 */
export interface ImageProcess {
  /**
   * Changes an image. Of those that are under way when the process ends, each is tried once more, one after the other, as
   * one of them may be the cause.
   *
   * @throws InvalidRequest for an image that is none, or that makes the process end
   */
  run(order: ImageOrder): Promise<Exclude<Outcome, { kind: 'refused' | 'failed' }>>
  close(): Promise<void>
}

export interface ImageProcessOptions {
  /** Images at a time, each on a thread. */
  readonly threads: number
  readonly log: Log
  /** How long it stays without an image. */
  readonly idleMs?: number
}

const defaultIdleMs = 60_000
/** Files are read by one more. */
const moreThreads = 1
const isSource = import.meta.url.endsWith('.ts')

/** The process ended before an order was done. */
class ProcessEnded extends Error {}

/** A process that starts with the first image, and again where it ended. */
export function createImageProcess({ threads, log, idleMs = defaultIdleMs }: ImageProcessOptions): ImageProcess {
  let current: Running | null = null
  let idle: NodeJS.Timeout | null = null
  let underWay = 0
  let retries: Promise<unknown> = Promise.resolve()

  const attempt = (order: ImageOrder): Promise<Outcome> => {
    if (current === null) {
      const started = startProcess(threads, log)
      current = started
      void started.ended.then(() => {
        if (current === started) current = null
      })
    }
    return current.send(order)
  }
  const rest = (): void => {
    const resting = current
    current = null
    resting?.end()
  }
  return {
    async run(order) {
      if (idle !== null) clearTimeout(idle)
      underWay += 1
      try {
        return resultOf(
          await attempt(order).catch((error: unknown) => {
            if (!(error instanceof ProcessEnded)) throw error
            const retry = retries.then(() => attempt(order))
            retries = retry.catch(() => undefined)
            return retry.catch((again: unknown) => {
              throw again instanceof ProcessEnded ? undecodable(again) : again
            })
          }),
        )
      } finally {
        underWay -= 1
        if (underWay === 0) idle = setTimeout(rest, idleMs).unref()
      }
    },
    async close() {
      if (idle !== null) clearTimeout(idle)
      const closing = current
      rest()
      await closing?.ended
    },
  }
}

const undecodable = (cause: Error) =>
  storageError('InvalidRequest', { message: 'The image cannot be changed: it ends the process that decodes it', cause })

/** @throws the error of an outcome that is one */
function resultOf(outcome: Outcome): Exclude<Outcome, { kind: 'refused' | 'failed' }> {
  if (outcome.kind === 'refused') throw new ServiceError(outcome.fields)
  if (outcome.kind === 'failed') throw new Error(outcome.message)
  return outcome
}

interface Running {
  /** @throws ProcessEnded */
  send(order: ImageOrder): Promise<Outcome>
  /** Asks the process to end. */
  end(): void
  readonly ended: Promise<void>
}

/** An order that is under way. */
interface Waiting {
  resolve(outcome: Outcome): void
  reject(error: unknown): void
  readonly part: number | null
}

function startProcess(threads: number, log: Log): Running {
  const results = createResultFile(threads)
  const child = forkNode(threads, results)
  const waiting = new Map<number, Waiting>()
  let isReady = false
  let lastId = 0
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-complaintCharacters)
  })
  child.on('message', (report: Report) => {
    if (report === 'ready') {
      isReady = true
      return
    }
    const order = waiting.get(report.id)
    if (order === undefined) return
    waiting.delete(report.id)
    try {
      order.resolve(readOutcome(report.outcome, order.part, results))
    } catch (error) {
      order.reject(error)
    }
    if (order.part !== null) results.giveBack(order.part)
  })
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string): void => {
      resolve()
      results.close()
      if (waiting.size === 0) return
      log.warn({ reason, complaint, images: waiting.size }, 'the process that changes images ended under its work')
      // One that never served is no image's fault.
      const error = isReady ? new ProcessEnded(reason) : new Error(`Images cannot be changed: ${reason} ${complaint}`)
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) =>
      end(signal === null ? `It ended with code ${code}.` : `It ended by ${signal}.`),
    )
  })
  return {
    send: (order) =>
      new Promise((resolve, reject) => {
        lastId += 1
        const part = results.lend()
        waiting.set(lastId, { resolve, reject, part })
        // Where the channel is closed, the end that is about to be told rejects it.
        child.send({ ...order, id: lastId, part } satisfies Order, () => undefined)
      }),
    end() {
      if (child.connected) child.disconnect()
      else child.kill('SIGKILL')
    },
    ended,
  }
}

function readOutcome(outcome: ReportedOutcome, part: number | null, results: ResultFile): Outcome {
  if (outcome.kind !== 'changed') return outcome
  const { mimeType, result } = outcome
  if ('bytes' in result) return { kind: 'changed', image: { bytes: result.bytes, mimeType } }
  if (part === null) throw new Error('An image was left in no part of the file.')
  return { kind: 'changed', image: { bytes: results.read(part, result.sizeBytes), mimeType } }
}

/** What is kept of what a process printed. */
const complaintCharacters = 2000

function forkNode(threads: number, { descriptor }: ResultFile): ChildProcess {
  const file = fileURLToPath(new URL(`./child/main${isSource ? '.ts' : '.js'}`, import.meta.url))
  return fork(file, [], {
    // Its own heap is small.
    execArgv: [
      '--max-semi-space-size=2',
      '--v8-pool-size=1',
      ...(isSource ? ['--import', import.meta.resolve('tsx')] : []),
    ],
    serialization: 'advanced',
    // The fifth is `resultDescriptor`.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', descriptor ?? 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '', UV_THREADPOOL_SIZE: String(threads + moreThreads) },
  })
}
