/** Transactions, or parts of them, with so many rows belong to a backlog. */
const backlogRows = 1000
/** Of the time that reading a part took, where requests keep the main thread's event loop fully busy. */
const share = 2
const longestMs = 1000

/**
 * Milliseconds for which the change stream stands still after a part of a backlog. PostgreSQL's decoding and ClickHouse's
 * inserts take cores from requests, whatever the priority of the thread that reads the stream: so a backlog drains at a
 * third of its speed while the server is fully busy, and at full speed while it is idle.
 *
 * @param busyMs how long reading this part took
 * @param utilization of the main thread's event loop, from 0 to 1
 */
export function pauseAfter(rows: number, busyMs: number, utilization: number): number {
  if (rows < backlogRows) return 0
  return Math.min(busyMs * utilization * share, longestMs)
}
