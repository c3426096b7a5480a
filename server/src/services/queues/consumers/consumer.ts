import { type Sql, sqlStateOf } from '../../../engines/postgres/index.ts'
import { queueMessageId } from '../../../ground/model/queue-message.ts'
import { backoffMs } from '../../../ground/retry/backoff.ts'
import {
  archiveStatement,
  buryStatement,
  type ClaimedMessage,
  claimMessagesStatement,
  createDeadQueueStatement,
  showAgainStatement,
} from './store.ts'
import { createWakeUp } from './wake-up.ts'

/** A function that is called with each message of a queue (functions §9). */
export interface ConsumerOptions {
  readonly queue: string
  readonly functionName: string
  /** In all, the first included; then a message is a dead letter. */
  readonly attempts: number
  /** Before the second attempt. */
  readonly backoffMs: number
  /** Calls at a time; one keeps the order of the messages. */
  readonly concurrency: number
  readonly timeoutMs: number
}

/** A call of a function for a message. */
export interface MessageCall {
  readonly functionName: string
  readonly body: string
  readonly causeId: string
  readonly signal: AbortSignal
}

/** What a call came to: `status` of an answer with the beginning of its text, null where there was none. */
export interface CallOutcome {
  readonly status: number | null
  readonly text: string
}

export interface ConsumerDeps {
  /** Acts as the owner, whose queues they are. */
  readonly owner: Sql
  /** Calls the function; it never rejects. */
  readonly call: (call: MessageCall) => Promise<CallOutcome>
  /** How often is looked for messages. */
  readonly pollMs: number
  readonly log: { warn(details: object, message: string): void }
}

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
const errorChars = 500
/** The queue, its schema or its functions are not there: the extension may be created later. */
const missing: ReadonlySet<string | null> = new Set(['42P01', '3F000', '42883'])

/** Calls a function with each message of a queue, oldest first, until it answers 2xx or its attempts are used up. */
export function createConsumer(options: ConsumerOptions, { owner, call, pollMs, log }: ConsumerDeps): Consumer {
  const { queue, functionName, attempts, concurrency, timeoutMs } = options
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

  const bury = async (id: string, error: string): Promise<void> => {
    await owner.query(createDeadQueueStatement(queue))
    await owner.query(buryStatement(queue, id, error))
    log.warn(
      { queue, function: functionName, message: id },
      `queues: message ${id} of ${queue} is a dead letter: ${error}`,
    )
  }

  const work = async ({ id, reads, enqueuedAtMs, body }: ClaimedMessage): Promise<void> => {
    if (reads > attempts) return bury(id, 'The process ended while the message was being worked on.')
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)])
    const { status, text } = await call({
      functionName,
      body,
      causeId: queueMessageId({ queue, id, enqueuedAtMs }),
      signal,
    })
    if (status !== null && status >= 200 && status < 300) await owner.query(archiveStatement(queue, id))
    else if (stop.signal.aborted) await owner.query(showAgainStatement(queue, id, 0))
    else if (reads < attempts) await owner.query(showAgainStatement(queue, id, backoffMs(reads, options.backoffMs)))
    else await bury(id, (status === null ? text : `${status} ${text}`).slice(0, errorChars))
  }

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
