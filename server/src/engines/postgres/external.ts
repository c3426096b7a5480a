import { createHmac } from 'node:crypto'
import type pg from 'pg'
import type { Login } from './connections.ts'
import { loginBy, openClient } from './connections.ts'
import { postgresError } from './errors.ts'
import type { ExternalOptions } from './options.ts'
import { authenticator, owner } from './roles.ts'
import { ownersGreeting, type Server } from './server.ts'

/** The application of a comment on a role says that its password is ours to set. */
const mark = 'Requests log in so; made by Clew.'

/**
 * A server that somebody else runs.
 *
 * @throws POSTGRES_UNREACHABLE
 */
export async function reachExternal({ url, log }: ExternalOptions): Promise<Server> {
  // Much is written there.
  const admin = loginBy(url, 'read-write')
  const client = await openClient(admin, 'clew start').catch((cause: unknown) => {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw postgresError('POSTGRES_UNREACHABLE', { details: said, cause })
  })
  const existed = await client.query('select from pg_catalog.pg_roles where rolname = $1', [authenticator])
  const { host, port, database, password, ssl } = client
  await client.end()
  const { places = [], wants = 'any' } = admin
  const servers: Login = { host, port, places, wants }
  const address: Login = { ...servers, ...(database === undefined ? {} : { database }), ssl, keepAlive: true }
  return {
    kind: 'external',
    admin,
    session: (pool) =>
      loginAsAuthenticator({ pool, admin, address, made: existed.rowCount === 0, secret: password ?? '', log }),
    owner: async (pool) => ({ login: admin, greeting: ownersGreeting(await ownerToBecome(pool)) }),
    url,
    pid: () => null,
    down: () => null,
    stop: async () => undefined,
  }
}

interface AuthenticatorLogin {
  readonly pool: pg.Pool
  readonly admin: Login
  readonly address: Login
  /** Whether this start made the role. */
  readonly made: boolean
  readonly secret: string
  readonly log: (line: string) => void
}

/**
 * Requests log in as a role without rights of its own. Its password follows from the administrator's, so that every
 * node knows it. A role that was there before has a password of its own: then requests log in as the administrator
 * and step down, which a function of the application could undo.
 */
async function loginAsAuthenticator(plan: AuthenticatorLogin): Promise<Login> {
  // Without one to follow from, everybody could work it out: then it is left to the server to let us in.
  const password =
    plan.secret === '' ? undefined : createHmac('sha256', plan.secret).update('clew authenticator').digest('base64url')
  const login: Login = { ...plan.address, user: authenticator, password }
  try {
    if (plan.made && password !== undefined) {
      // A role statement takes no parameters; the password has no character to quote.
      await plan.pool.query(`alter role ${authenticator} password '${password}'`)
      await plan.pool.query(`comment on role ${authenticator} is '${mark}'`)
    }
    await (await openClient(login, 'clew start')).end()
    return login
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    plan.log(`postgres: requests log in as the administrator, as the role ${authenticator} refused (${said})`)
    return plan.admin
  }
}

async function ownerToBecome(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ become: boolean }>(
    `select r.rolsuper and r.rolname <> $1 and exists (select from pg_catalog.pg_roles where rolname = $1) as become
     from pg_catalog.pg_roles r
     where r.rolname = current_user`,
    [owner],
  )
  return rows[0]?.become === true ? owner : null
}
