import type pg from 'pg'
import { messageOf } from '../../ground/errors/message.ts'
import { countConnections } from './connection/connection-count.ts'
import { withClient } from './connection/connections.ts'
import { postgresError } from './errors.ts'
import type { EngineLog, OpenOptions } from './options.ts'
import type { Preparation } from './postgres.ts'
import { createMissingRoles, createServiceRolePolicies } from './server/limited-administrator.ts'
import type { Server } from './server/server.ts'
import { migrate } from './sql/migrate.ts'

const oldestVersion = 150_000

const own = { room: 'postgres', folder: new URL('./migrations/', import.meta.url) }
const extensions = { room: 'extensions', folder: new URL('./extensions/migrations/', import.meta.url) }

/** The migrations of the engine itself, by the room that the history names. */
export const engineMigrations: readonly { readonly room: string; readonly folder: URL }[] = [own, extensions]

/** Taken by what changes roles and rights; it ends with its transaction. */
export const startLock = `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('clew start', 0))`

/**
 * Processes that start at once would change roles and rights against each other (`tuple concurrently updated`). The lock is
 * a transaction's: behind a pooler, too, it stays with its connection.
 */
export const oneAtATime = <T>(admin: pg.Pool, body: () => Promise<T>): Promise<T> =>
  withClient(admin, async (client) => {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0')
    try {
      await client.query(startLock)
      return await body()
    } finally {
      await client.query('rollback')
    }
  })

/**
 * Makes a database what Clew expects: roles, schemas, extensions, and the rights on them.
 *
 * @throws POSTGRES_TOO_OLD, POSTGRES_ROLES_MISSING
 */
export async function prepareDatabase(server: Server, admin: pg.Pool, options: OpenOptions): Promise<Preparation> {
  const { log, ...sizes } = options
  const { version, role, superuser, connections } = await describe(admin)
  const needed = countConnections(sizes)
  if (server.pooled === undefined && needed > connections)
    log(
      `postgres: the pools may open ${needed} connections, and max_connections leaves ${connections}; lower pool_size`,
    )
  if (!superuser) await createMissingRoles(admin, log)
  await migrate(admin, own.room, own.folder, (migration, error) =>
    log(`postgres: ${role} may not apply ${migration} (${error.message}); tried again at the next start`),
  )
  if (server.kind === 'embedded') await migrate(admin, extensions.room, extensions.folder)
  await requireRoles(admin)
  await publishComputed(admin, log)
  await settleTables(admin, { superuser }, options)
  return { version, role, superuser, rights: await rightsOf(admin) }
}

/** Records the history of the API's tables, and lets service_role in, as after migrations of the application. */
export async function settleTables(
  admin: pg.Pool,
  { superuser }: Pick<Preparation, 'superuser'>,
  { exposedSchemas, log }: OpenOptions,
): Promise<void> {
  await followTables(admin, exposedSchemas, log)
  if (!superuser) await createServiceRolePolicies(admin, exposedSchemas)
}

interface ServerDescription {
  readonly version: number
  readonly role: string
  readonly superuser: boolean
  /** Those that roles without special rights may open. */
  readonly connections: number
}

async function describe(pool: pg.Pool): Promise<ServerDescription> {
  const { rows } = await pool.query<ServerDescription>(
    `select current_setting('server_version_num')::int as version, rolname as role, rolsuper as superuser,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections
     from pg_catalog.pg_roles
     where rolname = current_user`,
  )
  const [found] = rows
  if (found === undefined || found.version < oldestVersion)
    throw postgresError('POSTGRES_TOO_OLD', { details: String(found?.version) })
  return found
}

/**
 * Since 18 a table whose identity has a computed column takes no update while a publication leaves such columns out, and one that
 * was made on an earlier server does.
 */
async function publishComputed(pool: pg.Pool, log: EngineLog): Promise<void> {
  const statement = `do $$
    declare
      publication name;
    begin
      if pg_catalog.current_setting('server_version_num')::int < 180000 then return; end if;
      for publication in
        select p.pubname
        from pg_catalog.pg_publication p
        where p.pubname in ('clew', 'supabase_realtime') and pg_catalog.to_jsonb(p) ->> 'pubgencols' = 'n'
      loop
        execute pg_catalog.format('alter publication %I set (publish_generated_columns = stored)', publication);
      end loop;
    end
  $$`
  await pool.query(statement).catch((error: unknown) => {
    log(`postgres: computed columns are not published (${messageOf(error)}); start once with a superuser`)
  })
}

/** Publishes the tables of the exposed schemas, of `auth` and of `storage` to the change stream. */
async function followTables(pool: pg.Pool, exposedSchemas: readonly string[], log: EngineLog): Promise<void> {
  const schemas = [...new Set([...exposedSchemas, 'auth', 'storage'])]
  await pool.query('select clew.follow_tables($1)', [schemas]).catch((error: unknown) => {
    const reason = messageOf(error)
    log(`postgres: row changes are not followed (${reason}); start once with a superuser`)
  })
}

async function rightsOf(pool: pg.Pool): Promise<Preparation['rights']> {
  const { rows } = await pool.query<Preparation['rights']>(
    `select to_regproc('clew.guard_ddl') is not null as guard,
       to_regproc('clew_owner.create_event_trigger') is not null as statements`,
  )
  return rows[0] ?? { guard: false, statements: false }
}

async function requireRoles(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select name
     from unnest(array['anon', 'authenticated', 'service_role']) as name
     where not exists (select from pg_catalog.pg_roles where rolname = name)
     order by name`,
  )
  if (rows.length > 0)
    throw postgresError('POSTGRES_ROLES_MISSING', { details: rows.map((row) => row.name).join(', ') })
}
