import pg from 'pg'
import { type Login, loginBy, openPool } from './connection/connections.ts'
import type { RequestPoolOptions } from './options.ts'
import type { Session, Sql } from './postgres.ts'
import { createSession } from './session/session.ts'
import { listen } from './sql/listen.ts'
import { createSql } from './sql/sql-pool.ts'
import { createTypeNames } from './wire/type-names.ts'

/** For the catalogues, and for stopping what nobody waits for. */
const ownPoolSize = 2

export interface GuestOptions extends RequestPoolOptions {
  /** A connection string as libpq reads it. */
  readonly address: string
  readonly poolSize: number
  /** The connections' name where neither the address nor `PGAPPNAME` has one. */
  readonly applicationName: string
}

/** A database that somebody else keeps: nothing of ours is made in it. */
export interface Guest {
  /** Host, or folder of the socket, and port. */
  readonly place: string
  readonly session: Session
  /** Statements as the role that logs in. */
  readonly sql: Sql
  /** LISTEN on a connection of its own, for as long as it takes. */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onConnect?: () => void,
    onLost?: (reason: string) => void,
  ): Promise<() => Promise<void>>
  /** Connections that nobody uses, and requests that wait for one. */
  gauges(): { readonly available: number; readonly waiting: number }
  close(): Promise<void>
}

/** Makes the pools; nothing is connected before it is needed. */
export function visitPostgres(options: GuestOptions): Guest {
  const named = { fallback_application_name: options.applicationName }
  const login: Login = { ...loginBy(options.address), ...named }
  // A server that stands by knows no LISTEN.
  const listener: Login = { ...loginBy(options.address, 'read-write'), ...named }
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
    keepsStatements: options.keepsStatements,
  })
  return {
    place: `${host}:${port}`,
    sql: createSql(own, 'guest', { keepsStatements: options.keepsStatements }),
    session,
    listen: (channel, onNotify, onConnect, onLost) =>
      listen(listener, channel, onNotify, onConnect, { patient: true, onLost }),
    gauges() {
      const { resting, waiting } = session.gauges()
      return { available: requests.idleCount + resting, waiting }
    },
    async close() {
      await requests.end()
      await own.end()
    },
  }
}
