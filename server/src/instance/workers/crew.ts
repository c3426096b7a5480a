import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { instanceError } from '../../errors.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import type { WorkerPlace } from '../../plan/instance.ts'
import { type FromWorker, receiveError, type ShownFacts, type ToWorker } from './messages.ts'
import { placeVariable } from './place.ts'

/** What every worker is told of its place. */
export type CommonPlace = Pick<WorkerPlace, 'count' | 'busSocket' | 'port' | 'consolePort'>

/** The dependencies of `createCrew`. */
export interface CrewDeps {
  readonly common: CommonPlace
  /** Below it each worker has a folder of its own. */
  readonly folder: string
  /** Called with the name on the bus of a worker that has ended. */
  readonly ended: (node: string) => void
  readonly log: (line: string) => void
  /** How long a worker may take to end. */
  readonly closeGraceMs: number
}

/** One of the workers, whichever process it is at the moment. */
export interface CrewMember {
  readonly number: number
  readonly folder: string
  /** Null while there is none. */
  readonly pid: number | null
  readonly isReady: boolean
}

/** The workers of an instance. One that ends unasked is started again. */
export interface Crew {
  /** Starts the first alone, for it makes what the others find, and then those, all at once. @throws what refuses a worker's start */
  start(): Promise<ShownFacts>
  members(): readonly CrewMember[]
  close(): Promise<void>
}

interface Seat {
  readonly number: number
  worker: Worker | null
  isReady: boolean
  /** Before a worker that ends is started again. */
  pauseMs: number
}

const firstPauseMs = 100
const longestPauseMs = 10_000
const startLimitMs = 120_000
/** A worker that lived for so long is started again at once. */
const longLifeMs = 10_000

/** Makes the crew; `start` begins. */
export function createCrew({ common, folder, ended, log, closeGraceMs }: CrewDeps): Crew {
  const seats = Array.from({ length: common.count }, (_, index) => emptySeat(index + 1))
  const folderOf = ({ number }: Seat): string => join(folder, String(number))
  const stopping = new AbortController()

  const launch = async (seat: Seat, isFirst: boolean): Promise<ShownFacts> => {
    const node = uuidv7()
    const place = { ...common, number: seat.number, node, folder: folderOf(seat), isFirst }
    const worker = cluster.fork(placeVariable(place))
    seat.worker = worker
    const bornAtMs = performance.now()
    const facts = await untilReady(worker, place, (how, wasReady) => {
      ended(node)
      // One that was refused may have a successor already.
      if (seat.worker !== worker) return
      Object.assign(seat, { worker: null, isReady: false })
      if (stopping.signal.aborted || !wasReady) return
      log(`worker ${seat.number} ended with ${how}; it is started again`)
      if (performance.now() - bornAtMs > longLifeMs) seat.pauseMs = 0
      void again(seat)
    })
    seat.isReady = true
    return facts
  }

  const again = async (seat: Seat): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { pauseMs } = seat
      seat.pauseMs = Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs)
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      try {
        if (!stopping.signal.aborted) await launch(seat, false)
        return
      } catch (error) {
        if (!stopping.signal.aborted) log(`worker ${seat.number} could not be started: ${String(error)}`)
      }
    }
  }

  return {
    async start() {
      const [first, ...others] = seats
      if (first === undefined) throw new Error('There is no crew without a worker.')
      const facts = await launch(first, true)
      await Promise.all(others.map((seat) => launch(seat, false)))
      return facts
    },
    members: () =>
      seats.map((seat) => ({
        number: seat.number,
        folder: folderOf(seat),
        pid: seat.worker?.process.pid ?? null,
        isReady: seat.isReady,
      })),
    async close() {
      stopping.abort()
      await Promise.all(seats.map(({ worker }) => (worker === null ? undefined : end(worker, closeGraceMs))))
    },
  }
}

/**
 * Resolves when a worker is ready.
 *
 * @param ended called when it has ended, in the end
 * @throws what the worker was refused for; CLEW_START_WORKER where it ended without a word
 */
function untilReady(
  worker: Worker,
  { number, isFirst }: Pick<WorkerPlace, 'number' | 'isFirst'>,
  ended: (how: string, wasReady: boolean) => void,
): Promise<ShownFacts> {
  // The first one may have long migrations to apply.
  const limit = isFirst ? undefined : setTimeout(() => worker.process.kill('SIGKILL'), startLimitMs)
  let isReady = false
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      clearTimeout(limit)
      if (message.kind === 'refused') return reject(receiveError(message.error))
      isReady = true
      resolve(message.facts)
    })
    worker.once('exit', (code, signal) => {
      clearTimeout(limit)
      const how = signal ?? `code ${code}`
      const message = `Worker ${number} ended with ${how} as it started.`
      reject(instanceError('CLEW_START_WORKER', { message }))
      ended(how, isReady)
    })
  })
}

const emptySeat = (number: number): Seat => ({ number, worker: null, isReady: false, pauseMs: 0 })

async function end(worker: Worker, graceMs: number): Promise<void> {
  if (worker.isDead()) return
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  if (worker.isConnected()) worker.send({ kind: 'stop' } satisfies ToWorker, () => undefined)
  const limit = setTimeout(() => worker.process.kill('SIGKILL'), graceMs)
  await exited
  clearTimeout(limit)
}
