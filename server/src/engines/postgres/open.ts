import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { messageOf } from '../../ground/errors/message.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import { createChanges } from './changes/changes.ts'
import { fixedPools } from './connection/connection-count.ts'
import { type Login, openPool, type PoolOptions } from './connection/connections.ts'
import { withSessionParameters } from './connection/session-parameters.ts'
import { createEditor } from './editor/editor.ts'
import { defaultInternalPools, type InternalPoolOptions, type OpenOptions, type PostgresOptions } from './options.ts'
import type { Commands, Postgres, Preparation } from './postgres.ts'
import { oneAtATime, prepareDatabase, settleTables, startLock } from './prepare.ts'
import { attachedServer, embeddedServer } from './server/embedded-server.ts'
import { reachExternal } from './server/external.ts'
import { authAdmin, authenticator, owner } from './server/roles.ts'
import { greetingOf, openingOf, ownersGreeting, ownersPath, type RoleLogin, type Server } from './server/server.ts'
import { createSession } from './session/session.ts'
import { createCommands } from './sql/commands.ts'
import { listen } from './sql/listen.ts'
import { migrate } from './sql/migrate.ts'
import { asOwner, forOwner } from './sql/owner-statements.ts'
import { createReader } from './sql/reader.ts'
import { runScript } from './sql/script.ts'
import { createSql } from './sql/sql-pool.ts'
import { createTypeNames, type TypeNames } from './wire/type-names.ts'

const healthLimitMs = 2_000

/**
 * Starts or reaches PostgreSQL and makes it what an application expects: roles, schemas, extensions.
 *
 * @throws the POSTGRES_… errors of a start; see `errors.ts`
 */
