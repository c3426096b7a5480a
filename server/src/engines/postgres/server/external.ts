import type pg from 'pg'
import { messageOf } from '../../../ground/errors/message.ts'
import { withPassword } from '../connection/connection-string.ts'
import type { Login } from '../connection/connections.ts'
import { openClient, parseLogin, processIdOf } from '../connection/connections.ts'
import { withSessionParameters } from '../connection/session-parameters.ts'
import { postgresError } from '../errors.ts'
import type { ExternalOptions } from '../options.ts'
import { derivedPassword, ensureLoginRole, findLoginError, type LoginRole, scramVerifier } from './login-roles.ts'
import { createServerPasswords, type ServerPasswords } from './passwords.ts'
import { authAdmin, authenticator, owner } from './roles.ts'
import type { RoleLogin, Server } from './server.ts'

/** The application of a comment on a role says that its password is ours to set. */
const mark = 'Requests log in so; made by Clew.'

/** What is known of a server once it was reached. */
interface Reached {
  readonly admin: Login
  /** Where it is, without a user. */
  readonly address: Login
  readonly secret: string
  readonly superuser: boolean
  /** Whether a pooler answers there: what is said as a connection is made, it does not hand on. */
  readonly pooled: boolean
  /** Of the database, which the names of our roles say. */
  readonly oid: number
  readonly passwords: ServerPasswords
  /** Whether the authenticator was there before. */
  readonly hasAuthenticator: boolean
  readonly log: ExternalOptions['log']
}

/**
 * A server that Clew does not run.
 *
 * @throws POSTGRES_UNREACHABLE, POSTGRES_DIRECT_URL_NEEDED
 */
export async function reachExternal({ url, directUrl = null, log }: ExternalOptions): Promise<Server> {
  // Much is written there.
  const configured = parseLogin(url, 'read-write')
  const place = await look(configured)
  const direct = directUrl === null ? null : parseLogin(directUrl, 'read-write')
  const own = direct === null ? place : await look(direct)
  const isPooled = direct !== null || place.facts.pooled
  const passwords = createServerPasswords(own.secret)
  const isRenewable = !isPooled && own.secret !== ''
  let address = directUrl ?? url
  if (own.facts.pooled && direct !== null)
    throw postgresError('POSTGRES_DIRECT_URL_NEEDED', { message: 'A pooler answers at database_direct_url, too.' })
  if (isPooled && direct === null && own.facts.superuser) throw postgresError('POSTGRES_DIRECT_URL_NEEDED')
  const everything = isPooled && direct === null
  const login = isRenewable ? { ...configured, secret: passwords.admin } : (direct ?? configured)
  const reached: Reached = {
    ...own.facts,
    admin: everything ? login : withSessionParameters(login, own.facts.superuser),
    address: own.address,
    secret: own.secret,
    passwords,
    log,
  }
  /** The server as it is reached through the pooler. */
  const byPooler: Reached = isPooled ? { ...reached, admin: configured, address: place.address, pooled: true } : reached
  if (everything)
    log(
      'postgres: a pooler answers at database_url: the schema is not reloaded by itself and row changes are not recorded; name the server itself as database_direct_url',
    )
  return {
    kind: 'external',
    admin: reached.admin,
    adminNow: () => withPasswordOf(reached.admin, passwords.admin()),
    ...(isPooled ? { pooled: everything ? 'everything' : 'requests' } : {}),
    session: (pool) => requestsLogin(pool, byPooler, isPooled ? configured : login),
    owner: (pool) => roleLogin(pool, reached, login, owner),
    auth: (pool) => roleLogin(pool, byPooler, isPooled ? configured : login, authAdmin),
    get url() {
      return address
    },
    ...(isRenewable
      ? {
          async renew(next, pool) {
            await passwords.replace((await look(parseLogin(next, 'read-write'))).secret, pool)
            address = next
          },
        }
      : {}),
    pid: () => null,
    down: () => null,
    stop: async () => undefined,
  }
}

/** A login that asks for its password, with the password itself. */
function withPasswordOf(login: Login, password: string): Login {
  const { secret, connectionString, ...rest } = login
  return secret === undefined || connectionString === undefined
    ? login
    : { ...rest, connectionString: withPassword(connectionString, password) }
}

/** What answers at an address. */
interface Looked {
  readonly facts: Pick<Reached, 'superuser' | 'oid' | 'hasAuthenticator' | 'pooled'>
  readonly address: Login
  readonly secret: string
}

