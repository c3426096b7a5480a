import { availableParallelism } from 'node:os'
import pg from 'pg'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import { createChanges } from './changes/changes.ts'
import { type Login, openPool } from './connection/connections.ts'
import { withSessionParameters } from './connection/session-parameters.ts'
import { postgresError } from './errors.ts'
import type { EmbeddedOptions, EngineLog, PostgresOptions, RequestPoolOptions } from './options.ts'
import type { Postgres } from './postgres.ts'
import { reachExternal } from './server/external.ts'
import { createMissingRoles, createServiceRolePolicies } from './server/limited-administrator.ts'
import { authAdmin, authenticator, owner } from './server/roles.ts'
import {
  greetingOf,
  openingOf,
  ownersGreeting,
  ownersPath,
  type RoleLogin,
  type Server,
  socketLogins,
} from './server/server.ts'
import { superviseEmbedded } from './server/supervise.ts'
import { createSession } from './session/session.ts'
import { listen } from './sql/listen.ts'
import { migrate } from './sql/migrate.ts'
import { asOwner, forOwner } from './sql/owner-statements.ts'
import { createReader } from './sql/reader.ts'
import { runScript } from './sql/script.ts'
import { createSql } from './sql/sql-pool.ts'
import { createTypeNames } from './wire/type-names.ts'

/** What Clew's own statements need beside the requests'. */
const adminPoolSize = 6
const asidePoolSize = 2
const ownerPoolSize = 2
const readerPoolSize = 2
const authenticatorPoolSize = 1
const acquireTimeoutMs = 10_000
const oldestVersion = 150_000
const healthLimitMs = 2_000

/**
 * Starts or reaches PostgreSQL and makes it what an application expects: roles, schemas, extensions.
 *
 * @throws the POSTGRES_… errors of a start; see `errors.ts`
 */
