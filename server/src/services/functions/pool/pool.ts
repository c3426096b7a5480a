import { type Debugged, Worker, type WorkerHost, type WorkerProgram, type WorkerUse } from '../worker/worker.ts'
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
  /** A worker that serves the version already and has room for a call; null where one must be waited for. */
  acquireNow(program: WorkerProgram): Lease | null
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
  /** Processes that run. */
  running(): number
  /** The processes that a debugger may be attached to, the newest first. */
  debugged(): readonly Debugged[]
  /** The processes of a function, the newest first. */
  processesOf(name: string): readonly WorkerUse[]
  close(): Promise<void>
}

const sweepMs = 1000

/** Opens an empty pool. */
export function createPool({ host, limits, start = (program, deps) => new Worker(program, deps) }: PoolDeps): Pool {
  const queue = createQueue(limits.queueMs)
  const failures = createFailures()
  const { alive, current, starting, launch, takeOver } = createProcesses((program) => {
    const worker = start(program, host)
    failures.watch(program, worker.ready)
    return worker
  }, queue.wake)
  let isClosed = false

  /** The worker of a version; started where there is none and room is. */
  const find = (program: WorkerProgram): Worker | null => {
    failures.check(program)
    if (!limits.sharesProcesses) return hasRoom(alive, limits.workers) ? launch(program) : null
    const { name, version } = program
    const known = [current.get(name), starting.get(name)]
    const found = known.find((worker) => worker?.version === version && !worker.isRetired)
    if (found !== undefined) return found.calls < limits.concurrentCalls ? found : null
    if (!hasRoom(alive, limits.workers)) return null
    const worker = launch(program)
    takeOver(worker, program)
    return worker
  }

  /** Counted in the turn in which it is found: an idle worker makes room for others. */
  const take = (program: WorkerProgram): { readonly worker: Worker; readonly end: () => void } | null => {
    const worker = isClosed ? null : find(program)
    return worker && { worker, end: worker.begin() }
  }

  const sweep = setInterval(() => retireIdle(alive, limits.idleMs), sweepMs).unref()

  return {
    acquireNow: (program) => leaseServing(current.get(program.name), program, limits.concurrentCalls, queue.wake),
    async acquire(program, caller) {
      const { worker, end } = await queue.until(() => take(program), caller)
      const release = (): void => {
        if (!limits.sharesProcesses) worker.retire('early_drop')
        end()
        queue.wake()
      }
      return worker.ready.then(
        () => ({ worker, release }),
        () => {
          release()
          throw failures.errorOf(program)
        },
      )
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
      takeOver(worker, program)
    },
    retire: (name) => current.get(name)?.retire('early_drop'),
    running: () => alive.size,
    debugged: () => debuggedOf(alive),
    processesOf: (name) =>
      [...alive]
        .filter((worker) => worker.name === name)
        .map(({ use }) => use)
        .reverse(),
    async close() {
      isClosed = true
      clearInterval(sweep)
      await Promise.all([...alive].map((worker) => worker.stop('termination')))
    },
  }
}

/** The processes by their parts; `ended` is called when one is gone. */
function createProcesses(start: (program: WorkerProgram) => Worker, ended: () => void) {
  /** The worker that takes a function's calls. */
  const current = new Map<string, Worker>()
  /** Of a new version that does not listen yet, and will take its function's calls. */
  const starting = new Map<string, Worker>()
  const alive = new Set<Worker>()
  return {
    current,
    starting,
    alive,
    launch(program: WorkerProgram): Worker {
      const worker = start(program)
      alive.add(worker)
      void worker.ended.then(() => {
        alive.delete(worker)
        if (current.get(program.name) === worker) current.delete(program.name)
        ended()
      })
      return worker
    },
    takeOver(worker: Worker, { name }: WorkerProgram): void {
      current.get(name)?.retire('early_drop')
      current.set(name, worker)
    },
  }
}

const debuggedOf = (alive: ReadonlySet<Worker>): readonly Debugged[] =>
  [...alive].reverse().flatMap(({ id, name, inspectorPort: port }) => (port === null ? [] : [{ id, name, port }]))

/** A place in a function's process, where that serves the version and has one. */
function leaseServing(
  worker: Worker | undefined,
  { version }: WorkerProgram,
  mostCalls: number,
  wake: () => void,
): Lease | null {
  if (worker?.isServing !== true || worker.version !== version || worker.calls >= mostCalls) return null
  const end = worker.begin()
  const release = (): void => {
    end()
    wake()
  }
  return { worker, release }
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