async function look(login: Login): Promise<Looked> {
  const client = await openClient(login, 'clew start').catch((cause: unknown) => {
    const reason = messageOf(cause)
    throw postgresError('POSTGRES_UNREACHABLE', { details: reason, cause })
  })
  const { host, port, database, password, ssl } = client
  const facts = await factsOf(client).finally(() => client.end())
  const { hosts = [], targetSession = 'any' } = login
  return {
    facts,
    address: {
      host,
      port,
      hosts,
      targetSession,
      ...(database === undefined ? {} : { database }),
      ssl,
      keepAlive: true,
    },
    secret: password ?? '',
  }
}

async function factsOf(client: pg.Client): Promise<Looked['facts']> {
  const { rows } = await client.query<{ superuser: boolean; oid: number; authenticator: boolean; process: number }>(
    `select r.rolsuper as superuser, d.oid::int8::int4 as oid, pg_catalog.pg_backend_pid() as process,
       exists (select from pg_catalog.pg_roles a where a.rolname = $1) as authenticator
     from pg_catalog.pg_roles r, pg_catalog.pg_database d
     where r.rolname = current_user and d.datname = pg_catalog.current_database()`,
    [authenticator],
  )
  const [row] = rows
  if (row === undefined) throw new Error('The server does not know its own database.')
  // A pooler tells its clients a number of its own for the server's process.
  const pooled = processIdOf(client) !== row.process
  return { superuser: row.superuser, oid: row.oid, hasAuthenticator: row.authenticator, pooled }
}

const madeRole = (kind: string, { oid }: Reached): string => `clew_${kind}_${oid}`

/**
 * Requests log in as a role without rights of its own: the authenticator where this start made it, or an earlier one
 * did; where it is another program's, a role of Clew's beside it. An administrator who may not make one, and is no superuser,
 * steps down instead, which a function of the application could undo.
 */
async function requestsLogin(pool: pg.Pool, reached: Reached, configured: Login): Promise<Login> {
  const { address, secret, log } = reached
  const password = derivedPassword(secret, authenticator)
  const login: Login = { ...address, user: authenticator, password }
  const renewed = (role: string, own: Login): Login => reached.passwords.withRole(own, role)
  if (!reached.hasAuthenticator && password !== undefined) {
    // A role's statement takes no parameters; a verifier has no character to quote.
    await pool.query(`alter role ${authenticator} password '${scramVerifier(password)}'`)
    await pool.query(`comment on role ${authenticator} is '${mark}'`)
  }
  const loginError = await findLoginError(login)
  if (loginError === null) return renewed(authenticator, login)
  const name = madeRole('requests', reached)
  const role: LoginRole = { name, becomes: ['anon', 'authenticated', 'service_role'], inherits: false }
  try {
    const own = await ensureLoginRole({ pool, address, secret }, role)
    log(`postgres: requests log in as ${name}, as the role ${authenticator} refused (${loginError})`)
    return renewed(name, own)
  } catch (cause) {
    return configuredLogin(cause, name, reached, configured)
  }
}

/** A superuser must not run the application's code, not even stepped down: it could step up again. */
function configuredLogin(cause: unknown, role: string, { superuser, log }: Reached, configured: Login): Login {
  const reason = messageOf(cause)
  if (superuser) throw postgresError('POSTGRES_LOGIN_REFUSED', { details: `${role}: ${reason}`, cause })
  log(`postgres: the administrator's login is used instead of the role ${role}'s (${reason})`)
  return configured
}

/**
 * Acts as a role whose objects the application's code can reach. A superuser logs in as a role of ours that may become
 * it; an administrator who is none owns the application's objects itself, and becomes the administrator of `auth`.
 */
async function roleLogin(pool: pg.Pool, reached: Reached, configured: Login, role: string): Promise<RoleLogin> {
  const { superuser, address, secret } = reached
  const isOwner = role === owner
  const none = { login: isOwner ? configured : reached.admin, become: isOwner ? null : role, superuser: false }
  if (!superuser) return none
  const { rows } = await pool.query<{ superuser: boolean }>(
    'select rolsuper as superuser from pg_catalog.pg_roles where rolname = $1',
    [role],
  )
  // An owner who is a superuser has nothing to be kept from.
  if (rows[0]?.superuser === true) return { login: configured, become: role, superuser: true }
  const name = madeRole(isOwner ? 'owner' : 'auth', reached)
  const made = { name, becomes: [role], inherits: true }
  const login = await ensureLoginRole({ pool, address, secret }, made).then(
    (own) => reached.passwords.withRole(own, name),
    (cause: unknown) => configuredLogin(cause, name, reached, configured),
  )
  return {
    login: isOwner || reached.pooled ? login : withSessionParameters(login, false),
    become: role,
    superuser: false,
  }
}
