import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { functionsError } from '../errors.ts'
import { Worker, type WorkerHost, type WorkerProgram } from '../worker/worker.ts'

export interface PoolDeps {
  readonly host: WorkerHost
  readonly limits: {
    /** Processes at a time. */
    readonly workers: number
    /** Calls of one function at a time. */
    readonly concurrentCalls: number
    readonly queueMs: number
    readonly idleMs: number
  }
  /** Starts a process; another one in tests. */
  readonly start?: (program: WorkerProgram, host: WorkerHost) => Worker
}

/** A worker that serves, and what ends the call that it was taken for. */
export interface Lease {
  readonly worker: Worker
  readonly release: () => void
}

/** The processes of functions: started on demand, kept while they are used, replaced by those of a new version. */
export interface Pool {
  /** @throws BOOT_ERROR, WORKER_LIMIT */
  acquire(program: WorkerProgram, signal: AbortSignal): Promise<Lease>
  /**
   * Starts a version, which then takes the calls of the one before: that one ends when its own have ended.
   *
   * @throws BOOT_ERROR, and the one before stays
   */
  replace(program: WorkerProgram): Promise<void>
  /** Ends a function's process when its calls have ended, so that the next call starts another. */
  retire(name: string): void
  /** Process ids and use, for the console and gauges. */
  running(): number
  close(): Promise<void>
}

interface Failure {
  readonly version: string
  readonly error: ServiceError
  readonly untilMs: number
  readonly count: number
}

const sweepMs = 1000
const firstPauseMs = 1000
const longestPauseMs = 30_000

/** Opens an empty pool. */
export function createPool({ host, limits, start = (program, deps) => new Worker(program, deps) }: PoolDeps): Pool {
  /** The worker that takes a function's calls. */
  const current = new Map<string, Worker>()
  const alive = new Set<Worker>()
  const failures = new Map<string, Failure>()
  const waiting = new Set<() => void>()
  let isClosed = false

  const wake = (): void => {
    for (const look of [...waiting]) look()
  }
  /** Resolves with what `look` finds, as soon as it finds something. */
  const until = <Found>(look: () => Found | null, signal: AbortSignal): Promise<Found> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(limit)
        waiting.delete(again)
        signal.removeEventListener('abort', gone)
      }
      const again = (): void => {
        const found = look()
        if (found === null) return
        settle()
        resolve(found)
      }
      const gone = (): void => {
        settle()
        reject(signal.reason)
      }
      const limit = setTimeout(() => {
        settle()
        reject(functionsError('WORKER_LIMIT', { details: 'No process was free in time.' }))
      }, limits.queueMs)
      waiting.add(again)
      signal.addEventListener('abort', gone)
      again()
    })

  /** Makes room for a process by ending the one that is idle for longest. */
  const hasRoom = (): true | null => {
    if (alive.size < limits.workers) return true
    const [oldest] = [...alive]
      .filter(({ idleSinceMs, isRetired }) => idleSinceMs !== null && !isRetired)
      .sort((a, b) => (a.idleSinceMs ?? 0) - (b.idleSinceMs ?? 0))
    oldest?.retire('early_drop')
    return null
  }

  const launch = (program: WorkerProgram): Worker => {
    const { name, version } = program
    const worker = start(program, host)
    alive.add(worker)
    worker.ready.then(
      () => failures.delete(name),
      (error: Error) => failures.set(name, failureOf(failures.get(name), version, error)),
    )
    void worker.ended.then(() => {
      alive.delete(worker)
      if (current.get(name) === worker) current.delete(name)
      wake()
    })
    return worker
  }

  const checkFailure = ({ name, version }: WorkerProgram): void => {
    const failure = failures.get(name)
    if (failure?.version === version && failure.untilMs > performance.now()) throw failure.error
  }

  /** The worker of a version; started where there is none and room is. */
  const find = (program: WorkerProgram): Worker | null => {
    checkFailure(program)
    const { name, version } = program
    const found = current.get(name)
    if (found !== undefined && found.version === version && !found.isRetired)
      return found.calls < limits.concurrentCalls ? found : null
    if (hasRoom() === null) return null
    found?.retire('early_drop')
    const worker = launch(program)
    current.set(name, worker)
    return worker
  }

  const sweep = setInterval(() => {
    const nowMs = performance.now()
    for (const worker of alive)
      if (worker.idleSinceMs !== null && nowMs - worker.idleSinceMs > limits.idleMs) worker.retire('early_drop')
  }, sweepMs).unref()

  return {
    async acquire(program, signal) {
      // Counted in the turn in which it is found: an idle worker makes room for others.
      const { worker, end } = await until(() => {
        const found = isClosed ? null : find(program)
        return found && { worker: found, end: found.begin() }
      }, signal)
      const release = (): void => {
        end()
        wake()
      }
      try {
        await worker.ready
        return { worker, release }
      } catch {
        release()
        throw bootError(failures.get(program.name))
      }
    },
    async replace(program) {
      const worker = launch(program)
      await worker.ready.catch(() => {
        throw bootError(failures.get(program.name))
      })
      const before = current.get(program.name)
      current.set(program.name, worker)
      before?.retire('early_drop')
    },
    retire: (name) => current.get(name)?.retire('early_drop'),
    running: () => alive.size,
    async close() {
      isClosed = true
      clearInterval(sweep)
      await Promise.all([...alive].map((worker) => worker.stop('termination')))
    },
  }
}

const bootError = (failure: Failure | undefined): ServiceError => failure?.error ?? functionsError('BOOT_ERROR')

/** A function that does not start is tried again after a pause that grows. */
function failureOf(before: Failure | undefined, version: string, cause: Error): Failure {
  const count = before?.version === version ? before.count + 1 : 1
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (count - 1))
  const error = functionsError('BOOT_ERROR', { details: cause.message, cause })
  return { version, count, error, untilMs: performance.now() + pauseMs }
}
