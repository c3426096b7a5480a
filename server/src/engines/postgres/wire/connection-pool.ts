import type pg from 'pg'
import { acquire } from '../connection/connections.ts'
import { createIdleConnections } from './idle-connections.ts'
import { createPooledConnections, type PooledConnection } from './pooled-connection.ts'
import { createWaitingCallers } from './waiting-callers.ts'

/** Connections for one caller at a time, in the order of asking. */
export interface ConnectionPool {
  /** A connection for this caller alone, at once where one is idle. @throws POSTGRES_POOL_TIMEOUT */
  acquire(): PooledConnection | Promise<PooledConnection>
  /** An idle connection; null when there is none. */
  acquireIdle(): PooledConnection | null
  /** Hands a connection to the caller that waits longest, or makes it idle. A discarded or expired one is closed. */
  release(connection: PooledConnection, discard: boolean): void
  /** Replaces every connection by a new one, those in use when they are released. */
  refresh(): void
  /** Whether the connection is broken or older than the last refresh. */
  isExpired(connection: PooledConnection): boolean
  /** Connections in use, idle connections, and callers that wait. */
  gauges(): { readonly busy: number; readonly idle: number; readonly waiting: number }
}

/**
 * Hands out the connections of a `pg` pool, which no other code may use.
 *
 * @param statementsPerConnection prepared statements that a connection keeps; 0 for none
 */
export function createConnectionPool(pool: pg.Pool, statementsPerConnection?: number): ConnectionPool {
  const { max, connectionTimeoutMillis: timeoutMs = 0 } = pool.options
  const connectionOf = createPooledConnections(statementsPerConnection)
  const waiting = createWaitingCallers(timeoutMs)
  const idle = createIdleConnections((connection) => giveBack(connection, isExpired(connection)))
  let acquired = 0
  let generation = 0

  const isExpired = (connection: PooledConnection): boolean => connection.broken || connection.generation !== generation

  const giveBack = (connection: PooledConnection, discard: boolean): void => {
    acquired -= 1
    connection.client.release(discard)
  }

  const open = async (): Promise<PooledConnection> => {
    acquired += 1
    try {
      for (;;) {
        const connection = connectionOf(await acquire(pool), generation)
        if (!isExpired(connection)) return connection
        connection.client.release(true)
      }
    } catch (error) {
      acquired -= 1
      throw error
    }
  }

  const acquireIdle = (): PooledConnection | null => {
    for (let connection = idle.take(); connection !== null; connection = idle.take()) {
      if (!isExpired(connection)) return connection
      giveBack(connection, true)
    }
    return null
  }

  return {
    acquire: () => acquireIdle() ?? (acquired < max ? open() : waiting.wait()),
    acquireIdle,
    isExpired,
    release(connection, discard) {
      if (discard || pool.ending || isExpired(connection)) {
        giveBack(connection, discard || isExpired(connection))
        const caller = waiting.next()
        if (caller !== undefined) open().then(caller.resolve, caller.reject)
        return
      }
      const caller = waiting.next()
      if (caller !== undefined) caller.resolve(connection)
      else idle.add(connection)
    },
    refresh() {
      generation += 1
      for (const connection of idle.takeAll()) giveBack(connection, true)
    },
    gauges: () => ({ busy: acquired - idle.count, idle: idle.count, waiting: waiting.count }),
  }
}
