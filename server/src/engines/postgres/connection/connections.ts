import pg from 'pg'
import { postgresError } from '../errors.ts'
import { type ConnectionString, readConnectionString } from './connection-string.ts'
import { clientClass, type Login } from './multi-host.ts'

export type { Login } from './multi-host.ts'

/**
 * The login that a connection string says.
 *
 * @param wants what one of several servers must be, where the string does not say
 * @throws POSTGRES_UNREACHABLE for one that cannot be
 */
export function loginBy(text: string, wants: ConnectionString['wants'] = 'any'): Login {
  // `pg` reads the same of the environment by itself, except the names of several servers.
  const read = readConnectionString(text, process.env)
  const wanted = read.places.length > 1 && read.wants === 'any' ? wants : read.wants
  return { connectionString: read.address, keepAlive: true, places: read.places, wants: wanted }
}

/** Opens pools and single connections; who makes one closes it. */
export interface PoolOptions {
  readonly login: Login
  readonly size: number
  readonly acquireTimeoutMs: number
  /** Left to the login where nothing is said. */
  readonly applicationName?: string
  /** Sent once to each new connection. */
  readonly greeting?: string
  /** How long a connection that nobody uses stays; 0 for ever, 30 s where nothing is said. */
  readonly idleTimeoutMs?: number
  /** After which a connection is replaced; 0 for never, as where nothing is said. */
  readonly maxLifetimeSeconds?: number
}

const defaultIdleTimeoutMs = 30_000

/** A bounded pool; connections are made when needed and closed when idle. */
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
    ...(options.applicationName === undefined ? {} : { application_name: options.applicationName }),
    ...(greeting === undefined
      ? {}
      : { onConnect: (client: pg.ClientBase) => client.query(greeting).then(() => undefined) }),
  })
  // An idle connection that breaks leaves the pool by itself; whoever uses one sees the error there.
  pool.on('error', () => undefined)
  // The pool stops listening before whoever asked for a connection can begin to: one that ends in between, as it is
  // being made, must not end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Gives `body` a connection of the pool and takes it back; one that broke, or that `body` discards, is closed.
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
  // The statement that was running is told as well; without a listener the event would end the process.
  client.on('error', discard)
  try {
    return await body(client, discard)
  } finally {
    client.off('error', discard)
    client.release(discarded)
  }
}

/** A connection of the pool, to be released. @throws POSTGRES_POOL_TIMEOUT, POSTGRES_UNREACHABLE */
export async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    if (/^(timeout exceeded|Connection terminated due to connection timeout)/.test(text))
      throw postgresError('POSTGRES_POOL_TIMEOUT', { cause: error })
    // The server's own refusal of the connection, too many of them for one, is not that of a statement.
    throw postgresError('POSTGRES_UNREACHABLE', { details: text, cause: error })
  }
}

/** Whether a connection still takes statements: one may end before whoever asked for it has it. */
export const isOpen = (client: pg.ClientBase): boolean =>
  // `pg` keeps it; its types leave it out.
  (client as unknown as { readonly _queryable: boolean })._queryable

/** One connection of its own, e.g. for LISTEN; that it broke is told to the statement that runs, and by `end`. */
export async function openClient(login: Login, applicationName: string): Promise<pg.Client> {
  // A login that has a name for want of another keeps it.
  const isNamed = login.fallback_application_name !== undefined
  const client = new (clientClass(login))(isNamed ? login : { ...login, application_name: applicationName })
  // From here on, not from when the caller has it: it may end in between.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
