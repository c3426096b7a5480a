import type pg from 'pg'
import { messageOf } from '../../ground/errors/message.ts'
import { openClient, openPool, parseLogin, processIdOf } from './connection/connections.ts'
import { postgresError } from './errors.ts'
import type { Sql } from './postgres.ts'
import { owner } from './server/roles.ts'
import { openingOf, ownersGreeting, ownersPath, type RoleLogin } from './server/server.ts'
import { asOwner } from './sql/owner-statements.ts'
import { createSql } from './sql/sql-pool.ts'

/** A database as the owner of its application sees it, opened by its address. */
export interface OwnerDatabase {
  readonly sql: Sql
  /** Statements as the role that logs in, which may have more rights. */
  readonly login: Sql
  /** A pool of plain connections of the owner's, for libraries that want one. */
  readonly pool: pg.Pool
  /** `server_version_num`, e.g. 180004. */
  readonly version: number
  close(): Promise<void>
}

/** A transaction takes one, what is asked beside it another. */
const poolSize = 2
const acquireTimeoutMs = 10_000

interface Facts {
  readonly role: string
  readonly superuser: boolean
  /** Whether the application's objects belong to the role `postgres`, which this login may become. */
  readonly steps_down: boolean
  /** Whether the owner's statements have Clew's functions for what is left to superusers. */
  readonly statements: boolean
  readonly process: number
  readonly version: number
}

const factsQuery = `
  select current_user::text as role, r.rolsuper as superuser,
    current_user <> '${owner}' and exists (
      select from pg_catalog.pg_roles o
      where o.rolname = '${owner}' and pg_catalog.pg_has_role(o.oid, 'member')
        and exists (select from pg_catalog.pg_roles a where a.rolname = 'authenticator')
    ) as steps_down,
    pg_catalog.to_regproc('clew_owner.create_event_trigger') is not null as statements,
    pg_catalog.pg_backend_pid() as process,
    pg_catalog.current_setting('server_version_num')::int as version
  from pg_catalog.pg_roles r
  where r.rolname = current_user`

/**
 * Opens a database by its address as the owner of its application: the role `postgres` where the database is set up for
 * an API, the login otherwise. Its search path is the owner's.
 *
 * @param address         a connection string as libpq reads it
 * @param applicationName the connections' name in `pg_stat_activity`
 * @throws POSTGRES_UNREACHABLE
 */
export async function connectOwner(address: string, applicationName: string): Promise<OwnerDatabase> {
  const login = parseLogin(address, 'read-write')
  const client = await openClient(login, applicationName).catch((cause: unknown) => {
    throw postgresError('POSTGRES_UNREACHABLE', { details: messageOf(cause), cause })
  })
  const { rows } = await client.query<Facts>(factsQuery).finally(() => client.end())
  const [facts] = rows
  if (facts === undefined) throw postgresError('POSTGRES_UNREACHABLE')
  const isPooled = processIdOf(client) !== facts.process
  const role: RoleLogin = { login, become: facts.steps_down ? owner : null, superuser: facts.superuser }
  const greeting = ownersGreeting(role)
  const pool = openPool({
    login,
    size: poolSize,
    acquireTimeoutMs,
    applicationName,
    ...(isPooled ? {} : { greeting }),
  })
  const sql = createSql(pool, facts.role, {
    ...(isPooled ? { opening: openingOf(role, ownersPath) } : { restore: ['discard all', greeting] }),
    preparesStatements: false,
  })
  const loginPool = role.become === null ? pool : openPool({ login, size: 1, acquireTimeoutMs, applicationName })
  return {
    login: role.become === null ? sql : createSql(loginPool, facts.role, { preparesStatements: false }),
    sql: facts.statements && (facts.steps_down || !facts.superuser) ? asOwner(sql) : sql,
    pool,
    version: facts.version,
    async close() {
      await pool.end()
      if (loginPool !== pool) await loginPool.end()
    },
  }
}