export async function createPostgres(options: PostgresOptions): Promise<Postgres> {
  const server = await serverOf(options)
  try {
    return await openPostgres(server, options)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function serverOf(options: PostgresOptions): Promise<Server> {
  if (options.kind === 'attached') return attachedServer(options)
  return options.kind === 'embedded' ? embeddedServer(options) : reachExternal(options)
}

/**
 * Prepares one database of a server and opens the pools on it; `close` stops the server, too.
 *
 * @param known what preparing a database told; a copy of that database needs no preparing
 */
export async function openPostgres(server: Server, options: OpenOptions, known?: Preparation): Promise<Postgres> {
  const closing: (() => Promise<unknown>)[] = []
  const closeAll = async () => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    const { internal = defaultInternalPools } = options
    const open = poolOpener(closing, internal.acquireTimeoutMs)
    const adminPool = open(server.admin, internal.adminPoolSize, 'clew')
    const asidePool = open(server.admin, fixedPools.aside, 'clew aside')
    const openAll = async () => {
      const prepared = known ?? (await prepareDatabase(server, adminPool, options))
      const requestLogin = await server.session(adminPool)
      const typeNames = createTypeNames(adminPool)
      const opened = {
        server,
        options,
        internal,
        adminPool,
        asidePool,
        prepared,
        requestLogin,
        typeNames,
        open,
        closing,
      }
      return { opened, roles: await openRoles(opened) }
    }
    const { opened, roles } = await (known === undefined ? oneAtATime(adminPool, openAll) : openAll())
    const { prepared } = opened
    const streams = openStreams(opened)
    const { renew } = server
    return {
      ...roles,
      ...streams,
      kind: server.kind,
      version: prepared.version,
      preparation: prepared,
      get url() {
        return server.url
      },
      renew:
        renew === undefined
          ? null
          : async (url) => {
              await renew(url, adminPool)
              streams.session.refresh()
            },
      socketUrl: server.socketUrl ?? null,
      renewVaultKeys: async () => server.renewVaultKeys?.(),
      setPassword: async (password) => server.setPassword?.(password, adminPool),
      // The event triggers of a superuser follow new tables by themselves.
      settle: async () => (prepared.superuser ? undefined : settleTables(adminPool, prepared, options)),
      health: () => health(server, adminPool, prepared.version),
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

type OpenPool = (login: Login, size: number, applicationName: string, more?: Partial<PoolOptions>) => pg.Pool

const poolOpener =
  (closing: (() => Promise<unknown>)[], acquireTimeoutMs: number): OpenPool =>
  (login, size, applicationName, more = {}) => {
    const pool = openPool({ login, size, acquireTimeoutMs, applicationName, ...more })
    closing.push(() => pool.end())
    return pool
  }

/** A prepared database with its server and the pools that are open. */
interface OpenDatabase {
  readonly server: Server
  readonly options: OpenOptions
  readonly internal: InternalPoolOptions
  readonly adminPool: pg.Pool
  readonly asidePool: pg.Pool
  readonly prepared: Preparation
  readonly requestLogin: Login
  readonly typeNames: TypeNames
  readonly open: OpenPool
  readonly closing: (() => Promise<unknown>)[]
}

/** Statements as each of the roles. */
async function openRoles(opened: OpenDatabase) {
  const { server, options, internal, adminPool, asidePool, prepared, requestLogin, typeNames, open } = opened
  const { role } = prepared
  const adminPooled = server.pooled === 'everything'
  const requestsPooled = server.pooled !== undefined
  const ownerLogin = await server.owner(adminPool)
  const authLogin = await server.auth(adminPool)
  const ownersFirst = (login: RoleLogin) => (adminPooled ? {} : greetedBy(ownersGreeting(login)))
  const ownerPool = open(ownerLogin.login, fixedPools.owner, 'clew owner', ownersFirst(ownerLogin))
  // The console's reads run code of the application, which must never run as a superuser.
  const readerLogin: RoleLogin = ownerLogin.superuser
    ? { login: requestLogin, become: 'service_role', superuser: false }
    : ownerLogin
  const readerPool = open(readerLogin.login, internal.readerPoolSize, 'clew reader', ownersFirst(readerLogin))
  const authGreeting = requestsPooled ? [] : greetingOf(authLogin)
  const authPool = open(authLogin.login, internal.authPoolSize, 'clew auth', greetedBy(authGreeting.join('; ')))
  const authenticatorLogin = requestsPooled ? requestLogin : withSessionParameters(requestLogin, false)
  const authenticatorPool = open(authenticatorLogin, fixedPools.authenticator, 'clew authenticator')
  // An administrator who is no superuser cannot give them.
  const statements = prepared.rights.statements && !ownerLogin.superuser
  let isGuarded = false
  const ownerSql = createSql(ownerPool, owner, {
    ...(adminPooled
      ? { opening: openingOf(ownerLogin, ownersPath) }
      : { restore: ['discard all', ownersGreeting(ownerLogin)] }),
    preparesStatements: false,
  })
  const openedBy = (login: RoleLogin): { opening?: Statement } =>
    requestsPooled ? { opening: openingOf(login, 'pg_catalog, pg_temp') } : {}
  return {
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
    owner: statements ? asOwner(ownerSql) : ownerSql,
    commands: server.kind === 'embedded' ? commandsOf(ownerLogin, open) : null,
    editor: createEditor({
      login: readerLogin,
      role: readerLogin.become ?? owner,
      pooled: adminPooled,
      admin: adminPool,
      typeNames,
    }),
    reader: createReader(readerPool, readerLogin, {
      role: readerLogin.become ?? owner,
      pooled: adminPooled,
      timeoutMs: internal.readerTimeoutMs,
    }),
    async migrate(room: string, folder: URL) {
      const applied = await migrate(adminPool, room, folder)
      // Once a start, for what an administrator changed by hand, and again after each room that changed something.
      if (!prepared.rights.guard || (isGuarded && applied === 0)) return
      await adminPool.query(`${startLock}; select clew.guard()`)
      isGuarded = true
    },
    script: (text: string) => runScript(ownerLogin, statements ? forOwner(text) : text, options.log, adminPooled),
  }
}

/** On a pool of its own: migrations of the application may keep the owner's connections. */
function commandsOf({ login }: RoleLogin, open: OpenPool): Commands {
  const pool = open(login, fixedPools.commands, 'clew commands')
  return createCommands({ login, role: owner, sql: createSql(pool, owner, { preparesStatements: false }) })
}

const greetedBy = (greeting: string): Partial<PoolOptions> => (greeting === '' ? {} : { greeting })

/** Callers' statements, row changes and LISTEN. */
function openStreams({ server, options, adminPool, requestLogin, typeNames, open, closing }: OpenDatabase) {
  const { log, requests, poolSize } = options
  const adminPooled = server.pooled === 'everything'
  const requestsPooled = server.pooled !== undefined
  const changes = createChanges({ login: server.admin, pooled: adminPooled, admin: adminPool, typeNames, log })
  closing.push(() => changes.close())
  return {
    session: createSession({
      pool: open(requestLogin, poolSize, 'clew requests', requests),
      typeNames,
      cancel: async (processId) => {
        // A pooler's number stands for another process of the server, or none: the statement's own timeout ends it.
        if (!requestsPooled) await adminPool.query('select pg_catalog.pg_cancel_backend($1)', [processId])
      },
      pooled: requestsPooled,
      // The processors of an external server are not known.
      processors: server.kind === 'embedded' ? availableParallelism() : Number.POSITIVE_INFINITY,
      preparesStatements: !requestsPooled && (requests?.preparesStatements ?? true),
      ...(requests?.statementsPerConnection === undefined
        ? {}
        : { statementsPerConnection: requests.statementsPerConnection }),
    }),
    changes,
    changeSource: () => ({ login: server.adminNow(), pooled: adminPooled }),
    listen: async (channel: string, onNotify: (payload: string) => void, onConnect?: () => void) => {
      // A pooler does not pass notifications on; names that a request does not find are looked up again.
      if (adminPooled) {
        onConnect?.()
        return async () => undefined
      }
      const stop = await listen(server.admin, channel, onNotify, onConnect)
      closing.push(stop)
      return stop
    },
  }
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
    const reason = messageOf(error)
    return { name, state: 'down', detail: `PostgreSQL does not answer: ${reason}`, pid }
  } finally {
    clearTimeout(timer)
  }
}
