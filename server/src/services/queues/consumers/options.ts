import type { Sql } from '../../../engines/postgres/index.ts'

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
