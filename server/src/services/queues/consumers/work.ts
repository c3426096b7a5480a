import { queueMessageId } from '../../../ground/model/causes/queue-message.ts'
import { backoffMs } from '../../../ground/retry/backoff.ts'
import { storableText } from '../../../ground/text/storable.ts'
import type { ConsumerDeps, ConsumerOptions } from './options.ts'
import {
  archiveStatement,
  buryStatement,
  type ClaimedMessage,
  createDeadQueueStatement,
  giveBackStatement,
  showAgainStatement,
} from './store.ts'

interface WorkDeps extends Pick<ConsumerDeps, 'owner' | 'call' | 'log'> {
  /** Aborted when the work is to be given up: its messages come again at once. */
  readonly stop: AbortSignal
}

const errorChars = 500

/** Calls the function with one message, and stores what becomes of it: done, later again, or a dead letter. */
export function createWork(
  options: ConsumerOptions,
  { owner, call, log, stop }: WorkDeps,
): (message: ClaimedMessage) => Promise<void> {
  const { queue, functionName, attempts, timeoutMs } = options

  const bury = async (id: string, error: string): Promise<void> => {
    await owner.query(createDeadQueueStatement(queue))
    await owner.query(buryStatement(queue, id, error))
    log.warn(
      { queue, function: functionName, message: id },
      `queues: message ${id} of ${queue} is a dead letter: ${error}`,
    )
  }

  return async ({ id, reads, enqueuedAtMs, body }: ClaimedMessage): Promise<void> => {
    if (reads > attempts) return bury(id, 'The process ended while the message was being worked on.')
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
    const { status, text } = await call({
      functionName,
      body,
      causeId: queueMessageId({ queue, id, enqueuedAtMs }),
      signal,
    })
    if (status !== null && status >= 200 && status < 300) await owner.query(archiveStatement(queue, id))
    else if (stop.aborted) await owner.query(giveBackStatement(queue, id))
    else if (reads < attempts) await owner.query(showAgainStatement(queue, id, backoffMs(reads, options.backoffMs)))
    else await bury(id, storableText(status === null ? text : `${status} ${text}`, errorChars))
  }
}
