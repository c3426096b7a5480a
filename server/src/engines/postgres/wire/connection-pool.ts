import type pg from 'pg'
import { acquire, isOpen } from '../connection/connections.ts'
import { postgresError } from '../errors.ts'
import { Pipeline } from './pipeline.ts'
import { onParameterDescription, PreparedStatements } from './prepared-statements.ts'

/** A connection of the pool, with what it carries from one batch to the next. */
export interface PooledConnection {
  readonly client: pg.PoolClient
  readonly prepared: PreparedStatements
  readonly pipeline: Pipeline
  /** The connection was lost, or its session cannot be trusted. */
  broken: boolean
  /** Number of refreshes before it was opened. */
  readonly generation: number
}

/** Connections for one caller at a time, in the order of asking. */
export interface ConnectionPool {
  /** A connection for this caller alone, at once where one is idle. @throws POSTGRES_POOL_TIMEOUT */
  acquire(): PooledConnection | Promise<PooledConnection>
  /** An idle connection; null when there is none. */
  acquireIdle(): PooledConnection | null
  /** Hands a connection to the caller that waits longest, or keeps it idle. A discarded or expired one is closed. */
  release(connection: PooledConnection, discard: boolean): void
  /** Replaces every connection by a new one, those in use when they are released. */
  refresh(): void
  /** Whether the connection is broken or older than the last refresh. */
  isExpired(connection: PooledConnection): boolean
  /** Connections in use, idle connections, and callers that wait. */
  gauges(): { readonly busy: number; readonly idle: number; readonly waiting: number }
}

interface Waiter {
  readonly resolve: (connection: PooledConnection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** An idle connection stays here this long before `pg`'s pool has it back: each way through that pool costs timers and a turn of the loop. */
const idleMs = 100

/**
 * Hands out the connections of a `pg` pool, which no other code may use.
 *
 * @param preparesStatements whether connections keep prepared statements
 */
export function createConnectionPool(pool: pg.Pool, preparesStatements = true): ConnectionPool {
  const { max, connectionTimeoutMillis: timeoutMs = 0 } = pool.options
  const known = new WeakMap<pg.PoolClient, PooledConnection>()
  const waiting: Waiter[] = []
  /** The least recently used stand first. */
  const idle: PooledConnection[] = []
  /** How many of `idle`, from the first, were idle at the last sweep already. */
  let idleAtLastSweep = 0
  let acquired = 0
  let generation = 0
  let sweeping: NodeJS.Timeout | null = null

  const connectionOf = (client: pg.PoolClient): PooledConnection => {
    const before = known.get(client)
    if (before !== undefined) return before
    const prepared = new PreparedStatements(preparesStatements)
    const pipeline = new Pipeline(client)
    const connection: PooledConnection = { client, prepared, pipeline, broken: !isOpen(client), generation }
    onParameterDescription(client.connection, (typeIds) => pipeline.handleParameterDescription(typeIds))
    // The statement that was running fails with the error as well.
    client.on('error', () => {
      connection.broken = true
    })
    known.set(client, connection)
    return connection
  }

  const isExpired = (connection: PooledConnection): boolean => connection.broken || connection.generation !== generation

  const open = async (): Promise<PooledConnection> => {
    acquired += 1
    try {
      for (;;) {
        const connection = connectionOf(await acquire(pool))
        if (!isExpired(connection)) return connection
        connection.client.release(true)
      }
    } catch (error) {
      acquired -= 1
      throw error
    }
  }

  const giveBack = (connection: PooledConnection, discard: boolean): void => {
    acquired -= 1
    connection.client.release(discard)
  }

  const sweep = (): void => {
    for (const connection of idle.splice(0, idleAtLastSweep)) giveBack(connection, isExpired(connection))
    idleAtLastSweep = idle.length
    if (idle.length > 0 || sweeping === null) return
    clearInterval(sweeping)
    sweeping = null
  }

  const wait = (): Promise<PooledConnection> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(postgresError('POSTGRES_POOL_TIMEOUT'))
      }, timeoutMs)
      const waiter: Waiter = { resolve, reject, timer }
      waiting.push(waiter)
    })

  const nextWaiter = (): Waiter | undefined => {
    const waiter = waiting.shift()
    if (waiter !== undefined) clearTimeout(waiter.timer)
    return waiter
  }

  const acquireIdle = (): PooledConnection | null => {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      idleAtLastSweep = Math.min(idleAtLastSweep, idle.length)
      if (!isExpired(connection)) return connection
      giveBack(connection, true)
    }
    return null
  }

  return {
    acquire: () => acquireIdle() ?? (acquired < max ? open() : wait()),
    acquireIdle,
    isExpired,
    release(connection, discard) {
      if (!discard && !isExpired(connection) && !pool.ending) {
        const waiter = nextWaiter()
        if (waiter !== undefined) {
          waiter.resolve(connection)
          return
        }
        idle.push(connection)
        sweeping ??= setInterval(sweep, idleMs)
        return
      }
      giveBack(connection, discard || isExpired(connection))
      const waiter = nextWaiter()
      if (waiter !== undefined) open().then(waiter.resolve, waiter.reject)
    },
    refresh() {
      generation += 1
      for (const connection of idle.splice(0)) giveBack(connection, true)
      idleAtLastSweep = 0
    },
    gauges: () => ({ busy: acquired - idle.length, idle: idle.length, waiting: waiting.length }),
  }
}
