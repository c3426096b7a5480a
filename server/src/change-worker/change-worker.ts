import { Worker } from 'node:worker_threads'
import { messageOf } from '../ground/errors/message.ts'
import type { ChangeTransaction } from '../ground/model/change.ts'
import type { EngineHealth } from '../ground/model/health.ts'
import type { ChangeTask, FromWorker, ToWorker } from './messages.ts'

type Reader = (transaction: ChangeTransaction) => Promise<void>

/** The change stream, read and stored by a thread of its own. */
export interface ChangeWorker {
  health(): EngineHealth
  /** Why row changes are not recorded at all, in a sentence; null where they are. */
  notRecorded(): string | null
  /** Log that is written and not stored yet, in bytes. */
  behindBytes(): number
  /** Rows since the start that ClickHouse refused for what they are. */
  refusedRows(): number
  /**
   * Brings each transaction, in parts where it is large, to this thread as well: in commit order, each when `reader` has
   * settled the one before. The stream waits meanwhile, and a reader that fails is asked again.
   */
  subscribe(reader: Reader): () => void
  /** Stores what was read, says how far it came, and ends the thread. */
  close(): Promise<void>
}

const firstPauseMs = 100
const longestPauseMs = 10_000
const closeGraceMs = 10_000
const loadEveryMs = 250

/**
 * Starts the thread. Decoding and storing row changes costs as much as answering requests does: done among them, a
 * backlog would make people wait. A thread that ends unasked is started again, and goes on where it was.
 */
export function createChangeWorker(task: ChangeTask, log: (line: string) => void): ChangeWorker {
  const readers = new Set<Reader>()
  const starting: EngineHealth = { name: 'row changes', state: 'starting', detail: 'Starting.', pid: null }
  let health = starting
  let behindBytes = 0
  let refusedRows = 0
  /** Of threads that have ended. */
  let refusedBefore = 0
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | null = null
  let pauseMs = firstPauseMs
  let isClosing = false

  function start(): void {
    timer = null
    const started = startThread(task)
    worker = started
    let problem = ''
    started.on('message', (message: FromWorker) => {
      if (message.kind === 'log') log(message.line)
      else if (message.kind === 'transaction') void hand(started, message.number, message.transaction)
      else {
        health = message.health
        behindBytes = message.behindBytes
        refusedRows = message.refusedRows
        if (health.state === 'up') pauseMs = firstPauseMs
      }
    })
    started.once('error', (error) => {
      problem = messageOf(error)
    })
    started.once('exit', () => {
      if (worker === started) worker = null
      refusedBefore += refusedRows
      refusedRows = 0
      if (isClosing) return
      const detail = `The thread that reads row changes ended and is started again. ${problem}`.trim()
      log(`changes: ${detail}`)
      health = { ...starting, state: 'down', detail }
      timer = setTimeout(start, pauseMs)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    })
    if (readers.size > 0) tell(started, { kind: 'subscribe', on: true })
  }

  const tell = (to: Worker | null, message: ToWorker): void => to?.postMessage(message)

  async function hand(to: Worker, number: number, transaction: ChangeTransaction): Promise<void> {
    const outcomes = await Promise.allSettled([...readers].map(async (reader) => reader(transaction)))
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    const refusal = refused === undefined ? null : String(refused.reason)
    tell(to, { kind: 'settled', number, refusal })
  }

  let measured = performance.eventLoopUtilization()
  const telling = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, measured)
    measured = now
    if (behindBytes > 0) tell(worker, { kind: 'load', utilization })
  }, loadEveryMs).unref()

  start()

  return {
    health: () => health,
    notRecorded: () => (health.state === 'off' ? health.detail : null),
    behindBytes: () => behindBytes,
    refusedRows: () => refusedBefore + refusedRows,
    subscribe(reader) {
      readers.add(reader)
      if (readers.size === 1) tell(worker, { kind: 'subscribe', on: true })
      return () => {
        readers.delete(reader)
        if (readers.size === 0) tell(worker, { kind: 'subscribe', on: false })
      }
    },
    async close() {
      isClosing = true
      clearInterval(telling)
      if (timer !== null) clearTimeout(timer)
      const ending = worker
      if (ending === null) return
      const ended = new Promise((resolve) => ending.once('exit', resolve))
      tell(ending, { kind: 'close' })
      const limit = setTimeout(() => void ending.terminate(), closeGraceMs)
      await ended
      clearTimeout(limit)
    },
  }
}

function startThread(workerData: ChangeTask): Worker {
  if (import.meta.url.endsWith('.js')) return new Worker(new URL('./worker.js', import.meta.url), { workerData })
  // Run from its source: a thread's own entry is read before any loader of TypeScript is asked.
  const entry = new URL('./worker.ts', import.meta.url).href
  const code = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))})
    .then(({ register }) => register())
    .then(() => import(${JSON.stringify(entry)}))`
  return new Worker(code, { eval: true, workerData, execArgv: [] })
}
