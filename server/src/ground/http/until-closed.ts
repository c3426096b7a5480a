/** What of a `ServerResponse` of Node tells that it has ended. */
interface Answer {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Aborted once an answer has ended, however it did; from the beginning where its reader has left already. */
export function untilClosed(answer: Answer): AbortSignal {
  const ended = new AbortController()
  if (answer.closed) ended.abort()
  else answer.once('close', () => ended.abort())
  return ended.signal
}
