import { Worker } from 'node:worker_threads'
import { messageOf } from '../ground/errors/message.ts'
import type { ChangeTransaction } from '../ground/model/change.ts'
import type { EngineHealth } from '../ground/model/health.ts'
import { type Masks, noMasks } from '../ground/privacy/masks.ts'
import type { ChangeTask, FromWorker, ToWorker } from './messages.ts'
import { describeHealth, initialState, next } from './worker-state.ts'

type Reader = (transaction: ChangeTransaction) => Promise<void>

/** The change stream, read and stored by a thread of its own. */
export interface ChangeWorker {
  health(): EngineHealth
  /** Resolves when the stream is read for the first time, or cannot be: what is written earlier may not be recorded. */
  readonly begun: Promise<void>
  /** Why row changes are not recorded at all, in a sentence; null where they are. */
  notRecorded(): string | null
  /** Log that is written and whose changes are not stored yet, in bytes. */
  behindBytes(): number
  /** Rows since the start that ClickHouse refused for what they are. */
  refusedRows(): number
  /**
   * Gives each transaction, in parts where it is large, to a reader on this thread as well: in commit order, each when
   * `reader` has settled the one before. The stream waits meanwhile, and a reader that fails is asked again.
   */
  subscribe(reader: Reader): () => void
  /** Starts the thread again with the task of now, once it has stored what it read. */
  renew(): Promise<void>
  /** Stores what was read, acknowledges it, and ends the thread. */
  close(): Promise<void>
}

const closeGraceMs = 10_000
const loadEveryMs = 250

/**
 * Starts the thread. Decoding and storing row changes costs as much as answering requests does: on the main thread, a
 * backlog would make requests wait. A thread that ends unasked is started again, and goes on where it was.
 *
 * @param now    milliseconds of a clock that never jumps
 * @param stored called when row changes were stored
 * @param masks  columns whose values are stored masked
 */
export function createChangeWorker(
  taskOfNow: () => ChangeTask,
  log: (line: string) => void,
  now: () => number = () => performance.now(),
  stored: () => void = () => undefined,
  masks: Masks = noMasks,
): ChangeWorker {
  const readers = new Set<Reader>()
  let state = initialState
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | null = null
  let isClosing = false
  let isRenewing = false
  const { stuckMs } = taskOfNow()
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const health = (): EngineHealth => describeHealth(state, now(), stuckMs)

  const receive = (from: Worker, message: FromWorker): void => {
    if (message.kind === 'log') log(message.line)
    else if (message.kind === 'stored') stored()
    else if (message.kind === 'masks') void tellMasks(from, message.number, masks)
    else if (message.kind === 'health') {
      state = next(state, { kind: 'heard', report: message, nowMs: now() })
      if (message.health.state !== 'starting') begin()
    } else void settle(from, message.number, giveTo(readers, message.transaction))
  }

  const ended = (problem: string): void => {
    worker = null
    begin()
    if (isClosing) return
    const { pauseMs } = state
    state = next(state, { kind: 'ended', problem })
    if (!isRenewing) log(`changes: ${state.health.detail}`)
    timer = setTimeout(start, isRenewing ? 0 : pauseMs)
  }

  function start(): void {
    timer = null
    isRenewing = false
    const started = startThread(taskOfNow())
    worker = started
    state = next(state, { kind: 'started', nowMs: now() })
    hear(started, (message) => receive(started, message), ended)
    if (readers.size > 0) send(started, { kind: 'subscribe', on: true })
  }

  const reporting = reportLoad((utilization) => {
    if (state.behindBytes > 0) send(worker, { kind: 'load', utilization })
  })
  start()

  return {
    health,
    begun,
    notRecorded: () => (state.health.state === 'off' ? state.health.detail : null),
    behindBytes: () => state.behindBytes,
    refusedRows: () => state.refusedBefore + state.refusedRows,
    subscribe: (reader) => addReader(readers, reader, (on) => send(worker, { kind: 'subscribe', on })),
    async renew() {
      if (worker === null) return
      isRenewing = true
      await end(worker)
    },
    async close() {
      isClosing = true
      clearInterval(reporting)
      if (timer !== null) clearTimeout(timer)
      if (worker !== null) await end(worker)
    },
  }
}

/** Tells of a thread’s messages, and of its end with what went wrong. */
function hear(thread: Worker, receive: (message: FromWorker) => void, ended: (problem: string) => void): void {
  let problem = ''
  thread.on('message', receive)
  thread.once('error', (error) => {
    problem = messageOf(error)
  })
  thread.once('exit', () => ended(problem))
}

/** @param tell told when there is a reader, and when there is none */
function addReader(readers: Set<Reader>, reader: Reader, tell: (on: boolean) => void): () => void {
  readers.add(reader)
  if (readers.size === 1) tell(true)
  return () => {
    readers.delete(reader)
    if (readers.size === 0) tell(false)
  }
}

const send = (to: Worker | null, message: ToWorker): void => to?.postMessage(message)

const tellMasks = async (to: Worker, number: number, masks: Masks): Promise<void> =>
  send(to, { kind: 'masks', number, list: await masks.current().catch(() => null) })

const settle = async (to: Worker, number: number, given: Promise<string | null>): Promise<void> =>
  send(to, { kind: 'settled', number, failure: await given })

/** Resolves when all have settled the transaction: to null, or to why one of them refused it. */
async function giveTo(readers: ReadonlySet<Reader>, transaction: ChangeTransaction): Promise<string | null> {
  const outcomes = await Promise.allSettled([...readers].map(async (reader) => reader(transaction)))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  return failed === undefined ? null : String(failed.reason)
}

function reportLoad(report: (utilization: number) => void): NodeJS.Timeout {
  const utilization = loopUtilization()
  return setInterval(() => report(utilization()), loadEveryMs).unref()
}

/** How busy the event loop was since the last call, from 0 to 1. */
function loopUtilization(): () => number {
  let measured = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, measured)
    measured = now
    return utilization
  }
}

async function end(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  send(worker, { kind: 'close' })
  const limit = setTimeout(() => void worker.terminate(), closeGraceMs)
  await ended
  clearTimeout(limit)
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
