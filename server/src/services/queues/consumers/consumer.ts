import { sqlStateOf } from '../../../engines/postgres/index.ts'
import type { ConsumerDeps, ConsumerOptions } from './options.ts'
import { type ClaimedMessage, claimMessagesStatement } from './store.ts'
import { createWakeUp } from './wake-up.ts'
import { createWork } from './work.ts'

/** One queue being worked on. */
export interface Consumer {
  running(): number
  /** Why messages wait; null while they do not. */
  failure(): string | null
  /** Takes no more messages; calls that do not end within `graceMs` are given up, and their messages come again. */
  close(graceMs: number): Promise<void>
}

/** A message stays hidden for longer than its call may take: it is never called twice at a time. */
const marginMs = 5_000
/** The queue, its schema or its functions are not there: the extension may be created later. */
const missing: ReadonlySet<string | null> = new Set(['42P01', '3F000', '42883'])

/** Calls a function with each message of a queue, oldest first, until it answers 2xx or its attempts are used up. */
export function createConsumer(options: ConsumerOptions, { owner, call, pollMs, log }: ConsumerDeps): Consumer {
  const { queue, concurrency, timeoutMs } = options
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  const wakeUp = createWakeUp()
  let closed = false
  let failure: string | null = null

  const failed = (error: unknown): void => {
    if (missing.has(sqlStateOf(error))) return
    if (failure === null) log.warn({ err: error, queue }, `queues: the messages of ${queue} wait`)
    failure = error instanceof Error ? error.message : String(error)
  }

  const work = createWork(options, { owner, call, log, stop: stop.signal })

  const begin = (message: ClaimedMessage): void => {
    // What could not be stored comes again when its time is over.
    const task = work(message)
      .catch(failed)
      .finally(() => {
        running.delete(task)
        wakeUp.now()
      })
    running.add(task)
  }

  const claim = async (limit: number): Promise<number> => {
    try {
      const hiddenSeconds = Math.ceil((timeoutMs + marginMs) / 1000)
      const { rows } = await owner.query<ClaimedMessage>(claimMessagesStatement(queue, hiddenSeconds, limit))
      failure = null
      for (const message of rows) begin(message)
      return rows.length
    } catch (error) {
      failed(error)
      return 0
    }
  }

  const run = async (): Promise<void> => {
    while (!closed) {
      const room = concurrency - running.size
      const taken = room === 0 ? 0 : await claim(room)
      // A full claim may have left more behind; a call that ends makes room.
      if (taken === 0 || running.size === concurrency) await wakeUp.after(pollMs)
    }
  }
  const loop = run()

  return {
    running: () => running.size,
    failure: () => failure,
    async close(graceMs) {
      closed = true
      wakeUp.now()
      await loop
      const grace = setTimeout(() => stop.abort(), graceMs)
      await Promise.all(running)
      clearTimeout(grace)
    },
  }
}
