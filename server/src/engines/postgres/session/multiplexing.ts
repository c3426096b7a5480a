import { processIdOf } from '../connection/connections.ts'
import type { ConnectionPool } from '../wire/connection-pool.ts'
import type { PipelinedBatch } from '../wire/pipelined-batch.ts'
import type { PooledConnection } from '../wire/pooled-connection.ts'

/** A connection with the batches of several quick calls, one behind another. */
export interface SharedConnection {
  readonly connection: PooledConnection
  /** Calls in flight on it. */
  calls: number
  /** Milliseconds that they are expected to take together. */
  expectedMs: number
  /** The batch that was at the head at the last check. */
  lastHead: PipelinedBatch | null
  /** Set when its head took too long and was cancelled. */
  cancelled: Promise<void> | null
}

/** Shares connections among quick calls. */
export interface Multiplexer {
  /**
   * A place behind a few other calls, or on an idle connection; null when the call should wait for a connection alone.
   *
   * @param knows whether a connection has prepared the call's statements: two calls that prepare one statement may not
   *              follow each other
   */
  acquire(expectedMs: number, knows: (connection: PooledConnection) => boolean): SharedConnection | null
  release(shared: SharedConnection, expectedMs: number): void
}

export interface MultiplexerOptions {
  /** Processors that the server runs on. */
  readonly processors: number
  /** Cancels what a connection is running. */
  readonly cancel: (processId: number) => Promise<void>
}

/** Up to this many calls, a call goes behind others rather than on an idle connection. */
const fewCalls = 4
/** No call waits behind others that are expected to take longer together. */
const maxQueuedMs = 2
/** A statement this short costs less behind another than beside it, even where a processor is free. */
const tinyMs = 0.25
/** A batch that is at the head at two checks is not quick: those behind it have waited long enough. */
const checkEveryMs = 100

/**
 * Shares a pool's connections among quick calls. Short statements cost the server less on few connections than on many:
 * its processes neither sleep between two statements nor wake each other, their caches stay warm, and no processor is
 * divided among processes that all wait for it.
 */
export function createMultiplexer(pool: ConnectionPool, { processors, cancel }: MultiplexerOptions): Multiplexer {
  const shared: SharedConnection[] = []
  let checking: NodeJS.Timeout | null = null

  const check = (): void => {
    for (const one of shared) {
      const { head } = one.connection.pipeline
      if (head !== null && head === one.lastHead)
        one.cancelled ??= cancel(processIdOf(one.connection.client)).catch(() => undefined)
      one.lastHead = head
    }
    if (shared.length > 0 || checking === null) return
    clearInterval(checking)
    checking = null
  }

  const open = (connection: PooledConnection): SharedConnection => {
    const one: SharedConnection = { connection, calls: 0, expectedMs: 0, lastHead: null, cancelled: null }
    shared.push(one)
    if (checking === null) {
      checking = setInterval(check, checkEveryMs)
      checking.unref()
    }
    return one
  }

  const close = (one: SharedConnection): void => {
    shared.splice(shared.indexOf(one), 1)
    // A cancel request may arrive late and would stop the next caller's statement.
    if (one.cancelled === null) pool.release(one.connection, one.connection.client.getTransactionStatus() !== 'I')
    else void one.cancelled.then(() => pool.release(one.connection, true))
  }

  const findRoom = (
    expectedMs: number,
    knows: (connection: PooledConnection) => boolean,
    maxCalls: number,
  ): SharedConnection | null => {
    for (const one of shared) {
      const hasRoom = one.calls < maxCalls && one.expectedMs + expectedMs <= maxQueuedMs && one.cancelled === null
      if (hasRoom && !pool.isExpired(one.connection) && knows(one.connection)) return one
    }
    return null
  }

  const openIdle = (): SharedConnection | null => {
    const connection = pool.acquireIdle()
    return connection === null ? null : open(connection)
  }

  return {
    acquire(expectedMs, knows) {
      const { waiting, busy } = pool.gauges()
      // A caller that waits for a connection alone would wait for ever if shared ones never became free.
      if (waiting > 0) return null
      const isAloneBetter = expectedMs > tinyMs && busy < processors
      // To wait behind quick calls takes less time than to open a connection.
      const one =
        (isAloneBetter ? null : findRoom(expectedMs, knows, fewCalls)) ??
        openIdle() ??
        findRoom(expectedMs, knows, Number.POSITIVE_INFINITY)
      if (one === null) return null
      one.calls += 1
      one.expectedMs += expectedMs
      return one
    },
    release(one, expectedMs) {
      one.calls -= 1
      one.expectedMs -= expectedMs
      if (one.calls === 0) close(one)
    },
  }
}
