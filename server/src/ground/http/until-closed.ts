import type { ServerResponse } from 'node:http'

/** Aborted once an answer has ended, however it did; from the beginning where its reader has left already. */
export function untilClosed(answer: Pick<ServerResponse, 'closed' | 'once'>): AbortSignal {
  const ended = new AbortController()
  if (answer.closed) ended.abort()
  else answer.once('close', () => ended.abort())
  return ended.signal
}
