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

/** The message of an id; null for another id, as a request's. */
export function parseQueueMessageId(causeId: string): QueueMessage | null {
  const [, queue, id, enqueuedAtMs] = /^message:(.+):(\d{1,19}):(\d{1,15})$/.exec(causeId) ?? []
  if (queue === undefined || id === undefined) return null
  return { queue, id, enqueuedAtMs: Number(enqueuedAtMs) }
}
