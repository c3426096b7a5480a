import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { postgresError } from '../errors.ts'
import { type ConnectionString, parseConnectionString } from './connection-string.ts'
import { clientClass, type Login } from './multi-host.ts'

export type { Login } from './multi-host.ts'

/**
 * Reads a connection string as a login.
 *
 * @param targetSession which of several hosts is used where the string leaves it out
 * @throws POSTGRES_UNREACHABLE for a string that cannot be read
 */
export function parseLogin(text: string, targetSession: ConnectionString['targetSession'] = 'any'): Login {
  // `pg` reads the environment by itself, except a list of hosts.
  const { address, hosts, targetSession: configured } = parseConnectionString(text, process.env)
  const chosen = hosts.length > 1 && configured === 'any' ? targetSession : configured
  return { connectionString: address, keepAlive: true, hosts, targetSession: chosen }
}

export interface PoolOptions {
  readonly login: Login
  readonly size: number
  readonly acquireTimeoutMs: number
  /** After so long a statement fails here, whatever the server does; never where it is left out. */
  readonly queryTimeoutMs?: number
  /** That of the login where it is left out. */
  readonly applicationName?: string
  /** Sent once to each new connection. */
  readonly greeting?: string
  /** How long an idle connection stays open; 0 for ever, 30 s where it is left out. */
  readonly idleTimeoutMs?: number
  /** After which a connection is replaced; 0, and where it is left out, for never. */
  readonly maxLifetimeSeconds?: number
}

const defaultIdleTimeoutMs = 30_000

/** Opens a bounded pool, which connects when needed and closes idle connections. The caller ends it. */
export function openPool(options: PoolOptions): pg.Pool {
  const { greeting } = options
  const pool = new pg.Pool({
    ...options.login,
    // The pool gives its own options, which are those of the login, and more.
    Client: clientClass(options.login),
    max: options.size,
    idleTimeoutMillis: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
    maxLifetimeSeconds: options.maxLifetimeSeconds ?? 0,
    connectionTimeoutMillis: options.acquireTimeoutMs,
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
    ...(options.applicationName === undefined ? {} : { application_name: options.applicationName }),
    ...(greeting === undefined
      ? {}
      : { onConnect: (client: pg.ClientBase) => client.query(greeting).then(() => undefined) }),
  })
  // A broken idle connection leaves the pool by itself; a broken one in use fails its statement.
  pool.on('error', () => undefined)
  // The pool stops listening before the caller can begin to: a connection that ends in between must not end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Runs `body` with a connection of the pool. A connection that breaks, or that `body` discards, is closed afterwards.
 *
 * @throws POSTGRES_POOL_TIMEOUT when none becomes free in time
 */
export async function withClient<T>(
  pool: pg.Pool,
  body: (client: pg.PoolClient, discard: () => void) => Promise<T>,
): Promise<T> {
  const client = await acquire(pool)
  let discarded = false
  const discard = () => {
    discarded = true
  }
  // The statement that was running fails with the error as well; without a listener the event would end the process.
  client.on('error', discard)
  try {
    return await body(client, discard)
  } finally {
    client.off('error', discard)
    client.release(discarded)
  }
}

/** For how long a password that is refused is asked for again: another process may be replacing it. */
const refusedTries = 10
const refusedPauseMs = 100

/** Takes a connection of the pool, which the caller releases. @throws POSTGRES_POOL_TIMEOUT, POSTGRES_UNREACHABLE */
export async function acquire(pool: pg.Pool, triesLeft = refusedTries): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    if (triesLeft > 0 && 'secret' in pool.options && isPasswordRefused(error)) {
      await delay(refusedPauseMs)
      return acquire(pool, triesLeft - 1)
    }
    const text = error instanceof Error ? error.message : ''
    if (/^(timeout exceeded|Connection terminated due to connection timeout)/.test(text))
      throw postgresError('POSTGRES_POOL_TIMEOUT', { cause: error })
    // An error of the connection attempt, such as too many connections, is not that of a statement.
    throw postgresError('POSTGRES_UNREACHABLE', { details: text, cause: error })
  }
}

const isPasswordRefused = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '28P01'

/** Whether a connection still takes statements: it may end before its caller receives it. */
export const isOpen = (client: pg.ClientBase): boolean =>
  // `pg` keeps it; its types leave it out.
  (client as unknown as { readonly _queryable: boolean })._queryable

/** The number of the server's process. `pg` keeps it; its types leave it out. */
export const processIdOf = (client: pg.ClientBase): number =>
  (client as unknown as { readonly processID: number }).processID

/** Opens one connection, e.g. for LISTEN. Its loss fails the statement that runs, and emits `end`. */
export async function openClient(login: Login, applicationName: string): Promise<pg.Client> {
  // A login with a fallback name keeps that.
  const isNamed = login.fallback_application_name !== undefined
  const client = new (clientClass(login))(isNamed ? login : { ...login, application_name: applicationName })
  // From here on, not from when the caller receives it: it may end in between.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
