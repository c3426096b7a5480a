import pg from 'pg'
import { type Login, openPool, parseLogin } from './connection/connections.ts'
import type { RequestPoolOptions } from './options.ts'
import type { Session, Sql } from './postgres.ts'
import { createSession } from './session/session.ts'
import { listen } from './sql/listen.ts'
import { createSql } from './sql/sql-pool.ts'
import { createTypeNames } from './wire/type-names.ts'

/** Reads the catalogues, and cancels statements whose client disconnected. */
const ownPoolSize = 2

/** A database that Clew changes nothing in, and the pool on it. */
export interface StandaloneOptions extends RequestPoolOptions {
  /** A connection string as libpq reads it. */
  readonly address: string
  readonly poolSize: number
  /** The connections' name where neither the address nor `PGAPPNAME` has one. */
  readonly applicationName: string
}

/** A database that Clew uses as it finds it and creates nothing in. */
export interface StandaloneDatabase {
  /** `host:port`; the socket's folder in place of the host where there is one. */
  readonly address: string
  readonly session: Session
  /** Statements as the role that logs in. */
  readonly sql: Sql
  /** LISTEN on a connection of its own, which reconnects until it is stopped. Resolves with the function that stops it. */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onConnect?: () => void,
    onLost?: (reason: string) => void,
  ): Promise<() => Promise<void>>
  /** Idle connections, and requests that wait for a connection. */
  gauges(): { readonly available: number; readonly waiting: number }
  close(): Promise<void>
}

/** Opens the pools; each connects with its first statement. */
export function connectStandalone(options: StandaloneOptions): StandaloneDatabase {
  const named = { fallback_application_name: options.applicationName }
  const login: Login = { ...parseLogin(options.address), ...named }
  // A standby does not support LISTEN.
  const listener: Login = { ...parseLogin(options.address, 'read-write'), ...named }
  const pools = { acquireTimeoutMs: options.acquireTimeoutMs }
  const { host, port } = new pg.Client(login)
  const own = openPool({ login, size: ownPoolSize, ...pools })
  const requests = openPool({
    login,
    size: options.poolSize,
    ...pools,
    idleTimeoutMs: options.idleTimeoutMs,
    maxLifetimeSeconds: options.maxLifetimeSeconds,
  })
  const session = createSession({
    pool: requests,
    typeNames: createTypeNames(own),
    cancel: async (processId) => {
      await own.query('select pg_catalog.pg_cancel_backend($1)', [processId])
    },
    processors: Number.POSITIVE_INFINITY,
    preparesStatements: options.preparesStatements,
    ...(options.statementsPerConnection === undefined
      ? {}
      : { statementsPerConnection: options.statementsPerConnection }),
  })
  return {
    address: `${host}:${port}`,
    sql: createSql(own, 'standalone', { preparesStatements: options.preparesStatements }),
    session,
    listen: (channel, onNotify, onConnect, onLost) =>
      listen(listener, channel, onNotify, onConnect, { patient: true, onLost }),
    gauges() {
      const { idle, waiting } = session.gauges()
      return { available: requests.idleCount + idle, waiting }
    },
    async close() {
      await requests.end()
      await own.end()
    },
  }
}
