import { Worker, type WorkerHost, type WorkerProgram } from '../worker/worker.ts'
import { createFailures } from './failures.ts'
import { type Caller, createQueue } from './queue.ts'

export interface PoolDeps {
  readonly host: WorkerHost
  readonly limits: {
    /** Processes at a time. */
    readonly workers: number
    /** Whether a function's calls share a process; each has one of its own otherwise. */
    readonly sharesProcesses: boolean
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
  acquire(program: WorkerProgram, caller: Caller): Promise<Lease>
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

const sweepMs = 1000

/** Opens an empty pool. */
export function createPool({ host, limits, start = (program, deps) => new Worker(program, deps) }: PoolDeps): Pool {
  const queue = createQueue(limits.queueMs)
  const failures = createFailures()
  /** The worker that takes a function's calls. */
  const current = new Map<string, Worker>()
  /** Of a new version that does not listen yet, and will take its function's calls. */
  const starting = new Map<string, Worker>()
  const alive = new Set<Worker>()
  let isClosed = false

  const launch = (program: WorkerProgram): Worker => {
    const worker = start(program, host)
    alive.add(worker)
    worker.ready.then(
      () => failures.started(program),
      (error: Error) => failures.failed(program, error),
    )
    void worker.ended.then(() => {
      alive.delete(worker)
      if (current.get(program.name) === worker) current.delete(program.name)
      queue.wake()
    })
    return worker
  }

  /** The worker of a version; started where there is none and room is. */
  const find = (program: WorkerProgram): Worker | null => {
    failures.check(program)
    if (!limits.sharesProcesses) return hasRoom(alive, limits.workers) ? launch(program) : null
    const { name, version } = program
    const before = current.get(name)
    const found = [before, starting.get(name)].find((worker) => worker?.version === version && !worker.isRetired)
    if (found !== undefined) return found.calls < limits.concurrentCalls ? found : null
    if (!hasRoom(alive, limits.workers)) return null
    before?.retire('early_drop')
    const worker = launch(program)
    current.set(name, worker)
    return worker
  }

  /** Counted in the turn in which it is found: an idle worker makes room for others. */
  const take = (program: WorkerProgram): { readonly worker: Worker; readonly end: () => void } | null => {
    const worker = isClosed ? null : find(program)
    return worker && { worker, end: worker.begin() }
  }

  const sweep = setInterval(() => retireIdle(alive, limits.idleMs), sweepMs).unref()

  return {
    async acquire(program, caller) {
      const { worker, end } = await queue.until(() => take(program), caller)
      const release = (): void => {
        if (!limits.sharesProcesses) worker.retire('early_drop')
        end()
        queue.wake()
      }
      try {
        await worker.ready
        return { worker, release }
      } catch {
        release()
        throw failures.errorOf(program)
      }
    },
    async replace(program) {
      const { name } = program
      if (!limits.sharesProcesses) return
      const worker = launch(program)
      starting.set(name, worker)
      try {
        await worker.ready
      } catch {
        throw failures.errorOf(program)
      } finally {
        if (starting.get(name) === worker) starting.delete(name)
      }
      const before = current.get(name)
      current.set(name, worker)
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

/** Whether a process may be started. Where not, the one that is idle for longest makes room. */
function hasRoom(alive: ReadonlySet<Worker>, most: number): boolean {
  if (alive.size < most) return true
  const [oldest] = [...alive]
    .filter(({ idleSinceMs, isRetired }) => idleSinceMs !== null && !isRetired)
    .sort((a, b) => (a.idleSinceMs ?? 0) - (b.idleSinceMs ?? 0))
  oldest?.retire('early_drop')
  return false
}

/** Ends workers without calls for longer than that. */
function retireIdle(alive: ReadonlySet<Worker>, idleMs: number): void {
  const nowMs = performance.now()
  for (const worker of alive)
    if (worker.idleSinceMs !== null && nowMs - worker.idleSinceMs > idleMs) worker.retire('early_drop')
}