export async function createPostgres(options: PostgresOptions): Promise<Postgres> {
  const server = options.kind === 'embedded' ? await embeddedServer(options) : await reachExternal(options)
  try {
    return await openPostgres(server, options)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function embeddedServer(options: EmbeddedOptions): Promise<Server> {
  const running = await superviseEmbedded(options)
  const logins = socketLogins(running, owner)
  const password = encodeURIComponent(options.password)
  return {
    kind: 'embedded',
    ...logins,
    async owner(admin) {
      // Only the TCP port asks for it. A role's statement takes no parameters.
      if (options.port !== null) await admin.query(`alter role ${owner} password ${pg.escapeLiteral(options.password)}`)
      return logins.owner(admin)
    },
    url: options.port === null ? null : `postgresql://${owner}:${password}@127.0.0.1:${options.port}/${owner}`,
    pid: running.pid,
    down: running.down,
    stop: running.stop,
  }
}

/** What holds for a server of either kind. */
export interface OpenOptions {
  readonly exposedSchemas: readonly string[]
  readonly poolSize: number
  readonly requests?: RequestPoolOptions
  readonly log: EngineLog
}

/** Prepares one database of a server and opens the pools on it; `close` stops the server, too. */
export async function openPostgres(server: Server, options: OpenOptions): Promise<Postgres> {
  const { log } = options
  const adminPooled = server.pooled === 'everything'
  const requestsPooled = server.pooled !== undefined
  const adminPool = openPool({
    login: server.admin,
    size: adminPoolSize,
    acquireTimeoutMs,
    applicationName: 'clew',
  })
  const asidePool = openPool({
    login: server.admin,
    size: asidePoolSize,
    acquireTimeoutMs,
    applicationName: 'clew aside',
  })
  const closing: (() => Promise<unknown>)[] = [() => adminPool.end(), () => asidePool.end()]
  const closeAll = async () => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    const { version, role, superuser } = await describe(adminPool)
    if (!superuser) await createMissingRoles(adminPool, log)
    await migrate(adminPool, 'postgres', new URL('./migrations/', import.meta.url), (migration, error) =>
      log(`postgres: ${role} may not apply ${migration} (${error.message}); tried again at the next start`),
    )
    await requireRoles(adminPool)
    const requestLogin = await server.session(adminPool)
    const sessionPool = openPool({
      login: requestLogin,
      size: options.poolSize,
      acquireTimeoutMs,
      applicationName: 'clew requests',
      ...options.requests,
    })
    closing.push(() => sessionPool.end())
    const settle = async (): Promise<void> => {
      await followTables(adminPool, options.exposedSchemas, log)
      if (!superuser) await createServiceRolePolicies(adminPool, options.exposedSchemas)
    }
    await settle()
    const typeNames = createTypeNames(adminPool)
    const changes = createChanges({ login: server.admin, pooled: adminPooled, admin: adminPool, typeNames, log })
    closing.push(() => changes.close())
    const ownerLogin = await server.owner(adminPool)
    const authLogin = await server.auth(adminPool)
    const beside = (login: Login, size: number, name: string, greeting = ''): pg.Pool => {
      const pool = openPool({
        login,
        size,
        acquireTimeoutMs,
        applicationName: `clew ${name}`,
        ...(greeting === '' ? {} : { greeting }),
      })
      closing.push(() => pool.end())
      return pool
    }
    const ownersFirst = (login: RoleLogin): string => (adminPooled ? '' : ownersGreeting(login))
    const ownerPool = beside(ownerLogin.login, ownerPoolSize, 'owner', ownersFirst(ownerLogin))
    // What the console reads runs code of the application, which is never a superuser's.
    const readerLogin: RoleLogin = ownerLogin.superuser
      ? { login: requestLogin, become: 'service_role', superuser: false }
      : ownerLogin
    const readerPool = beside(readerLogin.login, readerPoolSize, 'reader', ownersFirst(readerLogin))
    const authGreeting = requestsPooled ? [] : greetingOf(authLogin)
    const authPool = beside(authLogin.login, adminPoolSize, 'auth', authGreeting.join('; '))
    const authenticatorPool = beside(
      requestsPooled ? requestLogin : withSessionParameters(requestLogin, false),
      authenticatorPoolSize,
      'authenticator',
    )
    const rights = await rightsOf(adminPool, ownerLogin)
    const ownerSql = createSql(ownerPool, owner, {
      ...(adminPooled
        ? { opening: openingOf(ownerLogin, ownersPath) }
        : { restore: ['discard all', ownersGreeting(ownerLogin)] }),
      preparesStatements: false,
    })
    /** Clew's own statements by the pooler. */
    const openedBy = (login: RoleLogin): { opening?: Statement } =>
      requestsPooled ? { opening: openingOf(login, 'pg_catalog, pg_temp') } : {}
    return {
      kind: server.kind,
      version,
      url: server.url,
      admin: createSql(adminPool, role, { preparesStatements: !adminPooled }),
      aside: createSql(asidePool, role, { preparesStatements: !adminPooled }),
      auth: createSql(authPool, authAdmin, {
        preparesStatements: !requestsPooled,
        clears: true,
        restore: authGreeting,
        ...openedBy(authLogin),
      }),
      authenticator: createSql(authenticatorPool, authenticator, {
        preparesStatements: false,
        ...openedBy({ login: requestLogin, become: null, superuser: false }),
      }),
      owner: rights.statements ? asOwner(ownerSql) : ownerSql,
      reader: createReader(readerPool, readerLogin, readerLogin.become ?? owner, adminPooled),
      session: createSession({
        pool: sessionPool,
        typeNames,
        cancel: async (processId) => {
          // A pooler's number is another process of the server's, or none: the statement ends by its own time limit.
          if (!requestsPooled) await adminPool.query('select pg_catalog.pg_cancel_backend($1)', [processId])
        },
        pooled: requestsPooled,
        // Of somebody else's machine nobody told us.
        processors: server.kind === 'embedded' ? availableParallelism() : Number.POSITIVE_INFINITY,
        preparesStatements: !requestsPooled && (options.requests?.preparesStatements ?? true),
      }),
      changes,
      changeSource: { login: server.admin, pooled: adminPooled },
      async migrate(room, folder) {
        await migrate(adminPool, room, folder)
        if (rights.guard) await adminPool.query('select clew.guard()')
      },
      // A superuser's event triggers do so by themselves.
      settle: async () => (superuser ? undefined : settle()),
      script: (text) => runScript(ownerLogin, rights.statements ? forOwner(text) : text, log, adminPooled),
      listen: async (channel, onNotify, onConnect) => {
        // Behind a pooler nobody is told; what a request does not find is looked for anew all the same.
        if (adminPooled) {
          onConnect?.()
          return async () => undefined
        }
        const stop = await listen(server.admin, channel, onNotify, onConnect)
        closing.push(stop)
        return stop
      },
      health: () => health(server, adminPool, version),
      async close() {
        await closeAll()
        await server.stop()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function describe(pool: pg.Pool): Promise<{ version: number; role: string; superuser: boolean }> {
  const { rows } = await pool.query<{ version: number; role: string; superuser: boolean }>(
    `select current_setting('server_version_num')::int as version, rolname as role, rolsuper as superuser
     from pg_catalog.pg_roles
     where rolname = current_user`,
  )
  const [found] = rows
  if (found === undefined || found.version < oldestVersion)
    throw postgresError('POSTGRES_TOO_OLD', { details: String(found?.version) })
  return found
}

/** Tables of the exposed schemas, and of `auth`, have a history from here on. */
async function followTables(pool: pg.Pool, exposedSchemas: readonly string[], log: EngineLog): Promise<void> {
  const schemas = [...new Set([...exposedSchemas, 'auth'])]
  await pool.query('select clew.follow_tables($1)', [schemas]).catch((error: unknown) => {
    const said = error instanceof Error ? error.message : String(error)
    log(`postgres: row changes are not followed (${said}); start once with a superuser`)
  })
}

/** What the migrations could do for the owner: where the administrator is no superuser, these are missing. */
async function rightsOf(pool: pg.Pool, { superuser }: RoleLogin): Promise<{ guard: boolean; statements: boolean }> {
  const { rows } = await pool.query<{ guard: boolean; statements: boolean }>(
    `select to_regproc('clew.guard_ddl') is not null as guard,
       to_regproc('clew_owner.create_event_trigger') is not null as statements`,
  )
  const { guard = false, statements = false } = rows[0] ?? {}
  return { guard, statements: statements && !superuser }
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

async function health(server: Server, pool: pg.Pool, version: number): Promise<EngineHealth> {
  const name = 'postgres'
  const pid = server.pid()
  const down = server.down()
  if (down !== null) return { name, state: 'down', detail: down, pid }
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${healthLimitMs} ms`)), healthLimitMs)
  })
  try {
    await Promise.race([pool.query('select'), limit])
    const where = server.kind === 'embedded' ? 'embedded' : 'external'
    return {
      name,
      state: 'up',
      detail: `PostgreSQL ${Math.trunc(version / 10_000)}.${version % 10_000}, ${where}`,
      pid,
    }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return { name, state: 'down', detail: `PostgreSQL does not answer: ${said}`, pid }
  } finally {
    clearTimeout(timer)
  }
}
