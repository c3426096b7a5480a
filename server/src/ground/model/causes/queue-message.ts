/** A message of a queue. Numbers start again when a queue is created anew; with its time a message is one. */
export interface QueueMessage {
  readonly queue: string
  readonly id: string
  /** Unix milliseconds. */
  readonly enqueuedAtMs: number
}

/** The id by which requests name the message that led to them. */
export const queueMessageId = ({ queue, id, enqueuedAtMs }: QueueMessage): string =>
  `message:${queue}:${id}:${enqueuedAtMs}`
