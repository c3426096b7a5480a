import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's queues. */
export const queuesError = catalogue({
  CLEW_QUEUES_NOT_FOUND: {
    status: 404,
    message: 'There is no such queue.',
    hint: 'It may have been dropped: reload the list.',
  },
  CLEW_QUEUES_MESSAGE_NOT_FOUND: {
    status: 404,
    message: 'There is no such message in the queue.',
    hint: 'It may have been read and deleted, or archived: reload the list.',
  },
  CLEW_QUEUES_NO_DEAD_LETTER: {
    status: 409,
    message: 'This message is no dead letter, or is gone.',
    hint: 'Only what failed in another queue is sent back to it: reload the list.',
  },
  CLEW_QUEUES_REFUSED: {
    status: 400,
    message: 'PostgreSQL refused the change.',
    hint: 'A message is JSON; the console acts as `postgres`.',
  },
})
