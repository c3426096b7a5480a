import { availableParallelism } from 'node:os'
import { type MessagePort, Worker } from 'node:worker_threads'
import { ServiceError } from '../../ground/errors/service-error.ts'
import type { Order, Report } from './thread.ts'

/** Work that would hold the event loop. */
export interface Task {
  /** The module that exports `run`: see `taskModule`. */
  readonly module: string
  readonly input: unknown
  /** Memory and ports of the input that move to the thread; they are gone here. */
  readonly transfer: readonly (ArrayBuffer | MessagePort)[]
  /** What waits in memory with it. */
  readonly sizeBytes: number
}

/** Threads beside the event loop. Tasks wait for a free one in the order they came. */
export interface Threads {
  /**
   * Runs a task and resolves to its value.
   *
   * @throws what the task throws, TasksFull when too much waits, TaskEnded when its thread ended under it
   */
  run<Value>(task: Task): Promise<Value>
  /** Ends the threads; tasks under way are rejected. */
  close(): Promise<void>
}

/** More tasks wait than there is memory for. */
export class TasksFull extends Error {
  override readonly name = 'TasksFull'
}

/** A thread ended before its task was done: it needed more memory than a thread has, or the pool was closed. */
export class TaskEnded extends Error {
  override readonly name = 'TaskEnded'

  get isOutOfMemory(): boolean {
    const { cause } = this
    return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  }
}

export interface ThreadsOptions {
  readonly threads?: number
  /** How much may wait for a thread. */
  readonly waitingBytes?: number
  /** The largest heap of one thread. */
  readonly heapMiB?: number
  /** A thread without work ends after this time, and its memory is free. */
  readonly idleMs?: number
}

interface Waiting {
  readonly task: Task
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

interface Thread {
  readonly worker: Worker
  task: Waiting | null
  idle: NodeJS.Timeout | null
}

const isSource = import.meta.url.endsWith('.ts')
/** Compiled it is a module like others; a thread that runs from sources asks for its loader itself, it inherits none. */
const entry = (): URL => {
  if (!isSource) return new URL('./thread.js', import.meta.url)
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  const module = JSON.stringify(new URL('./thread.ts', import.meta.url).href)
  const code = `import { register } from ${loader}; register(); await import(${module})`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}
// One core stays with the event loop and its engines.
const threadsByDefault = Math.max(1, Math.min(4, availableParallelism() - 1))

/**
 * The address of a module of tasks.
 *
 * @param path without its extension, relative to `base`: `.ts` under a loader, `.js` when compiled
 */
export const taskModule = (path: string, base: string): string =>
  new URL(`${path}${base.endsWith('.ts') ? '.ts' : '.js'}`, base).href

/**
 * The memory of some bytes, to move it to another thread: their own where nothing else is in it, and then the bytes are
 * gone here; else a copy.
 */
export function movable(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength) return buffer
  return new Uint8Array(bytes).buffer
}

/** A pool without threads: they begin with the first task that needs one. */
export function createThreads(options: ThreadsOptions = {}): Threads {
  const { threads: most = threadsByDefault, waitingBytes = 128 * 1024 ** 2, heapMiB = 768, idleMs = 5_000 } = options
  const threads = new Set<Thread>()
  const waiting: Waiting[] = []
  let waits = 0
  let isClosed = false

  const start = (): Thread => {
    const worker = new Worker(entry(), { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMiB } })
    const thread: Thread = { worker, task: null, idle: null }
    threads.add(thread)
    worker.on('message', (report: Report) => {
      const ended = thread.task
      thread.task = null
      if (report.kind === 'done') ended?.resolve(report.value)
      else ended?.reject(report.kind === 'refused' ? new ServiceError(report.fields) : report.error)
      giveWork(thread)
    })
    let problem: unknown = null
    worker.once('error', (error) => {
      problem = error
    })
    worker.once('exit', () => {
      threads.delete(thread)
      if (thread.idle !== null) clearTimeout(thread.idle)
      thread.task?.reject(new TaskEnded('The thread ended before its task was done.', { cause: problem }))
      if (waiting.length > 0 && !isClosed) giveWork(start())
    })
    return thread
  }

  const giveWork = (thread: Thread): void => {
    const next = waiting.shift()
    if (next === undefined) {
      // A process that has nothing else to do may end.
      thread.worker.unref()
      thread.idle = setTimeout(() => {
        threads.delete(thread)
        void thread.worker.terminate()
      }, idleMs).unref()
      return
    }
    waits -= next.task.sizeBytes
    if (thread.idle !== null) clearTimeout(thread.idle)
    thread.idle = null
    thread.task = next
    thread.worker.ref()
    const { module, input, transfer } = next.task
    thread.worker.postMessage({ module, input } satisfies Order, [...transfer])
  }

  return {
    run<Value>(task: Task) {
      if (isClosed) return Promise.reject(new TaskEnded('The threads were closed.'))
      if (waits > 0 && waits + task.sizeBytes > waitingBytes)
        return Promise.reject(new TasksFull(`${waits} bytes wait for a thread already.`))
      return new Promise<Value>((resolve, reject) => {
        // The task's module says what its value is.
        waiting.push({ task, resolve: resolve as (value: unknown) => void, reject })
        waits += task.sizeBytes
        const free = [...threads].find((thread) => thread.task === null)
        if (free !== undefined) giveWork(free)
        else if (threads.size < most) giveWork(start())
      })
    },
    async close() {
      isClosed = true
      for (const { reject } of waiting.splice(0)) reject(new TaskEnded('The threads were closed.'))
      await Promise.all([...threads].map((thread) => thread.worker.terminate()))
    },
  }
}
